import Glibc

/// Where the run is shown: drawn anew in place on a terminal, line after line elsewhere.
@MainActor
final class Screen {
  let isTerminal: Bool
  private let hasColour: Bool
  private let clock = ContinuousClock()
  private var drawn: ContinuousClock.Instant?
  private var isOpen = false
  private var eventsWritten = 0
  private var linesEvery = Duration.seconds(2)

  init(environment: [String: String]) {
    let kind = environment["TERM"] ?? "dumb"
    isTerminal = isatty(STDOUT_FILENO) == 1 && kind != "dumb" && !kind.isEmpty
    hasColour = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// Shows how things are, ten times a second at the most unless it is important.
  func draw(_ play: Play, isImportant: Bool = false) {
    let pause = isTerminal ? .milliseconds(100) : linesEvery
    if !isTerminal { writeEvents(of: play) }
    if !isImportant, let drawn, clock.now - drawn < pause { return }
    if !isTerminal, isImportant || play.story.events.isEmpty { return }
    drawn = clock.now
    isTerminal ? redraw(play) : write(Picture(play: play, columns: .max).progress + "\n")
  }

  /// Shows what stays, in place of what was drawn.
  func finish(_ play: Play, _ checks: [Check]) {
    close()
    let picture = Picture(play: play, columns: isTerminal ? size.columns : .max)
    for line in picture.final(checks, withEvents: isTerminal) { write(coloured(line) + "\n") }
  }

  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Gives the terminal back as it was.
  func close() {
    guard isOpen else { return }
    isOpen = false
    write("\u{1b}[?25h\u{1b}[?1049l")
  }

  private func writeEvents(of play: Play) {
    for event in play.story.events.dropFirst(eventsWritten) {
      write("\(moment(event.at))  \(event.text)\n")
    }
    eventsWritten = play.story.events.count
  }

  private func redraw(_ play: Play) {
    if !isOpen { write("\u{1b}[?1049h\u{1b}[?25l") }
    isOpen = true
    let (columns, rows) = size
    let lines = Picture(play: play, columns: columns).live(rows: rows)
    write("\u{1b}[H" + lines.map { "\($0)\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J")
  }

  private func coloured(_ line: String) -> String {
    guard hasColour, let mark = line.first, mark == "✓" || mark == "✗" else { return line }
    return "\u{1b}[\(mark == "✓" ? 32 : 31)m\(mark)\u{1b}[0m" + line.dropFirst()
  }

  private var size: (columns: Int, rows: Int) {
    var window = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(window.ws_col), Int(window.ws_row))
  }
}
