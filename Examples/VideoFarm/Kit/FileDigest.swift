import Crypto
import Foundation

/// The SHA-256 of a file of any size, read a mebibyte at a time.
struct FileDigest {
  /// Lowercase hexadecimal digits.
  let sha256: String
  /// Bytes that were read.
  let size: Int

  init(of file: URL) throws {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var (hash, size) = (SHA256(), 0)
    while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty {
      hash.update(data: chunk)
      size += chunk.count
    }
    self.sha256 = hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    self.size = size
  }
}
