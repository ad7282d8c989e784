import ArgumentParser
import NightjarClient
import NightjarWire

/// `nightjar transfers`.
struct TransfersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfers", abstract: "List, watch, pause, resume and cancel transfers.",
    subcommands: [List.self, Show.self, Watch.self, Pause.self, Resume.self, Cancel.self], defaultSubcommand: List.self)
}

extension TransfersCommand {
  /// `nightjar transfers list`.
  struct List: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the transfers that have not succeeded yet.")
    @OptionGroup var common: CommonOptions
    @Option(help: ArgumentHelp("Only those of one app.", valueName: "identifier")) var app: AppName?
    @Flag(help: "Those that have succeeded, too.") var all = false

    func validate() throws { try app?.check() }

    func run(in context: Context) async throws {
      let every = try await Self.every(of: app?.text, over: context.connect())
      let shown = all ? every : every.filter { $0.state != .succeeded }
      let hidden = every.count - shown.count
      let rest = hidden > 0 ? ["\(hidden) more succeeded; --all lists them."] : []
      try context.show(
        ["transfers": shown], orLines: context.lines(of: Self.table(shown), ifEmpty: "No transfers.") + rest)
    }

    /// All pages of the list.
    static func every(of app: String?, over connection: DaemonConnection) async throws -> [ControlInterface.Transfer] {
      var transfers: [ControlInterface.Transfer] = []
      while true {
        let page = try await connection.call(
          ControlInterface.ListTransfers.self, .init(app: app, after: transfers.last?.id))
        transfers += page.transfers
        if page.complete || page.transfers.isEmpty { return transfers }
      }
    }

    static func table(_ transfers: [ControlInterface.Transfer]) -> Table {
      var table = Table([
        .init(heading: "ID", side: .right), .init(heading: "STATE"), .init(heading: "DONE", side: .right),
        .init(heading: "SIZE", side: .right), .init(heading: "APP", columnsMax: 30),
        .init(heading: "NAME", columnsMax: 36), .init(heading: "WHY", mayMoveBelow: true),
      ])
      for transfer in transfers {
        table.append([
          Table.Cell("\(transfer.id)"), Table.Cell(transfer.state.rawValue, transfer.state.style),
          Table.Cell(transfer.progress),
          Table.Cell(transfer.size), Table.Cell(transfer.app), Table.Cell(transfer.shortName),
          Table.Cell(why(transfer)),
        ])
      }
      return table
    }

    /// What failed says most, except of a transfer that waits for no other attempt but for somebody to resume it.
    private static func why(_ transfer: ControlInterface.Transfer) -> String {
      guard transfer.state != .suspended, let failure = transfer.failure else { return transfer.verdict }
      return failure.detail
    }
  }

  /// `nightjar transfers show`.
  struct Show: DaemonCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Tell all about one transfer.")
    @OptionGroup var common: CommonOptions
    @Argument(help: "The transfer's number.") var transfer: TransferNumber

    func validate() throws { try transfer.check() }

    func run(in context: Context) async throws {
      let reply = try await context.connect().call(ControlInterface.ShowTransfer.self, .init(id: transfer.id))
      try context.show(reply, orLines: Self.lines(reply.transfer))
    }

    static func lines(_ transfer: ControlInterface.Transfer) -> [String] {
      let whole = transfer.expected.map { " of \(ByteCount($0))" } ?? ""
      let facts: [(String, String?)] = [
        ("transfer", transfer.id.description), ("state", transfer.state.rawValue), ("why", transfer.verdict),
        ("failure", transfer.failure.map { "\($0.detail) (\($0.code))" }), ("direction", transfer.direction.rawValue),
        ("url", transfer.url), ("label", transfer.label.isEmpty ? nil : transfer.label),
        ("moved", "\(ByteCount(transfer.count))\(whole)"),
        ("attempts", transfer.attempts.description), ("status", transfer.status?.description), ("app", transfer.app),
        ("session", transfer.session), ("task", transfer.task?.description),
        ("destination", transfer.destination), ("file", transfer.file), ("answer", transfer.answer),
        ("priority", transfer.priority.flatMap { $0 == 0.5 ? nil : "\($0)" }),
        ("needs", transfer.options?.needs), ("not before", transfer.options?.earliestBegin.map(CalendarTime.words)),
        ("rate", transfer.options?.bytesPerSecondMax.map { "at most \(ByteCount($0))/s" }),
        ("checksum", transfer.options?.checksum),
      ]
      return FactSheet.lines(facts.compactMap { name, text in text.map { (name, $0) } })
    }
  }
}
