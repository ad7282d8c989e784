import Glibc

/// The process at the other end of a Unix socket, as the kernel recorded it when the connection was made.
///
/// A descriptor that is handed to another process keeps the credentials of the process that connected (unix(7),
/// `SO_PEERCRED`).
public struct PeerCredentials: Sendable, Hashable {
  /// The process id; 0 when the process is in a PID namespace that is not visible from here.
  public let pid: Int32
  /// Its effective user.
  public let uid: UInt32
  /// Its effective group.
  public let gid: UInt32

  /// Creates credentials, for tests and for peers that are known otherwise.
  public init(pid: Int32, uid: UInt32, gid: UInt32) {
    (self.pid, self.uid, self.gid) = (pid, uid, gid)
  }

  /// Asks the kernel about a connected Unix socket.
  ///
  /// - Throws: `system` when the descriptor is no socket or not connected.
  public init(of descriptor: CInt) throws(TransportError) {
    var words: (UInt32, UInt32, UInt32) = (0, 0, 0)  // struct ucred
    var size = socklen_t(MemoryLayout.size(ofValue: words))
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &words, &size) == 0 else { throw .system("SO_PEERCRED") }
    // On a TCP socket the call succeeds without credentials.
    if words.1 == .max { throw TransportError(.system, "SO_PEERCRED: this socket has no peer with credentials") }
    (pid, uid, gid) = (Int32(bitPattern: words.0), words.1, words.2)
  }
}
