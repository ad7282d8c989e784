import Glibc

// One home has one daemon, but not all of its clients have the same environment: cron and su set no runtime folder, and
// at boot there is none yet. So the socket can be found with and without one.

extension Home {
  /// Removes an earlier daemon's link from the socket's place. The caller must hold the home's lock.
  public func clearSocket() {
    if let status = Disk.status(of: socket), Disk.isLink(status) { unlink(socket) }
  }

  /// Puts a link to the socket into the state folder, for clients without a runtime folder or with another one. The
  /// caller must hold the home's lock.
  ///
  /// - Throws: `unusableFolder` or `system`; then those clients find no daemon.
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
