import CNightjarFiles
import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// How much room there is where the file lies.
extension OpenFile {
  /// Bytes that an ordinary user may still write on this file system; nil where it does not say, such as a tmpfs without a
  /// bound and many a file system in user space, which call themselves zero blocks large.
  func freeSpace() -> Int64? {
    var status = statvfs()
    guard fstatvfs(descriptor, &status) == 0, status.f_blocks > 0 else { return nil }
    return Self.bytes(UInt64(status.f_bavail), of: UInt64(status.f_frsize))
  }

  /// Whether bytes may be written here that ``freeSpace()`` still counts as free, until they are synced.
  func isCountedLate() -> Bool { nightjar_counts_at_once(descriptor) == 0 }

  /// So many blocks in bytes. What no number holds counts as the largest: file systems over a network call themselves
  /// that large.
  static func bytes(_ blocks: UInt64, of size: UInt64) -> Int64 {
    let (bytes, overflows) = blocks.multipliedReportingOverflow(by: size)
    return overflows ? .max : Int64(clamping: bytes)
  }

  /// Whether there is less free than is to be left alone, whoever has taken it.
  func isShort(of spare: Int64) -> Bool { freeSpace().map { $0 < spare } ?? false }

  /// Refuses to go on when so many more bytes would leave less free space than is to be left alone.
  func checkSpace(for bytes: Int64, beyond spare: Int64) throws(TransferFailure) {
    guard let free = freeSpace(), !Self.hasRoom(in: free, for: bytes, beyond: spare) else { return }
    throw .noRoom(for: bytes, of: path, in: free, beyond: spare)
  }

  /// Whether so much free space holds so many more bytes, and what is to be left alone. A sum that no number holds is
  /// too much for any.
  static func hasRoom(in free: Int64, for bytes: Int64, beyond spare: Int64) -> Bool {
    let (needed, overflows) = bytes.addingReportingOverflow(spare)
    return !overflows && needed <= free
  }
}
