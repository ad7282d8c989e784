import Crypto
import NIOCore
import Synchronization

/// The file of an unfinished upload, to which one request at a time may append: the last that claimed it.
///
/// Every call but `claim`, `size`, `isTaken` and `seize` blocks on the disk, or waits for one that does.
final class HeldUpload: Sendable {
  private struct Course {
    var turn = 0
    var size = 0
    var hash = SHA256()
    /// Whether it is being kept or dropped: nobody appends to it any more, nor takes it a second time.
    var isTaken = false
  }

  let name: String
  private let file: DiskFile
  private let course = Mutex(Course())

  /// A new, empty file.
  init(name: String, file: DiskFile) { (self.name, self.file) = (name, file) }

  /// The file as an earlier life of the farm has left it, hashed anew.
  static func resumed(name: String, file: DiskFile) throws(DiskError) -> HeldUpload {
    let held = HeldUpload(name: name, file: file)
    var course = Course()
    while case let bytes = try file.read(at: course.size, count: FarmLimits.chunkSize), bytes.readableBytes > 0 {
      bytes.withUnsafeReadableBytes { course.hash.update(bufferPointer: $0) }
      course.size += bytes.readableBytes
    }
    let found = course
    held.course.withLock { $0 = found }
    return held
  }

  /// Gives the right to append to the caller; whoever had it has it no more.
  func claim() -> Int {
    course.withLock { course in
      course.turn += 1
      return course.turn
    }
  }

  /// Appends, and says how many bytes there are now; nil if another request has claimed or taken the upload meanwhile.
  /// After a throw none of these bytes counts.
  func append(_ bytes: ByteBuffer, turn: Int) throws(DiskError) -> Int? {
    try course.withLock { course throws(DiskError) in
      guard course.turn == turn, !course.isTaken else { return nil }
      try write(bytes, at: course.size)
      bytes.withUnsafeReadableBytes { course.hash.update(bufferPointer: $0) }
      course.size += bytes.readableBytes
      return course.size
    }
  }

  /// Writes all of `bytes` or, where the disk lets that be undone, none: a later life of the farm counts what it finds.
  private func write(_ bytes: ByteBuffer, at size: Int) throws(DiskError) {
    do {
      try file.write(bytes, at: size)
    } catch {
      try? file.truncate(to: size)
      throw error
    }
  }

  var size: Int { course.withLock { $0.size } }

  var isTaken: Bool { course.withLock { $0.isTaken } }

  /// How many bytes would outlive a power cut: all that are there.
  func settle() throws(DiskError) -> Int {
    try file.sync()
    return size
  }

  /// The whole, ready to be kept, by the caller alone; nil if another request has claimed or taken the upload
  /// meanwhile.
  func intake(turn: Int) throws(DiskError) -> MovieIntake? {
    try course.withLock { course throws(DiskError) in
      guard course.turn == turn, !course.isTaken else { return nil }
      try file.truncate(to: course.size)  // What could not be undone when a piece found no room.
      course.isTaken = true
      return MovieIntake(name: name, file: file, size: course.size, hash: course.hash)
    }
  }

  /// Gives the right to drop it to the caller alone; false if it is being kept or dropped already.
  func seize() -> Bool {
    course.withLock { course in
      guard !course.isTaken else { return false }
      course.isTaken = true
      return true
    }
  }
}
