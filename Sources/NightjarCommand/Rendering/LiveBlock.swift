/// Lines at the bottom of a terminal that are drawn again and again in place. Lines must fit the terminal's width.
struct LiveBlock: Sendable {
  private var height = 0

  /// What to write to replace the block by these lines.
  mutating func redraw(_ lines: [String]) -> String {
    let start = toTop
    height = lines.count
    return start + lines.map { "\($0)\u{1b}[K\n" }.joined() + "\u{1b}[J"
  }

  /// What to write to erase the block; the next output takes its place.
  mutating func erase() -> String {
    guard height > 0 else { return "" }
    let start = toTop
    height = 0
    return start + "\u{1b}[J"
  }

  private var toTop: String { height > 0 ? "\r\u{1b}[\(height)A" : "\r" }
}
