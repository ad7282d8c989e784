extension UInt8 {
  /// The byte that two hexadecimal digits stand for, as after a percent sign (RFC 3986, section 2.1); nil if they are
  /// anything else, such as a sign and a digit.
  package init?(hexadecimal digits: some Collection<UInt8>) {
    guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
    self.init(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
