import ArgumentParser
import NightjarClient
import NightjarWire

/// `nightjar history`.
struct HistoryCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Tell what has happened to an app: why it was launched, frozen, woken and ended, and when.",
    discussion: """
      The oldest comes first. The history outlives the app's processes, the daemon and a restart of the machine; the app's \
      log has the same sentences among what the app wrote. Times are in UTC, as the clock stood then.
      """)
  @OptionGroup var common: CommonOptions
  @Option(name: [.customShort("n"), .long], help: "Only the last records; 100 unless given.") var lines: Int?
  @Argument(help: "The app's identifier.") var app: AppName

  func validate() throws {
    try app.check()
    if let lines, lines < 1 { throw ValidationError("--lines is \(lines); it must be 1 or more.") }
  }

  func run(in context: Context) async throws {
    let reply = try await context.connect().call(
      ControlInterface.ListRecords.self, .init(app: app.text, limit: lines.map { Int64($0) }))
    let lines = context.lines(of: Self.table(reply.records), ifEmpty: "Nothing has happened to \(app.text) yet.")
    try context.show(reply, orLines: lines)
  }

  static func table(_ records: [ControlInterface.Record]) -> Table {
    var table = Table([.init(heading: "WHEN"), .init(heading: "WHAT"), .init(heading: "IT", mayMoveBelow: true)])
    for record in records {
      let when = CalendarTime.words(ofNanoseconds: record.at * 1_000_000)
      table.append([Table.Cell(when, .faint), Table.Cell(record.kind), Table.Cell(record.sentence)])
    }
    return table
  }
}
