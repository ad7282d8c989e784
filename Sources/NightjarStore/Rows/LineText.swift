import NightjarModel

/// Lists of texts as one text, a line for each, that a person can read in the database.
///
/// Every line ends with a line feed. Within it `\n` stands for a line feed, `\\` for a backslash, and in the name of a
/// header field `\:` for a colon.
enum LineText {
  private static let (backslash, lineFeed, colon, space, n) = (
    UInt8(0x5C), UInt8(0x0A), UInt8(0x3A), UInt8(0x20), UInt8(0x6E)
  )

  static func bytes(of lines: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in lines {
      append(line, to: &bytes)
      bytes.append(lineFeed)
    }
    return bytes
  }

  /// Header fields as `name: value`.
  static func bytes(of fields: [HTTPField]) -> [UInt8] {
    var bytes: [UInt8] = []
    for field in fields {
      append(field.name, escaping: colon, to: &bytes)
      bytes += [colon, space]
      append(field.value, to: &bytes)
      bytes.append(lineFeed)
    }
    return bytes
  }

  static func lines(_ text: UnsafeBufferPointer<UInt8>) throws(DamagedRow) -> [String] {
    var (rest, lines) = (text[...], [String]())
    while !rest.isEmpty { lines.append(try string(try take(upTo: lineFeed, from: &rest))) }
    return lines
  }

  static func fields(_ text: UnsafeBufferPointer<UInt8>) throws(DamagedRow) -> [HTTPField] {
    var (rest, fields) = (text[...], [HTTPField]())
    while !rest.isEmpty {
      let name = try string(try take(upTo: colon, from: &rest))
      guard rest.popFirst() == space else { throw DamagedRow(detail: "a header field has no space after its colon") }
      fields.append(HTTPField(name, try string(try take(upTo: lineFeed, from: &rest))))
    }
    return fields
  }

  private static func append(_ text: String, escaping special: UInt8? = nil, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      if byte == backslash || byte == lineFeed || byte == special { bytes.append(backslash) }
      bytes.append(byte == lineFeed ? n : byte)
    }
  }

  /// Takes away what stands before the next `end` that is not escaped, and `end` itself.
  private static func take(
    upTo end: UInt8, from rest: inout Slice<UnsafeBufferPointer<UInt8>>
  ) throws(DamagedRow) -> Slice<UnsafeBufferPointer<UInt8>> {
    var index = rest.startIndex
    while index < rest.endIndex, rest[index] != end { index += rest[index] == backslash ? 2 : 1 }
    guard index < rest.endIndex else { throw DamagedRow(detail: "a list breaks off within a line") }
    defer { rest = rest[(index + 1)...] }
    return rest[..<index]
  }

  private static func string(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws(DamagedRow) -> String {
    let text =
      bytes.contains(backslash)
      ? String(validating: unescaped(bytes), as: UTF8.self) : String(validating: bytes, as: UTF8.self)
    guard let text else { throw DamagedRow(detail: "a list is no UTF-8") }
    return text
  }

  private static func unescaped(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
    var (plain, isEscaped) = ([UInt8](), false)
    for byte in bytes {
      if !isEscaped, byte == backslash {
        isEscaped = true
      } else {
        plain.append(isEscaped && byte == n ? lineFeed : byte)
        isEscaped = false
      }
    }
    return plain
  }
}
