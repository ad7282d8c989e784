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
    var (rest, lines) = (text, [String]())
    while !rest.isEmpty { lines.append(try takeText(upTo: lineFeed, from: &rest)) }
    return lines
  }

  static func fields(_ text: UnsafeBufferPointer<UInt8>) throws(DamagedRow) -> [HTTPField] {
    var (rest, fields) = (text, [HTTPField]())
    while !rest.isEmpty {
      let name = try takeText(upTo: colon, from: &rest)
      guard rest.first == space else { throw DamagedRow(detail: "a header field has no space after its colon") }
      rest = rest.extracting(1...)
      fields.append(HTTPField(name, try takeText(upTo: lineFeed, from: &rest)))
    }
    return fields
  }

  private static func append(_ text: String, escaping special: UInt8? = nil, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { utf8 in
      guard utf8.contains(where: { isEscaped($0, special) }) else { return bytes.append(contentsOf: utf8) }
      for byte in utf8 {
        if isEscaped(byte, special) { bytes.append(backslash) }
        bytes.append(byte == lineFeed ? n : byte)
      }
    }
  }

  private static func isEscaped(_ byte: UInt8, _ special: UInt8?) -> Bool {
    byte == backslash || byte == lineFeed || byte == special
  }

  /// Removes and returns the text before the next unescaped `end`, and removes `end` itself.
  private static func takeText(
    upTo end: UInt8, from rest: inout UnsafeBufferPointer<UInt8>
  ) throws(DamagedRow) -> String {
    var (index, isPlain) = (0, true)
    while index < rest.count, rest[index] != end {
      isPlain = isPlain && rest[index] != backslash
      index += rest[index] == backslash ? 2 : 1
    }
    guard index < rest.count else { throw DamagedRow(detail: "a list breaks off within a line") }
    defer { rest = rest.extracting((index + 1)...) }
    let bytes = rest.extracting(..<index)
    guard let text = isPlain ? String(checking: bytes) : unescaped(bytes) else {
      throw DamagedRow(detail: "a list is no UTF-8")
    }
    return text
  }

  private static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var (plain, isEscaped) = ([UInt8](), false)
    for byte in bytes {
      if !isEscaped, byte == backslash {
        isEscaped = true
      } else {
        plain.append(isEscaped && byte == n ? lineFeed : byte)
        isEscaped = false
      }
    }
    return plain.withUnsafeBufferPointer { String(checking: $0) }
  }
}
