import CNightjarFiles
import NIOCore
import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Writes to a file past the page cache (open(2), O_DIRECT).
///
/// For a large file, the way from the page cache to the disk costs more processor time than the way from the network
/// into the page cache, and the file displaces what others need there. Direct writes take whole blocks only, from
/// aligned memory (``DirectPiece``). Partial blocks, where a stretch of writing begins and ends, go through the page
/// cache; the two kinds of write never share a page, so that one hardly ever has to wait for the other.
final class DirectFile: Sendable {
  /// The alignment of offsets, lengths and memory, in bytes: a page, the unit of the cache and of ``DirectPiece``.
  let alignment = sysconf(Int32(_SC_PAGESIZE))
  private let cached: OpenFile
  private let descriptor: Int32

  /// Opens the file once more; nil where it cannot be written past the page cache.
  init?(_ file: OpenFile) {
    let wanted = nightjar_direct_alignment(file.descriptor)
    guard wanted > 0, alignment % wanted == 0 else { return nil }
    descriptor = nightjar_open_direct(file.descriptor)
    guard descriptor >= 0 else { return nil }
    cached = file
  }

  deinit { close(descriptor) }

  /// Writes whole blocks past the cache and the rest through it; all through it where the file system refuses direct
  /// writes after all (EINVAL). Blocks; belongs on a file thread.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(TransferFailure) {
    let whole = offset % Int64(alignment) == 0 ? bytes.count / alignment * alignment : 0
    let written = whole == 0 ? 0 : retrying { pwrite(descriptor, bytes.baseAddress, whole, off_t(offset)) }
    guard written >= 0 || errno == EINVAL else { throw .ofErrno(errno, "cannot write \(cached.path)", .cannotWrite) }
    let done = max(written, 0)
    try cached.write(UnsafeRawBufferPointer(rebasing: bytes[done...]), at: offset + Int64(done))
  }
}
