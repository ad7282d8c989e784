import Glibc

/// Unix sockets at paths of any length.
///
/// The kernel's address holds 107 bytes. A longer path is reached through an `O_PATH` descriptor of its folder and
/// `/proc/self/fd`, so only the file name is limited, to 80 bytes.
public enum UnixSocket {
  static let addressBytesMax = 107

  /// Binds a socket file and listens on it.
  ///
  /// The file of a socket on which no process listens is replaced. A live socket is not, nor is any other kind of file.
  /// The descriptor does not block and is closed on exec. Two processes that start at the same moment must exclude each
  /// other, by a lock file.
  ///
  /// - Parameters:
  ///   - mode: The file's mode, whatever the umask. The file never has more permissions than that.
  ///   - backlog: How many clients may wait to be accepted; at most what the kernel allows (net.core.somaxconn).
  /// - Throws: `inUse`, or `system`. Nothing was changed on disk when this throws, except a dead socket's removal.
  public static func listen(
    at path: String, mode: UInt32 = 0o600, backlog: CInt = 4096
  ) throws(TransportError) -> CInt {
    try listen(at: SocketPath(path), mode: mode, backlog: backlog)
  }

  /// Connects to a socket file. The descriptor blocks and is closed on exec.
  ///
  /// - Throws: `unreachable` when nothing listens there, or `system`.
  public static func connect(to path: String) throws(TransportError) -> CInt {
    let place = try SocketPath(path)
    return try owning(make()) { (socket) throws(TransportError) in try connect(socket, to: place) }
  }

  /// Whether a process listens on a socket file, as far as can be found out; a symbolic link does not count. The
  /// listener sees a client that sends nothing.
  public static func isServed(at path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
    do { return try isServed(SocketPath(path)) } catch { return error.code != .unreachable }
  }

  static func listen(at place: SocketPath, mode: UInt32, backlog: CInt) throws(TransportError) -> CInt {
    try removeDead(place)
    return try owning(make(Linux.socketNonBlocking)) { (socket) throws(TransportError) in
      // The file inherits the socket's own mode, so that no other user can ever connect.
      guard fchmod(socket, mode) == 0 else { throw .system("fchmod") }
      guard place.withAddress({ bind(socket, $0, $1) }) == 0 else {
        throw .system("bind \(place.path)", errno == EADDRINUSE ? .inUse : .system)
      }
      _ = fchmodat(place.folder.number, place.name, mode, 0)
      guard Glibc.listen(socket, backlog) == 0 else { throw .system("listen \(place.path)") }
    }
  }

  static func connect(toAbstract name: String) throws(TransportError) -> CInt {
    try abstract(name) { socket, address, size in uninterrupted { Glibc.connect(socket, address, size) } }
  }

  /// Binds or reaches an abstract name, which has no file.
  static func abstract(
    _ name: String, _ flags: CInt = 0, _ call: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) throws(TransportError) -> CInt {
    guard name.utf8.count <= addressBytesMax else {
      throw TransportError(.badAddress, "unix:@\(name): longer than \(addressBytesMax) bytes")
    }
    return try owning(make(flags)) { (socket) throws(TransportError) in
      let result = withUnixAddress([0] + Array(name.utf8), terminated: false) { call(socket, $0, $1) }
      guard result == 0 else { throw failure("unix:@\(name)") }
    }
  }

  /// The Varlink address that a socket is bound to; nil if it is no Unix socket, or bound to nothing.
  static func address(of descriptor: CInt) -> String? {
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard result == 0, CInt(address.sun_family) == AF_UNIX else { return nil }
    let count = Int(size) - MemoryLayout<sockaddr_un>.offset(of: \.sun_path)!
    let bytes = withUnsafeBytes(of: address.sun_path) { Array($0.prefix(count)) }
    if bytes.first == 0 { return "unix:@\(String(decoding: bytes.dropFirst(), as: UTF8.self))" }
    let path = bytes.prefix { $0 != 0 }
    return path.isEmpty ? nil : "unix:\(String(decoding: path, as: UTF8.self))"
  }

  private static func removeDead(_ place: SocketPath) throws(TransportError) {
    var status = stat()
    guard fstatat(place.folder.number, place.name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw TransportError(.inUse, "\(place.path) is not a socket; move it away")
    }
    guard try !isServed(place) else { throw TransportError(.inUse, "another process listens on \(place.path)") }
    guard unlinkat(place.folder.number, place.name, 0) == 0 || errno == ENOENT else {
      throw .system("unlink \(place.path)")
    }
  }

  private static func isServed(_ place: SocketPath) throws(TransportError) -> Bool {
    do {
      // Not blocking: a listener whose queue is full is alive too.
      let probe = try make(Linux.socketNonBlocking)
      close(try owning(probe) { (socket) throws(TransportError) in try connect(socket, to: place) })
      return true
    } catch  where error.code == .unreachable {
      return false
    }
  }

  private static func connect(_ socket: CInt, to place: SocketPath) throws(TransportError) {
    guard place.withAddress({ address, size in uninterrupted { Glibc.connect(socket, address, size) } }) == 0 else {
      throw failure(place.path)
    }
  }

  private static func failure(_ place: String) -> TransportError {
    switch errno {
    case ECONNREFUSED, ENOENT: .system("connect \(place)", .unreachable)
    case EADDRINUSE, EAGAIN: .system("connect or bind \(place)", .inUse)
    default: .system("connect or bind \(place)")
    }
  }

  private static func make(_ flags: CInt = 0) throws(TransportError) -> CInt {
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | Linux.socketCloseOnExec | flags, 0)
    guard descriptor >= 0 else { throw .system("socket") }
    return descriptor
  }

  /// Returns the descriptor, or closes it if the closure throws.
  static func owning(
    _ descriptor: CInt, _ prepare: (CInt) throws(TransportError) -> Void
  ) throws(TransportError) -> CInt {
    do {
      try prepare(descriptor)
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }
}

/// Calls with a `sockaddr_un` of these bytes.
func withUnixAddress<Result>(
  _ bytes: [UInt8], terminated: Bool, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  let size = MemoryLayout<sa_family_t>.size + bytes.count + (terminated ? 1 : 0)
  return withUnsafePointer(to: address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(size)) }
  }
}
