/// Enough of a file's status (stat(2)) to see whether it is still the file it was.
public struct FileStamp: Hashable, Sendable {
  /// The size in bytes.
  public var size: Int64
  /// The time of the last modification, in nanoseconds since 1970.
  public var modified: Int64
  /// The inode number.
  public var inode: UInt64

  /// A stamp as stat(2) gave it.
  public init(size: Int64, modified: Int64, inode: UInt64) {
    (self.size, self.modified, self.inode) = (size, modified, inode)
  }
}
