/// What the app has written, by process: its delegate's calls in their order.
struct AppRecord {
  /// One line of the app: `VideoFarm[123] completed movie 0123456789abcdef task=1 error=none`.
  struct Line: Equatable {
    let process: Int32
    let words: String
  }

  private(set) var lines: [Line] = []

  /// Takes in a line; what is not the app's own is left out.
  mutating func read(_ text: String) {
    guard text.hasPrefix("VideoFarm["), let end = text.firstRange(of: "] "),
      let process = Int32(text.dropFirst("VideoFarm[".count)[..<end.lowerBound])
    else { return }
    let line = Line(process: process, words: String(text[end.upperBound...]))
    if !line.words.hasPrefix("progressed ") { lines.append(line) }
  }

  /// The lines that begin with these words, of one process or of all.
  func lines(_ beginning: String, process: Int32? = nil) -> [Line] {
    lines.filter { $0.words.hasPrefix(beginning) && (process == nil || $0.process == process) }
  }

  func has(_ beginning: String, process: Int32? = nil) -> Bool { !lines(beginning, process: process).isEmpty }

  /// The jobs (`movie ID`, `thumbnail ID`, `upload ID`) that were handed over, in their order.
  var jobs: [String] {
    lines("began ").compactMap { line in
      let words = line.words.split(separator: " ")
      return words.count > 2 ? "\(words[1]) \(words[2])" : nil
    }
  }
}
