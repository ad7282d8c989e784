/// The manual page of a program with commands, in man(7)'s language.
struct ManualPage: Sendable {
  /// A command, as ArgumentParser describes it.
  struct Command: Decodable, Sendable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var shouldDisplay: Bool?
    var subcommands: [Command]?
    var arguments: [Argument]?
  }

  /// An argument, an option or a flag.
  struct Argument: Decodable, Sendable {
    struct Name: Decodable, Sendable {
      var kind: String
      var name: String

      var text: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: String
    var isOptional: Bool
    var isRepeating: Bool
    var shouldDisplay: Bool
    var names: [Name]?
    var valueName: String?
    var abstract: String?
    var defaultValue: String?
    var parsingStrategy: String?
  }

  private let root: Command

  init(_ root: Command) { self.root = root }

  /// The page, line by line.
  var lines: [String] {
    let names = root.commandName
    var lines = [".TH \(names.uppercased()) 1 \"\" \"Nightjar \(Version.current)\" \"Nightjar\"", ".SH NAME"]
    lines.append("\(names) \\- \(Self.escaped(root.abstract ?? "").uncapitalised)")
    lines += [".SH SYNOPSIS", ".B \(names)", ".I command", "[\\fIoptions\\fR] [\\fIarguments\\fR]", ".SH DESCRIPTION"]
    lines += Self.paragraphs(root.discussion)
    lines += [".SH OPTIONS", "Every command takes these."] + Self.options(common)
    lines.append(".SH COMMANDS")
    lines += commands(of: root, path: names)
    lines += [".SH FILES"] + Self.files + [".SH SEE ALSO", ".BR nightjard (8)"]
    return lines
  }

  /// The options of every command, which are listed once.
  private var common: [Argument] { Self.shown(root) }

  private static func shown(_ command: Command) -> [Argument] { (command.arguments ?? []).filter(\.shouldDisplay) }

  private func commands(of command: Command, path: String) -> [String] {
    (command.subcommands ?? []).filter { $0.shouldDisplay ?? true && $0.commandName != "help" }
      .flatMap { section($0, path: "\(path) \($0.commandName)") }
  }

  private func section(_ command: Command, path: String) -> [String] {
    let everywhere = Set(common.flatMap { $0.names ?? [] }.map(\.text))
    let own = Self.shown(command).filter { argument in
      !(argument.names ?? []).contains { everywhere.contains($0.text) }
    }
    let words = own.filter { $0.kind == "positional" }.map(Self.synopsis)
    var lines = [
      ".SS \"\(Self.escaped(([path] + words).joined(separator: " ")))\"", Self.escaped(command.abstract ?? ""),
    ]
    if command.discussion != nil { lines += [".PP"] + Self.paragraphs(command.discussion) }
    lines += Self.options(own)
    return lines + commands(of: command, path: path)
  }

  private static func synopsis(_ argument: Argument) -> String {
    let name = "\(argument.valueName ?? "value")\(argument.isRepeating ? "..." : "")"
    let word = argument.parsingStrategy == "postTerminator" ? "-- \(name)" : name
    return argument.isOptional ? "[\(word)]" : word
  }

  private static func options(_ arguments: [Argument]) -> [String] {
    arguments.flatMap { argument in
      var head = (argument.names ?? []).map { "\\fB\(escaped($0.text))\\fR" }.joined(separator: ", ")
      if argument.kind != "flag" {
        head += (head.isEmpty ? "" : " ") + "\\fI\(escaped(argument.valueName ?? "value"))\\fR"
      }
      var text = escaped(argument.abstract ?? "")
      if let value = argument.defaultValue, argument.kind == "option" { text += " Default: \(escaped(value))." }
      return [".TP", head, text]
    }
  }

  /// The text of a discussion: indented lines are kept as they are, others flow.
  private static func paragraphs(_ text: String?) -> [String] {
    var (lines, isFlowing) = ([String](), true)
    for line in (text ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
      let flows = !line.hasPrefix("  ")
      if flows != isFlowing { lines.append(flows ? ".fi" : ".nf") }
      isFlowing = flows
      lines.append(line.isEmpty ? ".PP" : escaped(String(line)))
    }
    return isFlowing ? lines : lines + [".fi"]
  }

  private static let files = [
    ".TP", "\\fI~/.local/share/nightjar\\fR", "Apps, their containers, and staged files.", ".TP",
    "\\fI~/.local/state/nightjar\\fR", "The database, the logs, and the daemon's settings in \\fInightjard.json\\fR.",
    ".TP",
    "\\fI$XDG_RUNTIME_DIR/nightjar/nightjar.sock\\fR", "The daemon's socket.",
  ]

  /// Text escaped for roff(7).
  private static func escaped(_ text: String) -> String {
    let safe = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
      .replacing("…", with: "...")
    return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
  }
}

extension String {
  fileprivate var uncapitalised: String { prefix(1).lowercased() + dropFirst() }
}
