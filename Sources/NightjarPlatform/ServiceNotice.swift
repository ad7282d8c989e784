import Glibc

/// What a daemon tells the service manager that started it (sd_notify(3)).
public struct ServiceNotice: Sendable {
  private let socket: String?

  /// - Parameter environment: The daemon's; without `NOTIFY_SOCKET` nothing is sent.
  public init(environment: [String: String]) {
    socket = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
  }

  /// Says that the daemon serves.
  public func ready() { send("READY=1") }

  /// Says that the daemon ends now.
  public func stopping() { send("STOPPING=1") }

  /// A manager that cannot be told is ignored.
  private func send(_ text: String) {
    guard let socket else { return }
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(socket.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }  // An abstract name, which ends where the address ends.
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + bytes.count)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
        _ = sendto(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL), target, size)
      }
    }
  }
}
