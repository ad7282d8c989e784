import Crypto

/// Writes `number` as sixteen lowercase hexadecimal digits.
func hexadecimal(_ number: UInt64) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

extension Digest {
  /// The digest as lowercase hexadecimal digits.
  var hexadecimal: String {
    lazy.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
