import CNightjarFiles
import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// How much room there is where the file lies.
extension OpenFile {
  /// Bytes that an ordinary user may still write on this file system; nil where it does not say: a tmpfs without a
  /// bound and many file systems in user space report a size of zero blocks.
  func freeSpace() -> Int64? {
    var status = statvfs()
    guard fstatvfs(descriptor, &status) == 0, status.f_blocks > 0 else { return nil }
    return Self.bytes(UInt64(status.f_bavail), of: UInt64(status.f_frsize))
  }

  /// Whether ``freeSpace()`` counts written bytes as free until they are synced.
  func isCountedLate() -> Bool { nightjar_counts_at_once(descriptor) == 0 }

  /// So many blocks in bytes, or the largest number if that overflows: some network file systems report such a size.
  static func bytes(_ blocks: UInt64, of size: UInt64) -> Int64 {
    let (bytes, overflows) = blocks.multipliedReportingOverflow(by: size)
    return overflows ? .max : Int64(clamping: bytes)
  }

  /// Whether less than the reserve is free, whoever has taken it.
  func isShort(of spare: Int64) -> Bool { freeSpace().map { $0 < spare } ?? false }

  /// Throws `diskFull` if `bytes` more would leave less free space than `spare`.
  func checkSpace(for bytes: Int64, beyond spare: Int64) throws(TransferFailure) {
    guard let free = freeSpace(), !Self.hasRoom(in: free, for: bytes, beyond: spare) else { return }
    throw .noRoom(for: bytes, of: path, in: free, beyond: spare)
  }

  /// Whether the free space holds `bytes` more and the reserve. A sum that overflows is too much for any.
  static func hasRoom(in free: Int64, for bytes: Int64, beyond spare: Int64) -> Bool {
    let (needed, overflows) = bytes.addingReportingOverflow(spare)
    return !overflows && needed <= free
  }
}
