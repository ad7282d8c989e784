import Crypto
import Foundation

/// The SHA-256 of a file, in hexadecimal digits; nil if it cannot be read.
func digest(of path: String) -> String? {
  guard let bytes = try? Data(contentsOf: URL(filePath: path)) else { return nil }
  return SHA256.hash(data: bytes).map { byte in
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }.joined()
}
