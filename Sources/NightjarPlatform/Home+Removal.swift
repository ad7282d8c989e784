import Glibc

/// The end of a home.
extension Home {
  /// The folders that hold everything of the home, and nothing of anybody else's.
  public var folders: [String] { [data, state, runtime] }

  /// Removes everything: apps, containers, staged files, the database, logs and settings. No daemon can start
  /// meanwhile; the lock that keeps it out goes last.
  ///
  /// - Returns: The folders that were there and are gone.
  /// - Throws: `locked` while a daemon serves the home, and `system`; what was removed until then is gone.
  public func remove() throws(PlatformError) -> [String] {
    guard Disk.status(of: state) != nil || Disk.status(of: data) != nil else { return [] }
    let lock = try Disk.status(of: state) == nil ? nil : HomeLock(home: self)
    defer { withExtendedLifetime(lock) {} }
    var gone: [String] = []
    for folder in [data, runtime, state] where Disk.status(of: folder) != nil {
      for name in Disk.names(in: folder) where folder + "/" + name != self.lock { try Tree.remove(folder + "/" + name) }
      try Tree.remove(folder)
      gone.append(folder)
    }
    return gone
  }
}
