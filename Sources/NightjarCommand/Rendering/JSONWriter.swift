import NightjarModel

/// Writes a long document straight as bytes: the same that ``JSONDocument/pretty(_:)`` makes of a tree of all its
/// values, in less than half of the time.
///
/// Keys come out in the order in which they are written: the caller writes them in the order of their letters.
struct JSONWriter {
  private var bytes: [UInt8] = []
  /// A new line with the indentation of what is in the innermost object or list.
  private var margin = "\n"
  /// Whether the innermost object or list has nothing in it yet.
  private var isEmpty = true

  /// The text of a document with these fields.
  static func text(_ fields: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.object(fields)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// A field that is an object with fields of its own.
  mutating func object(_ key: String, _ fields: (inout JSONWriter) -> Void) {
    begin(key)
    object(fields)
  }

  /// A field that is a list of objects, each with the fields of one element.
  mutating func list<Element>(
    _ key: String, of elements: some Sequence<Element>, _ fields: (inout JSONWriter, Element) -> Void
  ) {
    begin(key)
    nest("[", "]") { writer in
      for element in elements {
        writer.beginValue()
        writer.object { fields(&$0, element) }
      }
      if writer.isEmpty { writer.write("\n") }  // Foundation leaves a line for what is not there.
    }
  }

  mutating func field(_ key: String, _ number: some BinaryInteger) {
    begin(key)
    write(String(number))
  }

  mutating func field(_ key: String, _ isSo: Bool) {
    begin(key)
    write(isSo ? "true" : "false")
  }

  /// A number, written as shortly as it can be read back; nil is left out.
  mutating func field(_ key: String, _ number: Double?) {
    guard let number else { return }
    precondition(number.isFinite, "JSON has no number \(number)")
    begin(key)
    let digits = number.description
    write(digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits)
  }

  mutating func field(_ key: String, _ text: String) {
    begin(key)
    write("\"")
    write(text.utf8.allSatisfy(Self.isPlain) ? text : Self.escaped(text))
    write("\"")
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "\"", "\\": escaped += "\\\(scalar)"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      case "\u{8}": escaped += "\\b"
      case "\u{c}": escaped += "\\f"
      case _ where scalar.isActedOn: for unit in String(scalar).utf16 { escaped += JSONDocument.escape(unit) }
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }

  // MARK: Layout

  private mutating func object(_ fields: (inout JSONWriter) -> Void) { nest("{", "}", fields) }

  private mutating func nest(_ opening: String, _ closing: String, _ contents: (inout JSONWriter) -> Void) {
    let outer = margin
    write(opening)
    (margin, isEmpty) = (outer + "  ", true)
    contents(&self)
    (margin, isEmpty) = (outer, false)
    write(margin)
    write(closing)
  }

  private mutating func begin(_ key: String) {
    beginValue()
    write("\"")
    write(key)
    write("\" : ")
  }

  private mutating func beginValue() {
    if !isEmpty { write(",") }
    isEmpty = false
    write(margin)
  }

  private mutating func write(_ text: String) {
    var text = text  // So that its bytes are contiguous.
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }
}
