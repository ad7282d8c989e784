import Foundation
import Glibc
import Synchronization

/// Answers every request of its one connection at a time with the same bytes, and notes when the last one was written.
final class OneFileServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let answer: [UInt8]
  private let sent = Mutex(ContinuousClock.now)

  /// When the last answer had been handed to the kernel.
  var sentAt: ContinuousClock.Instant { sent.withLock { $0 } }

  /// Listens on a free port of the loopback interface, on a thread of its own.
  init(size: Int) throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\nETag: \"1\"\r\n\r\n"
    answer = Array(head.utf8) + Array(repeating: 0x4E, count: size)
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) | listen(listener, 16) | getsockname(listener, pointer, &length)
      }
    }
    guard code == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        Thread.detachNewThread { [self] in serve(connection) }
      }
    }
  }

  /// Requests have no bodies and come one after the other, so each ends with the first empty line.
  private func serve(_ connection: Int32) {
    var (buffer, seen) = ([UInt8](repeating: 0, count: 4096), [UInt8]())
    let end = Array("\r\n\r\n".utf8)
    while case let count = read(connection, &buffer, buffer.count), count > 0 {
      seen.append(contentsOf: buffer[..<count])
      guard seen.suffix(4).elementsEqual(end) else { continue }
      seen = []
      guard write(connection, answer, answer.count) == answer.count else { break }
      sent.withLock { $0 = .now }
    }
    close(connection)
  }
}
