import ArgumentParser
import NightjarClient
import NightjarWire

/// `nightjar habits`.
struct HabitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "habits",
    abstract: "What was learned of when apps are used, by which they are refreshed in time: show it, or forget it.",
    subcommands: [Show.self, Forget.self], defaultSubcommand: Show.self)
}

extension HabitsCommand {
  /// `nightjar habits show`.
  struct Show: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the learned day of each app, hour by hour; it never leaves this device.",
      discussion: """
        Each character is an hour, as dark as the app is likely to be used in its likelier half: the darkest is a chance \
        of one in four, or the app's best if that is better. Each day begins at midnight; --json has every half hour.
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "Only this app.", completion: CompleteCommand.Words.apps.kind) var app: AppName?

    func validate() throws { try app?.check() }

    func run(in context: Context) async throws {
      let reply = try await context.connect().call(ControlInterface.ShowHabits.self, .init(app: app?.text))
      let bytes = reply.bytes + reply.apps.reduce(0) { $0 + $1.bytes }
      let rest = ["\(bytes) bytes are remembered, \(reply.bytes) of them of the day as a whole."]
      let lines = context.lines(of: Self.table(reply.apps), ifEmpty: "Nothing was learned yet.")
      let isYoung = reply.apps.contains { $0.launches < Self.visitsMin }
      try context.show(reply, orLines: lines + (isYoung ? [Self.caution] : []) + rest)
    }

    /// With fewer visits, what is shown is mostly what is assumed of an app of which nothing is known.
    private static let visitsMin = 10
    private static let caution = "With fewer than \(visitsMin) visits, a day is mostly assumed and hardly learned."
    /// The chance that is drawn darkest, unless the app has a better one: a low one is not to look like a habit.
    private static let darkest = 0.25

    static func table(_ apps: [ControlInterface.AppHabits]) -> Table {
      var table = Table([
        .init(heading: "APP", columnsMax: 40), .init(heading: "DAY"), .init(heading: "0  3  6  9  12 15 18 21"),
        .init(heading: "VISITS", side: .right), .init(heading: "SOON", side: .right),
      ])
      for app in apps {
        let most = max((app.weekday + app.weekend).max() ?? 0, darkest)
        let soon = "\(Int((app.probability * 100).rounded())) %"
        table.append([
          Table.Cell(app.app), Table.Cell("weekday"), Table.Cell(Self.bars(app.weekday, most: most)),
          Table.Cell("\(app.launches)"), Table.Cell(soon),
        ])
        table.append([
          Table.Cell(""), Table.Cell("weekend"), Table.Cell(Self.bars(app.weekend, most: most)), Table.Cell(""),
          Table.Cell(""),
        ])
      }
      return table
    }

    /// A day as 24 characters, each for the likelier half of an hour.
    static func bars(_ day: [Double], most: Double) -> String {
      let signs: [Character] = [".", ":", "-", "=", "+", "*", "#", "@"]
      return String(
        stride(from: 0, to: day.count - 1, by: 2).map { half in
          let share = max(day[half], day[half + 1]) / most
          return share.isFinite && share > 0.02 ? signs[min(Int(share * 8), 7)] : " "
        })
    }
  }

  /// `nightjar habits forget`.
  struct Forget: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "forget", abstract: "Forget what was learned of an app, or of all apps and the day as a whole.")
    @OptionGroup var common: CommonOptions
    @Argument(help: "Only this app.", completion: CompleteCommand.Words.apps.kind) var app: AppName?

    func validate() throws { try app?.check() }

    func run(in context: Context) async throws {
      _ = try await context.connect().call(ControlInterface.ForgetHabits.self, .init(app: app?.text))
      let what = app.map { "what was learned of \($0.text)" } ?? "all that was learned"
      try context.show(["forgotten": app?.text], orLines: ["Forgot \(what)."])
    }
  }
}
