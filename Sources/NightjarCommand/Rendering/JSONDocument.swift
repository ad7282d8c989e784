import FoundationEssentials
import NightjarModel

/// A value as JSON text that may be shown on any terminal and read by any program.
///
/// Keys are sorted, what is nil is left out unless its type writes null, and every character that a terminal would act
/// on is written as `\u001b`.
enum JSONDocument {
  /// A document over several lines, for people and programs.
  static func pretty(_ value: some Encodable) throws -> String {
    try text(of: value, formatting: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  /// A document on one line, for streams of them.
  static func line(_ value: some Encodable) throws -> String {
    try text(of: value, formatting: [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func text(of value: some Encodable, formatting: JSONEncoder.OutputFormatting) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    let data = try encoder.encode(value)
    let json = String(decoding: data, as: UTF8.self)
    // Usually everything is printable ASCII, and the text is returned without a copy.
    let isPlain = data.withUnsafeBytes { $0.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A } }
    return isPlain ? json : escaped(json)
  }

  /// Outside of strings JSON contains only printable ASCII and line breaks, so everything else can be escaped blindly.
  private static func escaped(_ json: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
      if scalar.isActedOn, scalar != "\n" {
        for unit in String(scalar).utf16 { text.append(contentsOf: escape(unit).unicodeScalars) }
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }

  static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
