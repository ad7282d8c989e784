import ArgumentParser
import NightjarClient
import NightjarWire

/// `nightjar log`.
struct LogCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Print what an app has written to its standard output and error.",
    discussion: """
      On a terminal control characters are shown, not acted on. With --json every line is one {"line": …}.
      There a line of more than 16 MiB is several, and all but the last of them say "continues": true.
      What is older than the last rotation lies beside the log, with .1 added to its name.
      What the daemon did with the app stands among it, and by itself in `nightjar history`.
      """)
  @OptionGroup var common: CommonOptions
  @Flag(name: [.short, .long], help: "Go on with what it writes from now on, until Ctrl-C.") var follow = false
  @Option(name: [.customShort("n"), .long], help: "Only the last lines; with --follow 10, else all.") var lines: Int?
  @Argument(help: "The app's identifier.") var app: AppName

  func validate() throws {
    try app.check()
    if let lines, lines < 0 { throw ValidationError("--lines is \(lines); it must be 0 or more.") }
  }

  func run(in context: Context) async throws {
    let path = try await context.connect().call(ControlInterface.LogPath.self, .init(app: app.text)).path
    if follow { return try await printOn(path, context) }
    var file = GrowingFile(path)
    try file.open(atLastLines: lines)
    guard file.exists else { return context.notice("\(app.text) has written nothing yet.") }
    var cutter = context.logCutter
    try file.readOn { context.printLog(cutter.pieces(after: $0)) }
    context.printLog(cutter.last())
  }

  private func printOn(_ path: String, _ context: Context) async throws {
    let watch = try FolderWatch(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    _ = try await context.surroundings.untilInterrupted {
      var file = GrowingFile(path)
      var cutter = context.logCutter
      try file.open(atLastLines: lines ?? 10)
      try file.readOn { context.printLog(cutter.pieces(after: $0)) }
      try context.console.checkOutput()
      for await _ in watch.changes {
        try file.readOn { context.printLog(cutter.pieces(after: $0)) }
        try context.console.checkOutput()
      }
    }
    throw CommandError.silent(.interrupted)
  }
}

extension Context {
  /// Cuts an app's log for ``printLog(_:)``: JSON documents need whole lines, text does not.
  var logCutter: LineCutter { LineCutter(bytesMax: wantsJSON ? 16_777_216 : 65_536) }

  /// Prints pieces of an app's log: as JSON, escaped for a terminal, or unchanged.
  func printLog(_ pieces: [LineCutter.Piece]) {
    struct Line: Encodable { var line: String, continues: Bool? }
    let output = console.output
    for piece in pieces {
      if wantsJSON, let json = try? JSONDocument.line(Line(line: piece.text, continues: piece.goesOn ? true : nil)) {
        output.line(json)
      } else {
        let text = output.isShown ? DisplayText(logLine: piece.text).description : piece.text
        output.write(piece.goesOn ? text : text + "\n")
      }
    }
  }
}
