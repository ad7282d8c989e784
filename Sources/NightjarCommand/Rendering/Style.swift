/// How a piece of text is emphasised on a terminal with colours.
enum Style: String, Sendable {
  case plain = ""
  case heading = "1"
  case good = "32"
  case bad = "31"
  case pending = "33"
  case faint = "2"

  /// The text in this style, with escape codes only where there is colour.
  func applied(to text: String, hasColour: Bool) -> String {
    hasColour && self != .plain && !text.isEmpty ? "\u{1b}[\(rawValue)m\(text)\u{1b}[0m" : text
  }
}
