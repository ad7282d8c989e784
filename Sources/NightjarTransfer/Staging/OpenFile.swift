import CNightjarFiles
import NIOCore
import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A file descriptor, closed with its last owner, and the calls on it, their errors typed.
final class OpenFile: Sendable {
  let descriptor: Int32
  /// For people and for errors.
  let path: String
  /// The lane that the file is bound to, if any: closing it may take as long as any other call.
  private let lane: FileLane?

  /// - Parameters:
  ///   - lane: Where the file is closed; nil for the thread on which its last owner goes.
  ///   - code: The code of a failure that is not for want of space.
  init(
    _ path: String, _ flags: Int32, mode: UInt32 = 0o600, on lane: FileLane? = nil,
    failing code: TransferFailure.Code
  ) throws(TransferFailure) {
    (self.path, self.lane) = (path, lane)
    let opened = retrying { open(path, flags | O_CLOEXEC, mode) }
    guard opened >= 0 else { throw .ofErrno(errno, "cannot open \(path)", code) }
    descriptor = opened
  }

  private init(_ path: String, descriptor: Int32) { (self.path, self.descriptor, lane) = (path, descriptor, nil) }

  /// A new file to read and write; nil if something is there already.
  static func new(
    _ path: String, mode: UInt32 = 0o600, failing code: TransferFailure.Code
  ) throws(TransferFailure) -> OpenFile? {
    let opened = retrying { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
    guard opened < 0 else { return OpenFile(path, descriptor: opened) }
    guard errno != EEXIST else { return nil }
    throw .ofErrno(errno, "cannot open \(path)", code)
  }

  /// The file that stands there, to read and write; nil if nothing does. A symbolic link is not followed.
  static func existing(_ path: String, failing code: TransferFailure.Code) throws(TransferFailure) -> OpenFile? {
    let opened = retrying { open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC) }
    guard opened < 0 else { return OpenFile(path, descriptor: opened) }
    guard errno != ENOENT else { return nil }
    throw .ofErrno(errno, "cannot open \(path)", code)
  }

  deinit {
    guard let lane else {
      _ = close(descriptor)
      return
    }
    lane.submit { [descriptor] in _ = close(descriptor) }
  }

  /// Writes all of a buffer at a position, from the buffer's own memory.
  ///
  /// - Parameter tooLong: The code of the failure of a file system that holds no file so long.
  func write(
    _ buffer: ByteBuffer, at offset: Int64, tooLong: TransferFailure.Code = .diskFull
  ) throws(TransferFailure) {
    let result = buffer.withUnsafeReadableBytes { bytes in
      Result { () throws(TransferFailure) in try write(bytes, at: offset, tooLong: tooLong) }
    }
    try result.get()
  }

  /// Writes all bytes at a position.
  func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int64, tooLong: TransferFailure.Code = .diskFull
  ) throws(TransferFailure) {
    var done = 0
    while done < bytes.count {
      let count = retrying {
        pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
      }
      guard count >= 0 else {
        let code = errno == EFBIG ? tooLong : nil
        let failure = TransferFailure.ofErrno(errno, "cannot write \(path)", .cannotWrite)
        throw TransferFailure(code ?? failure.code, failure.detail)
      }
      done += count
    }
  }

  /// Reads so many bytes from a position, fewer only at the file's end.
  func read(_ count: Int, at offset: Int64) throws(TransferFailure) -> ByteBuffer {
    var buffer = ByteBuffer()
    var failed: Int32?
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { room in
      var done = 0
      while done < count {
        let got = retrying { pread(descriptor, room.baseAddress! + done, count - done, off_t(offset) + off_t(done)) }
        if got < 0 { failed = errno }
        guard got > 0 else { break }
        done += got
      }
      return done
    }
    if let failed { throw .ofErrno(failed, "cannot read \(path)", .cannotReadSource) }
    return buffer
  }

  /// Cuts the file off at `size` (ftruncate(2), which would lengthen a shorter file).
  func truncate(to size: Int64) throws(TransferFailure) {
    guard ftruncate(descriptor, off_t(size)) == 0 else {
      throw .ofErrno(errno, "cannot truncate \(path)", .cannotWrite)
    }
  }

  /// Returns once the data, and what is needed to read it back, is on the disk (fdatasync(2)).
  func syncData() throws(TransferFailure) {
    guard retrying({ fdatasync(descriptor) }) == 0 else { throw .ofErrno(errno, "cannot sync \(path)", .cannotWrite) }
  }

  /// Has the kernel begin to write what is not on the disk yet, and does not wait for it.
  func beginWriting() { nightjar_begin_writing(descriptor) }

  /// Returns once everything about the file is on the disk (fsync(2)); for a folder, its entries.
  func sync() throws(TransferFailure) {
    guard retrying({ fsync(descriptor) }) == 0 else { throw .ofErrno(errno, "cannot sync \(path)", .cannotWrite) }
  }

  /// Size, time and inode as they are now.
  func stamp() throws(TransferFailure) -> FileStamp { FileStamp(try status()) }

  /// Whether the file has another name (a hard link), under which others would see whatever is written to it.
  func isShared() throws(TransferFailure) -> Bool { try status().st_nlink > 1 }

  private func status() throws(TransferFailure) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .ofErrno(errno, "cannot look at \(path)", .cannotWrite) }
    return status
  }
}

extension OpenFile {
  private static let validatorName = "user.nightjar.validator"

  /// Notes on the file itself which version of the resource its bytes are of. Without effect where the file system has
  /// no extended attributes.
  func note(_ validator: Validator?) {
    let bytes = Array((validator?.fieldValue ?? "").utf8)
    _ = nightjar_set_attribute(descriptor, Self.validatorName, bytes, bytes.count)
  }

  /// Whether the bytes may be those of a version: true too where nothing is noted.
  func mayBe(_ validator: Validator?) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 2048)
    let count = nightjar_get_attribute(descriptor, Self.validatorName, &bytes, bytes.count)
    return count < 0 || bytes[..<count].elementsEqual((validator?.fieldValue ?? "").utf8)
  }
}

/// Calls again while a signal interrupts (EINTR).
func retrying<Count: SignedInteger>(_ call: () -> Count) -> Count {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

extension FileStamp {
  init(_ status: stat) {
    let time = status.st_mtim
    let modified = Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)).nanoseconds
    self.init(size: Int64(status.st_size), modified: modified, inode: UInt64(status.st_ino))
  }

  /// The stamp of what stands at a path, a symbolic link itself; nil if nothing does.
  static func at(_ path: String) -> FileStamp? {
    var status = stat()
    return lstat(path, &status) == 0 ? FileStamp(status) : nil
  }
}

extension TransferFailure {
  /// A failed system call: `diskFull` for want of room on the disk or for another open file, otherwise `code`.
  static func ofErrno(_ number: Int32, _ what: String, _ code: Code) -> TransferFailure {
    let isFull = [ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(number)
    return TransferFailure(isFull ? .diskFull : code, "\(what): \(String(cString: strerror(number)))")
  }
}
