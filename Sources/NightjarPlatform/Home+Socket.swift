import Glibc

// One home has one daemon, but not all of its clients have the same environment: cron and su set no runtime folder, and
// at boot there is none yet. So the socket can be found with and without one.

extension Home {
  /// Removes an earlier daemon's link from the socket's place. The caller must hold the home's lock.
  public func clearSocket() {
    if let status = Disk.status(of: socket), Disk.isLink(status) { unlink(socket) }
  }

  /// Makes the socket's folder anew after it was removed, but no folder above it: what is made in the place of
  /// `XDG_RUNTIME_DIR` would be hidden by the file system that is mounted there at the next login.
  ///
  /// - Throws: `unusableFolder`; also if the folder above or the whole home is gone.
  public func restoreRuntime() throws(PlatformError) {
    guard Disk.status(of: lock) != nil else {
      throw PlatformError(.unusableFolder, "\(state) was removed while the daemon ran; stop it, and start it again")
    }
    let above = Disk.parent(of: runtime) ?? "/"
    guard Disk.status(of: above) != nil else { throw PlatformError(.unusableFolder, "\(above) is not there") }
    try OwnFolder.prepare(runtime)
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
