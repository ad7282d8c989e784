import NIOCore
import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The file that an upload sends. It must be the file that was queued, before it is sent and after.
struct SourceFile: Sendable {
  let file: OpenFile
  let stamp: FileStamp

  /// Opens the file, and refuses one that is not as it was when it was queued.
  ///
  /// - Parameter lane: The lane that the file is bound to, if any.
  init(_ path: String, _ stamp: FileStamp, on lane: FileLane? = nil) throws(TransferFailure) {
    file = try OpenFile(path, O_RDONLY | O_NONBLOCK, on: lane, failing: .cannotReadSource)
    self.stamp = stamp
    try verify()
  }

  /// Throws if size, time or inode are no longer those that were queued.
  func verify() throws(TransferFailure) {
    guard try file.stamp() == stamp else {
      throw TransferFailure(.sourceChanged, "\(file.path) is no longer the file that was queued; queue it again")
    }
  }

  /// A piece from a position; a file that has become too short is refused.
  func piece(_ count: Int, at offset: Int64) throws(TransferFailure) -> ByteBuffer {
    let wanted = Int(min(Int64(count), stamp.size - offset))
    let piece = try file.read(wanted, at: offset)
    guard piece.readableBytes == wanted else {
      throw TransferFailure(.sourceChanged, "\(file.path) became shorter while it was sent; queue it again")
    }
    return piece
  }
}
