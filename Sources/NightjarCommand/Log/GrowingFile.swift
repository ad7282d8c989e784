import Glibc

/// A reader of what was written since the last look to a log that grows and is moved aside when it is too long.
///
/// At the path there may be no file yet, a longer file than before, a shorter one (it was truncated), or another one
/// (the old one was moved aside, and is read to its end first).
struct GrowingFile: ~Copyable {
  private static let blockSize = 65_536
  private static let lastReadMax = 64
  private let path: String
  private var descriptor: Int32 = -1
  /// The bytes just before the current position, to find that position again in a copy.
  private var lastRead: [UInt8] = []
  /// The inode of the `<name>.1` that existed when the file was opened.
  private var earlierCopy: ino_t = 0

  /// A file that need not exist yet. Nothing is opened before the first look.
  init(_ path: String) { self.path = path }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether there has been a file.
  var exists: Bool { descriptor >= 0 }

  /// Opens the file and goes to the beginning of its last lines.
  ///
  /// - Throws: `CommandError` if it may not be read. A file that does not exist yet is no error.
  mutating func open(atLastLines count: Int?) throws(CommandError) {
    guard try openAnew(), let count else { return }
    go(to: startOfLastLines(count))
  }

  /// The end of a log at some moment.
  struct Mark: Hashable, Sendable {
    fileprivate let inode: ino_t
    fileprivate let size: off_t

    /// The present end of the log; its beginning if it does not exist yet.
    init(endOf path: String) {
      var status = stat()
      (inode, size) = stat(path, &status) == 0 ? (status.st_ino, status.st_size) : (0, 0)
    }
  }

  /// Opens the file and goes to a mark in it, or to its beginning if the file was replaced since.
  ///
  /// - Throws: `CommandError` if it may not be read. A file that does not exist yet is no error.
  mutating func open(after mark: Mark) throws(CommandError) {
    var here = stat()
    guard try openAnew(), fstat(descriptor, &here) == 0, here.st_ino == mark.inode, here.st_size >= mark.size else {
      return
    }
    go(to: mark.size)
  }

  private mutating func go(to place: off_t) {
    lseek(descriptor, place, SEEK_SET)
    lastRead = Self.block(of: descriptor, from: max(0, place - off_t(Self.lastReadMax)), to: place)
  }

  /// Hands over, block by block, what was written since the last look.
  ///
  /// - Throws: `CommandError` if a new file may not be read.
  mutating func readOn(_ take: ([UInt8]) -> Void) throws(CommandError) {
    repeat {
      while let block = nextBlock() { take(block) }
    } while try follow()
  }

  private mutating func nextBlock() -> [UInt8]? {
    let descriptor = descriptor
    guard descriptor >= 0 else { return nil }
    let block = [UInt8](unsafeUninitializedCapacity: Self.blockSize) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
    lastRead = Array((lastRead + block.suffix(Self.lastReadMax)).suffix(Self.lastReadMax))
    return block.isEmpty ? nil : block
  }

  /// Turns to the file that is at the path now; false if that is the same file with nothing new.
  private mutating func follow() throws(CommandError) -> Bool {
    var (here, there) = (stat(), stat())
    guard stat(path, &there) == 0 else { return false }
    guard descriptor >= 0, fstat(descriptor, &here) == 0 else { return try openAnew() }
    let read = lseek(descriptor, 0, SEEK_CUR)
    if (here.st_ino, here.st_dev) != (there.st_ino, there.st_dev) {
      return here.st_size > read ? true : try openAnew()  // Its last bytes are read first.
    }
    guard here.st_size < read else { return false }
    if turnToCopy(at: read) { return true }
    go(to: 0)
    earlierCopy = copyInode
    return true
  }

  /// A log that is too long is copied to a new `<name>.1` and then truncated: what was not read before is read in the
  /// copy. The next look at the path then finds another file, which is read from its beginning. Of a log that is far
  /// too long only the end is copied, at other offsets: unread text of that is skipped.
  private mutating func turnToCopy(at offset: off_t) -> Bool {
    guard copyInode != earlierCopy, !lastRead.isEmpty else { return false }
    let copy = Glibc.open(path + ".1", O_RDONLY | O_CLOEXEC)
    guard copy >= 0 else { return false }
    let before = Self.block(of: copy, from: offset - off_t(lastRead.count), to: offset)
    guard before == lastRead, lseek(copy, offset, SEEK_SET) == offset else {
      close(copy)
      return false
    }
    close(descriptor)
    descriptor = copy
    return true
  }

  private mutating func openAnew() throws(CommandError) -> Bool {
    let new = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard new >= 0 else {
      if errno == ENOENT { return false }
      throw CommandError(.failed, "The log \(path) cannot be read: \(String(cString: strerror(errno))).")
    }
    if descriptor >= 0 { close(descriptor) }
    (descriptor, earlierCopy, lastRead) = (new, copyInode, [])
    return true
  }

  private var copyInode: ino_t {
    var status = stat()
    return stat(path + ".1", &status) == 0 ? status.st_ino : 0
  }

  /// Walks back from the end, block by block, to where the wanted lines begin. A line break at the very end begins no
  /// line.
  private func startOfLastLines(_ count: Int) -> off_t {
    let size = lseek(descriptor, 0, SEEK_END)
    guard count > 0, size > 0 else { return size }
    var (left, end) = (count, size - 1)
    while end > 0 {
      let start = max(0, end - off_t(Self.blockSize))
      let block = Self.block(of: descriptor, from: start, to: end)
      for (offset, byte) in block.enumerated().reversed() where byte == UInt8(ascii: "\n") {
        left -= 1
        if left == 0 { return start + off_t(offset) + 1 }
      }
      end = start
    }
    return 0
  }

  private static func block(of file: Int32, from start: off_t, to end: off_t) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(end - start)) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, buffer.count, start))
    }
  }
}
