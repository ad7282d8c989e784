import Glibc
public import NightjarModel

// A file is recognised by its size, its time and its inode. After a restore from a backup the same file has another
// inode, and often no nanoseconds in its time. So it is noted where the home's own files lie on the disk: if they lie
// elsewhere at the next start, they were restored or copied, all of them.

extension Home {
  /// Whether the home's files may have been copied or restored since ``noteLayout()``, also where nothing was noted.
  public var wasRestored: Bool { Disk.text(of: layoutNote) != layout }

  /// Notes where the home's files lie now. On a full disk the next start does it.
  public func noteLayout() {
    if Disk.text(of: layoutNote) != layout { try? Disk.replace(layoutNote, with: layout, synced: true) }
  }

  /// The present stamp of a restored file: one of the home's, with the size it had, and the same time as far as a
  /// backup keeps that. Nil for any other file.
  ///
  /// - Parameter stamp: The one it had before.
  public func restored(_ path: String, _ stamp: FileStamp) -> FileStamp? {
    guard [data, state].contains(where: { path.hasPrefix($0 + "/") }), let status = Disk.status(of: path),
      Disk.isFile(status)
    else { return nil }
    let time = status.st_mtim
    let modified = Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)).nanoseconds
    let found = FileStamp(size: Int64(status.st_size), modified: modified, inode: UInt64(status.st_ino))
    // Archives of tar's own kind keep seconds.
    let isOfSameTime = [stamp.modified, stamp.modified / Self.second * Self.second].contains(found.modified)
    return found.size == stamp.size && isOfSameTime ? found : nil
  }

  private static let second: Int64 = 1_000_000_000

  /// Several files are looked at, since a restored one may happen to get its old inode again.
  private var layout: String {
    let places = [state, running, database, staging].map { path in
      Disk.status(of: path).map { "\($0.st_dev) \($0.st_ino)\n" } ?? "\n"
    }
    return places.joined()
  }
}
