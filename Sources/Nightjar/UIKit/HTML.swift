/// A piece of HTML. What is written into it by interpolation is text, and appears as it is, whatever characters are in it;
/// another piece of HTML keeps its meaning.
///
/// ```swift
/// let row: HTML = "<li class='\(kind)'>\(userInput)</li>"
/// let list: HTML = "<ul>\(rows)</ul>"  // rows: [HTML]
/// ```
///
/// Attributes have to stand in quotes, and text has no place inside `<script>` and `<style>`.
public struct HTML: Hashable, Sendable {
  /// The markup.
  public let markup: String

  /// Markup that is taken as it is: never what people or servers have written.
  public init(markup: String) { self.markup = markup }

  /// Text, with the characters that mean something in HTML replaced.
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
    /// HTML keeps its meaning.
    public mutating func appendInterpolation(_ html: HTML) { markup += html.markup }
    /// Pieces stand one after the other.
    public mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { markup += piece.markup } }
    /// Anything else is text.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      markup += HTML(text: value.description).markup
    }
  }
}
