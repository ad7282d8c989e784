import Foundation
import Nightjar
import NightjarTerminal

/// The screen of a terminal as a view, with a line to type in.
final class TerminalScreen: HTMLViewController {
  private var terminal = Terminal()
  private var line: Pseudoterminal?

  /// Starts the program.
  func run(_ program: HostedProgram) throws {
    let line = try Pseudoterminal(program, columns: terminal.columns, rows: terminal.rows)
    self.line = line
    line.listen { [weak self] data in
      self?.hear(data)
    } end: { status in
      print("\(program.command[0]) has ended with status \(status).")
      exit(status)
    }
  }

  private func hear(_ data: Data) {
    line?.send(terminal.take(data))
    setNeedsDisplay()
  }

  override func perform(_ action: String, fields: [String: String]) {
    switch action {
    case "type": line?.send(Array((fields["text"] ?? "").utf8) + [0x0D])
    case "insert": line?.send(Array((fields["text"] ?? "").utf8))
    default: Key(rawValue: action).map { line?.send($0.bytes(isApplication: terminal.hasApplicationKeys)) }
    }
  }

  override func html() -> HTML {
    """
    <style>\(Self.style)</style>
    <pre aria-label='Terminal'>\n\(rows)</pre>
    <form data-action='type'><input name='text' aria-label='Type' autocomplete='off' autocapitalize='off'
    spellcheck='false'><button>Enter</button></form>
    <nav>\(Key.allCases.map { "<button data-action='\($0.rawValue)'>\($0.label)</button>" as HTML })</nav>
    """
  }

  private var rows: [HTML] {
    let cursor = terminal.cursorPlace
    return terminal.cells.enumerated().map { row, cells in
      "\(Run.runs(of: cells, cursor: cursor?.row == row ? cursor?.column : nil).map(\.html))\n"
    }
  }

  private static let style = HTML(
    markup: """
      body{margin:0;background:#16161a;color:#e6e6e6;font:14px ui-monospace,monospace}
      pre{margin:0;padding:8px;line-height:1.25;overflow-x:auto}
      form,nav{display:flex;gap:6px;padding:4px 8px;flex-wrap:wrap}input{flex:1;min-width:0;font:inherit;padding:6px}
      input,button{border:1px solid #48484a;border-radius:6px;background:#2c2c2e;color:inherit}
      button{font:inherit;padding:6px 10px}
      .c{background:#e6e6e6;color:#16161a}.b{font-weight:700}.f{opacity:.6}.i{font-style:italic}.u{text-decoration:underline}
      .s{text-decoration:line-through}.h{visibility:hidden}
      """)
}

/// A key that has no character.
private enum Key: String, CaseIterable {
  case tab, escape, up, down, left, right, interrupt, end, backspace

  var label: String {
    switch self {
    case .tab: "Tab"
    case .escape: "Esc"
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .interrupt: "Ctrl-C"
    case .end: "Ctrl-D"
    case .backspace: "⌫"
    }
  }

  func bytes(isApplication: Bool) -> [UInt8] {
    switch self {
    case .tab: [0x09]
    case .escape: [0x1B]
    case .up: arrow("A", isApplication)
    case .down: arrow("B", isApplication)
    case .right: arrow("C", isApplication)
    case .left: arrow("D", isApplication)
    case .interrupt: [0x03]
    case .end: [0x04]
    case .backspace: [0x7F]
    }
  }

  private func arrow(_ letter: Character, _ isApplication: Bool) -> [UInt8] {
    Array("\u{1B}\(isApplication ? "O" : "[")\(letter)".utf8)
  }
}
