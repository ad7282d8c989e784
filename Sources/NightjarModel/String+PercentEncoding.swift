extension String {
  /// The bytes that a percent-encoded text stands for (RFC 3986, section 2.1). A percent sign before anything but two
  /// hexadecimal digits stands for itself.
  package var percentDecoded: [UInt8] {
    var (bytes, rest) = ([UInt8](), Array(utf8)[...])
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let decoded = UInt8(hexadecimal: rest.prefix(2)) {
        bytes.append(decoded)
        rest.removeFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}

extension UInt8 {
  /// The byte that two hexadecimal digits stand for; nil if they are anything else, such as a sign and a digit.
  fileprivate init?(hexadecimal digits: ArraySlice<UInt8>) {
    guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
    self.init(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
