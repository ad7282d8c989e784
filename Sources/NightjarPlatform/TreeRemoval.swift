import Glibc

/// Removes a folder with everything in it, however deep that lies.
///
/// An app can nest folders until the path of one is longer than any that Linux takes. So each name is looked up in its
/// own folder, of which one is open at a time, and the way up is "..", as long as that leads where it came from.
///
/// What is mounted below the folder is not gone into: it is not the app's alone. The kernel refuses to remove a mount
/// point (`EBUSY`), also one of the same file system (bind), before it looks whether it is empty (`ENOTEMPTY`). So only
/// what it calls not empty is gone into.
struct TreeRemoval {
  /// A folder on the way down.
  private struct Level {
    /// What it is called in the one above; the first by its path.
    let name: [CChar]
    let device: dev_t
    let inode: ino_t
    /// What has yet to be removed from it.
    var rest: [[CChar]]
  }

  private let root: String
  private var levels: [Level] = []
  /// The last of the levels; nil above the first.
  private var here: Descriptor?

  private var hereNumber: Int32 { here?.number ?? AT_FDCWD }

  /// Removes what lies at a path. Nothing there is no error.
  static func carryOut(_ path: String) throws(PlatformError) {
    var removal = TreeRemoval(root: path)
    try removal.remove(Array(path.utf8CString))
    while let level = removal.levels.indices.last {
      if let name = removal.levels[level].rest.popLast() { try removal.remove(name) } else { try removal.leave() }
    }
  }

  private init(root: String) { self.root = root }

  /// Removes an entry of the present folder, or goes into it if it is a folder.
  private mutating func remove(_ name: [CChar]) throws(PlatformError) {
    var status = stat()
    guard fstatat(hereNumber, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return }
      throw failure(name)
    }
    guard Disk.isFolder(status) else {
      guard unlinkat(hereNumber, name, 0) == 0 || errno == ENOENT else { throw failure(name) }
      return
    }
    if unlinkat(hereNumber, name, AT_REMOVEDIR) == 0 { return }  // It was empty; even another user's may be.
    if !levels.isEmpty, errno != ENOTEMPTY, errno != EEXIST { throw errno == EBUSY ? mounted(name) : failure(name) }
    if status.st_mode & 0o700 != 0o700 { fchmodat(hereNumber, name, 0o700, 0) }
    guard let folder = opened(name), let names = Disk.rawNames(in: folder) else { throw failure(name) }
    levels.append(Level(name: name, device: status.st_dev, inode: status.st_ino, rest: names))
    here = folder
  }

  /// Goes up, and removes the folder that it was in.
  private mutating func leave() throws(PlatformError) {
    let level = levels.removeLast()
    if let above = levels.last {
      guard let folder = opened(Array("..".utf8CString)) else { throw failure(level.name) }
      var status = stat()
      guard fstat(folder.number, &status) == 0, (status.st_dev, status.st_ino) == (above.device, above.inode) else {
        throw .system("a folder in \(root) was moved while it was removed", ESTALE)
      }
      here = folder
    } else {
      here = nil
    }
    guard unlinkat(hereNumber, level.name, AT_REMOVEDIR) == 0 || errno == ENOENT else { throw failure(level.name) }
  }

  private func opened(_ name: [CChar]) -> Descriptor? {
    let number = openat(hereNumber, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    return number < 0 ? nil : Descriptor(owning: number)
  }

  private func mounted(_ name: [CChar]) -> PlatformError {
    PlatformError(
      .system(EBUSY),
      "cannot remove \(Disk.shown(name)) in \(root): a file system is mounted there; unmount it first (umount)")
  }

  private func failure(_ name: [CChar]) -> PlatformError {
    .system("cannot remove \(levels.isEmpty ? root : "\(Disk.shown(name)) in \(root)")")
  }
}
