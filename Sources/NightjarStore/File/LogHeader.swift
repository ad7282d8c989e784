import Glibc

/// The first bytes of SQLite's log (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). Where they are not
/// valid, SQLite takes the log for an empty one.
enum LogHeader {
  private static let length = 32
  private static let magic: UInt32 = 0x377f_0682  // The lowest bit says that the sums are of big-endian words.
  private static let version: UInt32 = 3_007_000

  /// Whether the log at a path has a valid header. One that cannot be read just now may have one.
  static func isValid(at path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno != ENOENT }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: length)
    let count = pread(descriptor, &bytes, length, 0)
    return count < 0 || (count == length && isValid(words(of: bytes)))
  }

  private static func isValid(_ words: [UInt32]) -> Bool {
    guard words[0] & ~1 == magic, words[1] == version else { return false }
    let summed = words[0] & 1 == 1 ? words : words.map(\.byteSwapped)
    var (first, second): (UInt32, UInt32) = (0, 0)
    for index in stride(from: 0, to: 6, by: 2) {
      first &+= summed[index] &+ second
      second &+= summed[index + 1] &+ first
    }
    return (first, second) == (words[6], words[7])
  }

  private static func words(of bytes: [UInt8]) -> [UInt32] {
    stride(from: 0, to: bytes.count, by: 4).map { start in
      bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}
