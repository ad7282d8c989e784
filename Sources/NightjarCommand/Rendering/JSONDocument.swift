import FoundationEssentials

/// A value as JSON text that may be shown on any terminal and read by any program.
///
/// Keys are sorted, what is nil is left out, and every character that a terminal would act on is written as `\u001b`.
enum JSONDocument {
  /// A document over several lines, for people and programs.
  static func pretty(_ value: some Encodable) throws -> String {
    let text = try bytes(of: value, formatting: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return escaped((value as? any LongDocument)?.completed(text) ?? text)
  }

  /// A document on one line, for streams of them.
  static func line(_ value: some Encodable) throws -> String {
    escaped(try bytes(of: value, formatting: [.sortedKeys, .withoutEscapingSlashes]))
  }

  /// A text as it stands in a document, before what a terminal would act on is escaped.
  static func word(_ text: String) throws -> String {
    String(decoding: try bytes(of: text, formatting: .withoutEscapingSlashes), as: UTF8.self)
  }

  /// A number that is finite, as it stands in a document.
  static func word(_ number: Double) -> String {
    let word = number.description
    return word.hasSuffix(".0") ? String(word.dropLast(2)) : word
  }

  private static func bytes(of value: some Encodable, formatting: JSONEncoder.OutputFormatting) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    return [UInt8](try encoder.encode(value))
  }

  /// Outside of strings JSON holds only printable ASCII and line breaks, so what else there is may be escaped blindly.
  private static func escaped(_ bytes: [UInt8]) -> String {
    let json = String(decoding: bytes, as: UTF8.self)
    // Mostly all of it is printable ASCII, and a long text is not put together anew for that.
    guard bytes.contains(where: { !(0x20..<0x7F).contains($0) && $0 != 0x0A }) else { return json }
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

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
