import NightjarModel
import NightjarWire

// Describes a transfer in words, for tables, bars and lines. Everything is escaped where it is shown.
extension ControlInterface.Transfer {
  /// Its name for people: its label, its file, or its address.
  var shortName: String {
    if !label.isEmpty { return label }
    if let name = destination?.split(ascii: "/").last { return String(name) }
    if direction == .upload, let name = file?.split(ascii: "/").last { return String(name) }
    return FileName(url: url)?.text ?? url
  }

  /// Its state and, if it waits, for what.
  var stateInWords: String { "\(state)\(reason)" }

  private var reason: String { verdict.isEmpty || state == .running ? "" : ": \(verdict)" }

  /// Its progress: `12%`, or the bytes if the whole length is unknown.
  var progress: String {
    guard let expected, expected > 0 else { return count > 0 ? "\(ByteCount(count))" : "-" }
    return "\(Int(min(max(Double(count) / Double(expected), 0), 1) * 100))%"
  }

  /// Its whole length, if that is known.
  var size: String { expected.map { "\(ByteCount($0))" } ?? (state == .succeeded ? "\(ByteCount(count))" : "-") }

  /// Whether it succeeded, and the server has done what it was asked for.
  var isGood: Bool { state == .succeeded && (200...299).contains(status ?? 200) }

  /// The line that says that it was queued.
  var startLine: String {
    switch direction {
    case .download: line("Transfer \(id): downloading \(url)\(destination.map { " to \($0)" } ?? "")")
    case .upload: line("Transfer \(id): uploading \(file ?? shortName) to \(url)")
    }
  }

  /// The line that says how it ended.
  var endLine: String {
    if isGood {
      let place = (direction == .download ? destination ?? file : url).map { " to \($0)" } ?? ""
      return line("Transfer \(id): succeeded, \(shortName), \(ByteCount(count))\(place)")
    }
    return line("Transfer \(id): failed, \(shortName): \(trouble)")
  }

  /// The line that says what state it is in.
  var stateLine: String { line("Transfer \(id): \(state), \(shortName)\(reason)") }

  /// Whether it has begun and stands still, so that a person may have to act.
  var isHeldUp: Bool {
    switch state {
    case .waiting, .asking, .suspended: true
    case .delivering: failure != nil
    case .queued, .running, .succeeded, .failed: false
    }
  }

  private var trouble: String {
    if let failure { return "\(failure.detail) (\(failure.code))\(place(ofWords: answer))" }
    if state == .succeeded, let status {
      return "the server answered \(status)\(place(ofWords: destination))"
    }
    return verdict.isEmpty ? "the daemon does not say why" : verdict
  }

  private func place(ofWords path: String?) -> String { path.map { "; what the server sent is in \($0)" } ?? "" }

  private func line(_ text: String) -> String { DisplayText(text).description }
}

extension ControlInterface.Transfer.State {
  /// Its style in a table.
  var style: Style {
    switch self {
    case .succeeded: .good
    case .failed: .bad
    case .waiting, .asking, .suspended: .pending
    case .queued, .running, .delivering: .plain
    }
  }
}
