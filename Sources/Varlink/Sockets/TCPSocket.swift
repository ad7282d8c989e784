import Glibc

/// TCP sockets, for services that are reached from other machines. Varlink itself does not protect them.
enum TCPSocket {
  static func listen(_ host: String, _ port: UInt16, backlog: CInt) throws(TransportError) -> CInt {
    try resolve(host, port, passive: true) { (info) throws(TransportError) in
      try UnixSocket.owning(make(info, Linux.socketNonBlocking)) { (socket) throws(TransportError) in
        var yes: CInt = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        guard bind(socket, info.ai_addr, info.ai_addrlen) == 0 else {
          throw .system("bind tcp:\(host):\(port)", errno == EADDRINUSE ? .inUse : .system)
        }
        guard Glibc.listen(socket, backlog) == 0 else { throw .system("listen tcp:\(host):\(port)") }
      }
    }
  }

  static func connect(_ host: String, _ port: UInt16) throws(TransportError) -> CInt {
    try resolve(host, port, passive: false) { (info) throws(TransportError) in
      try UnixSocket.owning(make(info)) { (socket) throws(TransportError) in
        guard uninterrupted({ Glibc.connect(socket, info.ai_addr, info.ai_addrlen) }) == 0 else {
          throw .system("connect tcp:\(host):\(port)", errno == ECONNREFUSED ? .unreachable : .system)
        }
      }
    }
  }

  /// Disables Nagle's algorithm, which would delay small replies. Fails harmlessly on other sockets.
  static func disableDelay(_ descriptor: CInt) {
    var yes: CInt = 1
    setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
  }

  /// The port that the kernel chose for port 0; nil for sockets that have none.
  static func port(of descriptor: CInt) -> UInt16? {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard result == 0, [AF_INET, AF_INET6].contains(CInt(address.ss_family)) else { return nil }
    // The port is at the same offset in both kinds of address.
    return withUnsafeBytes(of: address) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
  }

  private static func make(_ info: addrinfo, _ flags: CInt = 0) throws(TransportError) -> CInt {
    let descriptor = socket(info.ai_family, info.ai_socktype | Linux.socketCloseOnExec | flags, info.ai_protocol)
    guard descriptor >= 0 else { throw .system("socket") }
    return descriptor
  }

  /// Tries the host's addresses in turn and returns the first that works, or throws the last failure.
  private static func resolve(
    _ host: String, _ port: UInt16, passive: Bool, _ attempt: (addrinfo) throws(TransportError) -> CInt
  ) throws(TransportError) -> CInt {
    var hints = addrinfo()
    hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    hints.ai_flags = passive ? AI_PASSIVE : 0
    var list: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(host, String(port), &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard result == 0, var next = list else {
      throw TransportError(.unreachable, "\(host): \(String(cString: gai_strerror(result)))")
    }
    while true {
      do throws(TransportError) {
        return try attempt(next.pointee)
      } catch {
        guard let following = next.pointee.ai_next else { throw error }
        next = following
      }
    }
  }
}
