import Glibc

// One home has one daemon, but not all of its clients have the same environment: cron and su know of no runtime folder, and
// at boot there is none yet. So the socket can be found both ways.

extension Home {
  /// Where a client finds the socket: where it belongs, unless the daemon that started last had no runtime folder. Every
  /// other one puts a link in the place of that one's socket.
  public var socketFound: String {
    guard let socketElsewhere, let status = Disk.status(of: socketElsewhere), status.st_mode & S_IFMT == S_IFSOCK
    else { return socket }
    return socketElsewhere
  }

  /// Makes way for the socket: a link of an earlier daemon goes. For who holds the home's lock.
  public func clearSocket() {
    if let status = Disk.status(of: socket), Disk.isLink(status) { unlink(socket) }
  }

  /// Has clients without a runtime folder find the socket, by a link in the state folder. For who holds the home's lock.
  ///
  /// - Throws: `unusableFolder` or `system`; those clients then find nobody.
  public func linkSocket() throws(PlatformError) {
    guard let socketElsewhere else { return }
    try OwnFolder.prepare(state + "/run")
    let draft = socketElsewhere + ".new"
    unlink(draft)
    guard symlink(socket, draft) == 0, rename(draft, socketElsewhere) == 0 else {
      throw .system("cannot make the link \(socketElsewhere)")
    }
  }
}
