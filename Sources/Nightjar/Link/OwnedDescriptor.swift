import Glibc

/// A failed system call: what was tried, on what, and why it failed (errno(3)).
struct FileTrouble: Error, Hashable, CustomStringConvertible {
  let deed: String
  let path: String
  let number: Int32

  init(_ deed: String, _ path: String) { (self.deed, self.path, self.number) = (deed, path, errno) }

  /// Whether the file does not exist, or something else is in its place.
  var isAbsence: Bool { number == ENOENT || number == ENOTDIR || number == ELOOP }

  /// Whether it may succeed a moment later: the process or the system has too much open, or too little memory.
  var isPassing: Bool { number == EMFILE || number == ENFILE || number == ENOMEM }

  var description: String { "cannot \(deed) \(path): \(String(cString: strerror(number)))" }
}

/// A file descriptor that is closed with its owner. Its lock is released explicitly, since a process that was just
/// forked, and has not yet executed its program, has a copy of the descriptor.
final class OwnedDescriptor: Sendable {
  let raw: CInt
  let path: String

  init(opening path: String, _ flags: CInt, mode: mode_t = 0o600) throws(FileTrouble) {
    let raw = unlessInterrupted { open(path, flags | O_CLOEXEC, mode) }
    guard raw >= 0 else { throw FileTrouble("open", path) }
    (self.raw, self.path) = (raw, path)
  }

  deinit {
    flock(raw, LOCK_UN)
    close(raw)
  }

  func status() throws(FileTrouble) -> stat {
    var status = stat()
    guard fstat(raw, &status) == 0 else { throw FileTrouble("look at", path) }
    return status
  }

  /// Whether the file is still the one at its path; false once it was removed.
  var isInPlace: Bool {
    var named = stat()
    guard let own = try? status(), stat(path, &named) == 0 else { return false }
    return (own.st_dev, own.st_ino) == (named.st_dev, named.st_ino)
  }

  /// Everything in the file, from its beginning.
  func contents() throws(FileTrouble) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try read(into: &chunk, at: bytes.count)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Reads at an offset; returns 0 at the end of the file.
  func read(into chunk: inout [UInt8], at offset: Int) throws(FileTrouble) -> Int {
    let count = chunk.withUnsafeMutableBytes { room in
      unlessInterrupted { pread(raw, room.baseAddress, room.count, off_t(offset)) }
    }
    guard count >= 0 else { throw FileTrouble("read", path) }
    return count
  }

  /// Writes all bytes at an offset.
  func write(_ bytes: some Collection<UInt8>, at offset: Int) throws(FileTrouble) {
    let bytes = Array(bytes)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { room in
        unlessInterrupted { pwrite(raw, room.baseAddress! + done, room.count - done, off_t(offset + done)) }
      }
      guard count > 0 else { throw FileTrouble("write", path) }
      done += count
    }
  }

  func truncate(to size: Int) throws(FileTrouble) {
    guard unlessInterrupted({ ftruncate(raw, off_t(size)) }) == 0 else { throw FileTrouble("truncate", path) }
  }

  func sync() throws(FileTrouble) {
    guard unlessInterrupted({ fdatasync(raw) }) == 0 else { throw FileTrouble("sync", path) }
  }

  /// Takes the file's lock for this process; false if another process has it (flock(2)).
  func lock() -> Bool { unlessInterrupted { flock(raw, LOCK_EX | LOCK_NB) } == 0 }
}

/// Repeats a system call that a signal interrupted.
func unlessInterrupted<Number: SignedInteger>(_ call: () -> Number) -> Number {
  while true {
    let result = call()
    guard result == -1, errno == EINTR else { return result }
  }
}
