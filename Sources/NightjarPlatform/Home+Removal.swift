import Glibc

/// The end of a home.
extension Home {
  /// The folders that hold everything of the home, and nothing of anybody else's.
  public var folders: [String] { [data, state, runtime] }

  /// Removes everything: apps, containers, staged files, the database, logs and settings.
  ///
  /// - Returns: The folders that were there and are gone.
  /// - Throws: `locked` while a daemon serves the home, and `system`; what was removed until then is gone.
  public func remove() throws(PlatformError) -> [String] {
    guard Disk.status(of: state) != nil || Disk.status(of: data) != nil else { return [] }
    if Disk.status(of: state) != nil { _ = try HomeLock(home: self) }
    var gone: [String] = []
    for folder in folders where Disk.status(of: folder) != nil {
      try Tree.remove(folder)
      gone.append(folder)
    }
    return gone
  }
}
