import Glibc
import Testing

@testable import Varlink

/// A client that speaks bytes: for what a proper client would never send, and for seeing exactly what is answered.
final class RawPeer {
  let descriptor: CInt
  private var input = MessageBuffer(messageBytesMax: 64 << 20)

  init(_ address: String) throws {
    descriptor = try VarlinkAddress(address).connect()
    var patience = timeval(tv_sec: 30, tv_usec: 0)  // Only a broken test waits so long; then it fails.
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Writes bytes; the text of a message ends with `\0`.
  func write(_ text: String) {
    write(Array(text.utf8))
  }

  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// The next message, without its NUL; nil when the service closed the connection.
  func read() throws -> String? {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      if let message = try input.next({ String(decoding: $0, as: UTF8.self) }) { return message }
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count == 0 || (count < 0 && errno == ECONNRESET) { return nil }
      try #require(count > 0, "nothing came within thirty seconds")
      chunk.withUnsafeBytes { input.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  /// Says that nothing more will be written.
  func endWriting() {
    shutdown(descriptor, CInt(SHUT_WR))
  }
}
