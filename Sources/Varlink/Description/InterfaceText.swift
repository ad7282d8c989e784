/// The text of an interface description with a position in it: comments, words and signs.
struct InterfaceText {
  private let bytes: [UInt8]
  private var offset = 0
  /// The block of comment lines that ended just before the position; ready for the next declaration.
  private(set) var documentation = ""

  init(_ text: String) {
    bytes = Array(text.utf8)
    skipSpace()
  }

  var isAtEnd: Bool { offset == bytes.count }

  /// Takes a word of bytes that satisfy the condition, if the next byte does.
  mutating func word(where belongs: (UInt8) -> Bool) -> String? {
    let end = bytes[offset...].firstIndex { !belongs($0) } ?? bytes.count
    guard end > offset else { return nil }
    let word = String(decoding: bytes[offset..<end], as: UTF8.self)
    offset = end
    skipSpace()
    return word
  }

  /// Takes these characters, if they are next.
  mutating func sign(_ sign: String) -> Bool {
    guard bytes[offset...].starts(with: sign.utf8) else { return false }
    offset += sign.utf8.count
    skipSpace()
    return true
  }

  /// Goes back to the state of an earlier copy.
  mutating func rewind(to earlier: InterfaceText) {
    offset = earlier.offset
    documentation = earlier.documentation
  }

  func error(_ expected: String) -> InterfaceSyntaxError {
    let before = bytes[..<offset]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let lineStart = (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    return InterfaceSyntaxError(line: line, column: offset - lineStart + 1, expected: expected, found: found)
  }

  /// The next word or sign, for an error message.
  private var found: String {
    guard !isAtEnd else { return "the end" }
    let end = bytes[offset...].firstIndex { !Self.isNamePart($0) } ?? bytes.count
    return "\"\(String(decoding: bytes[offset..<max(end, offset + 1)], as: UTF8.self))\""
  }

  static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Skips white space and comments. A blank line ends a block of comments, and a comment behind other text on its line
  /// documents nothing.
  private mutating func skipSpace() {
    documentation = ""
    var lines: [String] = []
    var newlines = offset == 0 ? 1 : 0
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\n"):
        newlines += 1
        offset += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
      case UInt8(ascii: "#"):
        if newlines > 1 { lines = [] }
        let line = comment()
        if newlines > 0 { lines.append(line) }
        newlines = 0
      default:
        documentation = lines.joined(separator: "\n")
        return
      }
    }
  }

  /// Takes a comment; returns it without the sign, the blank after it, and the line break.
  private mutating func comment() -> String {
    let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    var text = bytes[offset + 1..<end]
    if text.first == UInt8(ascii: " ") { text.removeFirst() }
    while let last = text.last, [0x20, 0x09, 0x0D].contains(last) { text.removeLast() }
    offset = end
    return String(decoding: text, as: UTF8.self)
  }
}
