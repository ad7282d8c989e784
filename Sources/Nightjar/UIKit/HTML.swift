/// A piece of HTML. Interpolated values are escaped and appear as text; another piece of HTML is inserted as markup.
///
/// ```swift
/// let row: HTML = "<li class='\(kind)'>\(userInput)</li>"
/// let list: HTML = "<ul>\(rows)</ul>"  // rows: [HTML]
/// ```
///
/// Put attribute values in quotes, and interpolate no text inside `<script>` and `<style>`.
public struct HTML: Hashable, Sendable {
  /// The markup.
  public let markup: String

  /// Creates HTML from markup, without escaping. Never pass what people or servers have written.
  public init(markup: String) { self.markup = markup }

  /// Creates HTML from text, and escapes the characters that have a meaning in HTML.
  public init(text: String) {
    var markup = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": markup += "&amp;"
      case "<": markup += "&lt;"
      case ">": markup += "&gt;"
      case "\"": markup += "&quot;"
      case "'": markup += "&#39;"
      default: markup.unicodeScalars.append(character)
      }
    }
    self.markup = markup
  }
}

extension HTML: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self.init(markup: value) }
  public init(stringInterpolation: StringInterpolation) { self.init(markup: stringInterpolation.markup) }

  /// Gathers literal markup and interpolated text.
  public struct StringInterpolation: StringInterpolationProtocol {
    var markup = ""

    public init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    public mutating func appendLiteral(_ literal: String) { markup += literal }
    /// Inserts HTML as markup.
    public mutating func appendInterpolation(_ html: HTML) { markup += html.markup }
    /// Inserts pieces of HTML, one after the other.
    public mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { markup += piece.markup } }
    /// Inserts any other value as text.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      markup += HTML(text: value.description).markup
    }
  }
}
