import NightjarModel

/// Text from others (URLs, labels, error details), escaped for a terminal.
///
/// Characters that would move the cursor, colour the screen, change the writing direction or begin a new line are shown
/// as `\u{1b}`.
struct DisplayText: Hashable, Sendable, CustomStringConvertible {
  /// The text without anything that a terminal would act on.
  let description: String

  /// Escapes what has to be escaped.
  init(_ raw: some StringProtocol) { description = String(escaping: raw) }

  /// Escapes what has to be escaped, except tabs, which an app's log contains.
  init(logLine raw: some StringProtocol) { description = String(escaping: raw) { $0 == "\t" } }

  /// Escapes what has to be escaped, except line feeds, which our own text around text from others contains.
  init(lines raw: some StringProtocol) { description = String(escaping: raw) { $0 == "\n" } }

  /// The number of terminal columns it takes.
  var width: Int { description.reduce(0) { $0 + $1.columns } }

  /// The text within a number of columns: what does not fit is cut off at the end and marked with `…`.
  func truncated(to columns: Int) -> String {
    guard width > columns else { return description }
    return columns < 1 ? "" : Self.head(of: description, columns: columns - 1) + "…"
  }

  /// The same, cut in the middle, for names whose end matters as much as their beginning.
  func shortened(to columns: Int) -> String {
    guard width > columns, columns > 4 else { return truncated(to: columns) }
    let tail = String(Self.head(of: String(description.reversed()), columns: (columns - 1) / 2).reversed())
    let tailColumns = tail.reduce(0) { $0 + $1.columns }
    return Self.head(of: description, columns: columns - 1 - tailColumns) + "…" + tail
  }

  /// The whole text in lines of at most `columns`, broken between words; a wider word is broken where its line is full.
  func wrapped(to columns: Int) -> [String] {
    var lines: [String] = []
    for word in description.split(separator: " ") {
      if let line = lines.last, Self.columns(of: line) + 1 + Self.columns(of: word) <= columns {
        lines[lines.count - 1] = "\(line) \(word)"
      } else {
        lines += Self.pieces(of: word, columns: columns)
      }
    }
    return lines
  }

  private static func pieces(of word: Substring, columns: Int) -> [String] {
    var (pieces, rest) = ([String](), String(word))
    while !rest.isEmpty {
      let fitting = head(of: rest, columns: columns)
      let piece = fitting.isEmpty ? String(rest.prefix(1)) : fitting  // A wide character in a single column.
      pieces.append(piece)
      rest.removeFirst(piece.count)
    }
    return pieces
  }

  private static func columns(of text: some StringProtocol) -> Int { text.reduce(0) { $0 + $1.columns } }

  private static func head(of text: String, columns: Int) -> String {
    var (left, head) = (columns, "")
    for character in text {
      left -= character.columns
      if left < 0 { break }
      head.append(character)
    }
    return head
  }
}
