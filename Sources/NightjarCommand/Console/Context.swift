import NightjarClient

/// What a command works with: its surroundings and the common options.
struct Context: Sendable {
  let surroundings: Surroundings
  let wantsJSON: Bool
  private let place: Result<DaemonHome, CommandError>

  init(_ surroundings: Surroundings, _ options: CommonOptions) {
    (self.surroundings, wantsJSON) = (surroundings, options.json)
    place = Result { () throws(CommandError) in try Self.place(surroundings, home: options.home) }
  }

  private static func place(_ surroundings: Surroundings, home: String?) throws(CommandError) -> DaemonHome {
    var environment = surroundings.environment
    if let socket = environment["NIGHTJAR_SOCKET"], !socket.isEmpty, !socket.hasPrefix("/") {
      environment["NIGHTJAR_SOCKET"] = try surroundings.absolute(socket)
    }
    let named = try home.map { path throws(CommandError) in try surroundings.absolute(path) }
    return try DaemonHome(option: named, environment: environment)
  }

  /// The home of the daemon.
  ///
  /// - Throws: `CommandError` if the options and the environment name none. Commands that ask no daemon need none.
  var home: DaemonHome {
    get throws(CommandError) { try place.get() }
  }

  var console: Console { surroundings.console }

  /// A connection to the running daemon. A person is told while that leaves a call unanswered, and so everybody's.
  ///
  /// - Throws: `ClientError`, with `noDaemon` if none runs; otherwise as ``home``.
  func connect() throws -> DaemonConnection {
    let home = try self.home
    let watch = SilenceWatch(pause: surroundings.time.sleep) { notice(home.words(ofSilentListener: $0)) }
    return try DaemonConnection(to: home.socket, remedy: home.remedy, silenceWatch: watch)
  }

  /// Writes a result: the document if JSON was asked for, else the lines.
  func show(_ document: some Encodable, orLines lines: @autoclosure () -> [String]) throws {
    try show(json: JSONDocument.pretty(document), orLines: lines())
  }

  /// The same for a document that is text already.
  func show(json: @autoclosure () throws -> String, orLines lines: @autoclosure () -> [String]) rethrows {
    if wantsJSON { return console.output.line(try json()) }
    for line in lines() { console.output.line(line) }
  }

  /// A text from others as lines, escaped if a terminal shows them.
  func lines(ofOthers text: String) -> [String] {
    guard console.output.isShown else { return [text] }
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { DisplayText(logLine: Substring($0)).description }
  }

  /// Writes a table, or says that there is nothing.
  func lines(of table: Table, ifEmpty: String) -> [String] {
    table.isEmpty ? [ifEmpty] : table.lines(width: console.outputColumns, hasColour: console.hasColour)
  }

  /// Tells a person something on standard error, apart from the result.
  func notice(_ text: String) { console.errors.line("nightjar: \(DisplayText(text))") }
}
