import Glibc
import Varlink

/// Where the daemon's socket is, for clients that may have another environment than the daemon.
package struct DaemonSocket: Hashable, Sendable {
  private let own: String
  private let other: String?

  /// - Parameters:
  ///   - own: The socket's place in the client's runtime folder, or the only one.
  ///   - other: Its place in the state folder.
  package init(own: String, other: String? = nil) { (self.own, self.other) = (own, other) }

  /// The socket file to connect to, found anew each time: a later daemon may have another environment.
  ///
  /// A daemon without a runtime folder binds its socket in the state folder. Any other leaves a link there that leads
  /// to its socket, which may lie in another runtime folder than the client's. The link is followed only to a socket of
  /// this user on which a process listens, and only if none listens in the client's own folder.
  package var path: String {
    guard let other else { return own }
    if UnixSocket.isServed(at: other) { return other }
    guard let target = Self.target(of: other), target != own, Self.isOurs(target), !UnixSocket.isServed(at: own),
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
