import Patience
import Foundation

/// A connection to the daemon's socket over which anything may be said.
final class RawLine {
  private let socket: Int32

  init(to path: String) throws {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw CocoaError(.fileNoSuchFile) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: Glibc.sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    // Not before: a nonblocking one does not wait for the daemon to take the connections before it.
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    guard result == 0 else { throw NeverHappened(description: "connect: \(String(cString: strerror(errno)))") }
  }

  deinit { close(socket) }

  /// Sends as much as the socket takes, and tells how many bytes that were; nil once the daemon has closed.
  func offer(_ bytes: some Collection<UInt8>) -> Int? {
    let bytes = Array(bytes)
    let count = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    return count >= 0 ? count : errno == EAGAIN ? 0 : nil
  }

  /// What has come, at most so many bytes; nil once the daemon has closed.
  func take(_ max: Int = 1 << 16) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: max)
    let count = recv(socket, &bytes, max, 0)
    if count > 0 { return Array(bytes.prefix(count)) }
    return count < 0 && errno == EAGAIN ? [] : nil
  }
}
