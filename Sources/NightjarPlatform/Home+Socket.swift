import Glibc

// One home has one daemon, but not all of its clients have the same environment: cron and su know of no runtime folder, and
// at boot there is none yet. So the socket can be found both ways.

extension Home {
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
