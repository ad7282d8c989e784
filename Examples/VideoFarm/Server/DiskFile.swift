import Glibc
import HTTPTypes
import NIOCore

/// What the disk refused, with the path and the system's own words.
struct DiskError: Error, CustomStringConvertible {
  let deed: String
  let path: String
  let number: Int32

  var description: String { "cannot \(deed) \(path): \(String(cString: strerror(number)))" }

  /// What the client hears of it: no path of this machine.
  var refusal: Refusal {
    switch number {
    case ENOSPC, EDQUOT:
      Refusal(.farmFull, "disk-full", "The farm's disk is full; try again when there is room.")
    default:
      Refusal(.internalServerError, "disk-failed", "The farm's disk failed; its log says how.")
    }
  }
}

/// One open file; closed when the last user lets go of it.
///
/// Every call blocks on the disk, so call from a thread that may wait. Reading does not move anything, so readers
/// share.
final class DiskFile: Sendable {
  let path: String
  private let descriptor: Int32

  private init(_ path: String, _ flags: Int32) throws(DiskError) {
    let opened = open(path, flags | O_CLOEXEC, 0o600)
    guard opened >= 0 else { throw DiskError(deed: "open", path: path, number: errno) }
    self.path = path
    self.descriptor = opened
  }

  deinit { close(descriptor) }

  /// Opens a file or folder that exists.
  static func existing(_ path: String) throws(DiskError) -> DiskFile { try DiskFile(path, O_RDONLY) }

  /// Creates a file that does not exist yet.
  static func new(_ path: String) throws(DiskError) -> DiskFile { try DiskFile(path, O_RDWR | O_CREAT | O_EXCL) }

  /// Opens a file that exists, to read it and to write on.
  static func growing(_ path: String) throws(DiskError) -> DiskFile { try DiskFile(path, O_RDWR) }

  /// Reads up to `count` bytes from `offset`; fewer only at the end of the file.
  func read(at offset: Int, count: Int) throws(DiskError) -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: count)
    while buffer.readableBytes < count {
      let got = readSome(into: &buffer, at: offset + buffer.readableBytes, count: count - buffer.readableBytes)
      if got == 0 { break }
      guard got > 0 || errno == EINTR else { throw DiskError(deed: "read", path: path, number: errno) }
    }
    return buffer
  }

  private func readSome(into buffer: inout ByteBuffer, at offset: Int, count: Int) -> Int {
    var got = 0
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { room in
      got = pread(descriptor, room.baseAddress, count, off_t(offset))
      return max(got, 0)
    }
    return got
  }

  /// Writes all of `bytes` from `offset` on. After a throw any part of them may be there.
  func write(_ bytes: ByteBuffer, at offset: Int) throws(DiskError) {
    var (rest, place) = (bytes, offset)
    while rest.readableBytes > 0 {
      let wrote = rest.withUnsafeReadableBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(place)) }
      guard wrote >= 0 || errno == EINTR else { throw DiskError(deed: "write", path: path, number: errno) }
      rest.moveReaderIndex(forwardBy: max(wrote, 0))
      place += max(wrote, 0)
    }
  }

  /// Gives the file `size` bytes.
  func truncate(to size: Int) throws(DiskError) {
    while ftruncate(descriptor, off_t(size)) != 0 {
      guard errno == EINTR else { throw DiskError(deed: "truncate", path: path, number: errno) }
    }
  }

  /// Returns once the file's bytes, or the folder's names, would outlive a power cut.
  func sync() throws(DiskError) {
    guard fsync(descriptor) == 0 else { throw DiskError(deed: "sync", path: path, number: errno) }
  }
}
