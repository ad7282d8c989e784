import ArgumentParser
import NightjarClient
import NightjarWire

/// `nightjar switcher`.
struct SwitcherCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "switcher", abstract: "Show the apps that were used, newest first, or remove one of them.",
    subcommands: [List.self, Remove.self], defaultSubcommand: List.self)
}

extension SwitcherCommand {
  /// `nightjar switcher list`.
  struct List: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "The apps that were used, newest first.")
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws {
      let reply = try await context.connect().call(ControlInterface.ListRecents.self)
      try context.show(
        reply, orLines: context.lines(of: Self.table(reply.recents), ifEmpty: "No app is in the switcher."))
    }

    private static func table(_ recents: [ControlInterface.Recent]) -> Table {
      var table = Table([
        .init(heading: "APP", columnsMax: 40), .init(heading: "NAME", columnsMax: 24), .init(heading: "STATE"),
        .init(heading: "SNAPSHOT"),
      ])
      for recent in recents {
        let snapshot = recent.hidden ? "hidden" : recent.snapshot == nil ? "none" : "yes"
        table.append([
          Table.Cell(recent.app), Table.Cell(recent.name), Table.Cell(recent.state.rawValue), Table.Cell(snapshot),
        ])
      }
      return table
    }
  }

  /// `nightjar switcher remove`.
  struct Remove: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "End an app, cancel its transfers, and launch it for nothing until a person does.",
      discussion: """
        Its snapshot and the state that it would be restored to are removed, too. The app hears of its cancelled transfers \
        when it is launched the next time.
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "The app's identifier.") var app: AppName

    func validate() throws { try app.check() }

    func run(in context: Context) async throws {
      _ = try await context.connect().call(ControlInterface.RemoveRecent.self, .init(app: app.text))
      try context.show(["removed": app.text], orLines: ["Removed \(app.text) from the switcher."])
    }
  }
}
