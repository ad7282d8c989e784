import Glibc
import Synchronization

/// A socket that accepts connections for a service: bound here, or bound by another process and handed over.
///
/// The service closes it when it stops. The file of a socket that was bound here is then removed, unless another socket
/// has replaced it.
public final class VarlinkListener: Sendable {
  private struct File: Sendable {
    let place: SocketPath
    let device: dev_t
    let inode: ino_t

    /// A file that was just bound; of one that is gone already, a file that is in no place.
    init(_ place: SocketPath) {
      let status = Self.status(place)
      (self.place, device, inode) = (place, status?.st_dev ?? 0, status?.st_ino ?? 0)
    }

    /// Whether the path leads to it, and not merely to where its folder has gone.
    var isInPlace: Bool {
      var status = stat()
      return lstat(place.path, &status) == 0 && isSelf(status)
    }

    /// Removes it, unless another file lies there by now.
    func remove() {
      guard let status = Self.status(place), isSelf(status) else { return }
      unlinkat(place.folder.number, place.name, 0)
    }

    private func isSelf(_ status: stat) -> Bool { status.st_dev == device && status.st_ino == inode }

    private static func status(_ place: SocketPath) -> stat? {
      var status = stat()
      return fstatat(place.folder.number, place.name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }
  }

  private let file: File?
  private let open: Mutex<Descriptor?>
  /// Where clients connect, in the form of a Varlink address, with the port that the kernel chose.
  public let address: String

  /// Binds an address and listens on it. See ``UnixSocket/listen(at:mode:backlog:)`` for what happens to a file that
  /// is already there.
  public init(binding address: VarlinkAddress, backlog: CInt = 4096) throws(TransportError) {
    switch address.place {
    case .path(let path):
      let place = try SocketPath(path)
      let number = try UnixSocket.listen(at: place, mode: address.mode ?? 0o600, backlog: backlog)
      open = Mutex(Descriptor(number))
      file = File(place)
      self.address = "unix:\(path)"
    case .abstract(let name):
      let socket = Descriptor(try UnixSocket.abstract(name, Linux.socketNonBlocking) { bind($0, $1, $2) })
      guard listen(socket.number, backlog) == 0 else { throw .system("listen \(address)") }
      open = Mutex(socket)
      file = nil
      self.address = address.description
    case .tcp(let host, let port):
      let number = try TCPSocket.listen(host, port, backlog: backlog)
      let real = TCPSocket.port(of: number) ?? port
      open = Mutex(Descriptor(number))
      file = nil
      self.address = host.contains(":") ? "tcp:[\(host)]:\(real)" : "tcp:\(host):\(real)"
    }
  }

  /// Takes over a descriptor that is bound and listens already. Its file, if any, is left to the process that made it.
  ///
  /// - Throws: `system` when it is no listening socket; the descriptor is then still the caller's.
  public init(inheriting descriptor: CInt) throws(TransportError) {
    var listens: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 else {
      throw .system("descriptor \(descriptor)")
    }
    guard listens == 1 else { throw TransportError(.system, "descriptor \(descriptor) does not listen") }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    open = Mutex(Descriptor(descriptor))
    file = nil
    address =
      TCPSocket.port(of: descriptor).map { "tcp:localhost:\($0)" } ?? UnixSocket.address(of: descriptor)
      ?? "descriptor \(descriptor)"
  }

  /// The sockets that a service manager bound for this process (sd_listen_fds(3)); none when it was started otherwise.
  ///
  /// Call it once: the descriptors belong to the listeners returned.
  public static func activated() throws(TransportError) -> [VarlinkListener] {
    guard let pid = getenv("LISTEN_PID"), atoi(pid) == getpid(), let count = getenv("LISTEN_FDS") else { return [] }
    var listeners: [VarlinkListener] = []
    for descriptor in 3..<3 + max(0, min(atoi(count), 64)) {
      listeners.append(try VarlinkListener(inheriting: descriptor))
    }
    return listeners
  }

  /// Whether clients that know the path still find this socket. False once its file, or the file's folder, was removed,
  /// renamed or replaced: then nobody new can connect. A socket without a file of its own is always in place.
  public var isInPlace: Bool { file?.isInPlace ?? true }

  /// Stops listening, and removes the file if it is still the one bound here. Repeating it does nothing.
  public func close() {
    let descriptor = open.withLock { open in
      defer { open = nil }
      return open
    }
    if descriptor != nil { file?.remove() }
  }

  deinit { close() }

  /// The open descriptor; nil once closed.
  var descriptor: Descriptor? { open.withLock { $0 } }
}
