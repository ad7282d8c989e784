import Glibc
import Varlink

/// Finds the daemon's socket, for clients that may have another environment than the daemon.
package enum DaemonSocket {
  /// The socket file to connect to.
  ///
  /// A daemon without a runtime folder binds its socket in the state folder. Any other leaves a link there that leads to
  /// its socket, which may lie in another runtime folder than the client's. The link is followed only to a socket of this
  /// user on which a process listens, and only if none listens in the client's own folder.
  ///
  /// - Parameters:
  ///   - own: The socket's place in the client's runtime folder.
  ///   - other: Its place in the state folder.
  package static func path(own: String, other: String) -> String {
    if UnixSocket.isServed(at: other) { return other }
    guard let target = target(of: other), target != own, isOurs(target), !UnixSocket.isServed(at: own),
      UnixSocket.isServed(at: target)
    else { return own }
    return target
  }

  private static func isOurs(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_uid == geteuid()
  }

  /// Where a symbolic link leads, if that is an absolute path.
  private static func target(of link: String) -> String? {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = path.withUnsafeMutableBytes { readlink(link, $0.baseAddress!, $0.count) }
    return count > 0 && path[0] == UInt8(ascii: "/") ? String(decoding: path.prefix(count), as: UTF8.self) : nil
  }
}
