extension String {
  /// With every byte as `%` and two hexadecimal digits (RFC 3986) but those of ASCII letters, digits and these marks.
  func percentEncoded(sparing marks: String) -> String {
    let hex = Array("0123456789ABCDEF")
    return utf8.reduce(into: "") { text, byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || marks.utf8.contains(byte)
      text += isPlain ? String(UnicodeScalar(byte)) : "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
    }
  }
}
