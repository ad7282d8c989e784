import Glibc

/// A TCP connection to this machine that sends exactly what it is told, and ends when it is told.
final class RawConnection: Sendable {
  private let descriptor: Int32

  struct Failed: Error {
    let deed: String
    let number: Int32
  }

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var patience = timeval(tv_sec: 60, tv_usec: 0)  // Only a broken test waits so long; then it fails.
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] in
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw Failed(deed: "connect", number: errno) }
  }

  deinit { close(descriptor) }

  func send(_ bytes: some Sequence<UInt8>) throws {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard sent > 0 else { throw Failed(deed: "send", number: errno) }
      rest = rest.dropFirst(sent)
    }
  }

  /// Receives `count` bytes, or fewer where the other side ends.
  func receive(_ count: Int) throws -> [UInt8] {
    try Array(unsafeUninitializedCapacity: count) { room, received in
      while received < count {
        let got = recv(descriptor, room.baseAddress! + received, count - received, 0)
        guard got >= 0 else { throw Failed(deed: "receive", number: errno) }
        if got == 0 { return }
        received += got
      }
    }
  }

  /// Ends the connection: at once and without a word more (`RST`), as a process that dies or a cable that is cut does.
  func abort() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Says that nothing more will come, and goes on listening.
  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }
}
