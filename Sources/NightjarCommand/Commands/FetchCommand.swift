import ArgumentParser
import NightjarClient
import NightjarModel
import NightjarWire

/// `nightjar fetch`.
struct FetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Background fetch: how it stands with each app, fetch now, and what was decided and why.",
    subcommands: [List.self, Now.self, Log.self], defaultSubcommand: List.self)
}

extension FetchCommand {
  /// `nightjar fetch list`.
  struct List: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract:
        "List the apps that can be refreshed: their last fetch, what one is worth now, what is in the way, and when.",
      discussion: """
        An app is refreshed when its score reaches the threshold; one whose score reaches 0.45 of it joins others. None is \
        neglected for long: with content of two days it joins others, too, and with content of three days it is refreshed, \
        unless it is hardly ever used. With an app the parts of its score are shown, too. Times are in UTC.
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "Only this app, in full.", completion: CompleteCommand.Words.apps.kind) var app: AppName?

    func validate() throws { try app?.check() }

    func run(in context: Context) async throws {
      let reply = try await context.connect().call(ControlInterface.ListFetches.self, .init(app: app?.text))
      guard app != nil, let shown = reply.apps.first else {
        let lines = context.lines(of: Self.table(reply.apps), ifEmpty: "No app declares the background mode fetch.")
        return try context.show(reply, orLines: lines + Self.lines(of: reply.budget, reply.nextLook))
      }
      try context.show(reply, orLines: shown.lines)
    }

    static func table(_ apps: [ControlInterface.AppFetches]) -> Table {
      var table = Table([
        .init(heading: "APP", columnsMax: 40), .init(heading: "LAST"), .init(heading: "OUTCOME"),
        .init(heading: "SCORE", side: .right), .init(heading: "THRESHOLD", side: .right), .init(heading: "LIKELY"),
        .init(heading: "FETCHES", side: .right), .init(heading: "WHY NOT", mayMoveBelow: true),
      ])
      for app in apps {
        table.append([
          Table.Cell(app.app), Table.Cell(app.underWay ? "now" : app.lastBegin.map(words) ?? "-", .faint),
          Table.Cell(app.underWay ? "under way" : app.lastInWords ?? "-"),
          Table.Cell(app.score.map { $0.score.short } ?? "-"),
          Table.Cell(app.score.map { $0.threshold.short } ?? "-"),
          Table.Cell(app.nextWindow.map(words) ?? "-"), Table.Cell("\(app.count)"),
          Table.Cell(app.whyNot ?? "-"),
        ])
      }
      return table
    }

    private static func lines(of budget: ControlInterface.FetchBudget, _ nextLook: Int64?) -> [String] {
      let look = nextLook.map { "The daemon decides anew at \(words($0)), or when something happens." }
      let left = "\(budget.fetches.left.short) fetches (\(budget.fetches.perDay.short) a day)"
      let energy = "\(budget.joules.left.short) J from the battery (\(budget.joules.perDay.short))"
      let bytes = "\(budget.bytes.left.short) bytes where they cost money (\(budget.bytes.perDay.short))"
      return [
        "Left to spend: \(left), \(energy), \(bytes).",
        look ?? "The daemon decides anew when something happens.",
      ]
    }
  }

  /// `nightjar fetch now`.
  struct Now: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "now",
      abstract: "Have an app refresh its content now, and tell what came of it (Xcode's Simulate Background Fetch).",
      discussion: """
        The app is launched into the background, woken, or told as it runs; neither its interval nor the rule is asked. An app \
        that may not be refreshed is not: Background App Refresh is off, or it was removed from the switcher. The exit code \
        is 1 if it failed, if it was not done in time, or if the app ended first or could not be told.
        """)
    @OptionGroup var common: CommonOptions
    @Option(help: "Run the task that it has asked for under this identifier instead.") var task: String?
    @Argument(help: "The app's identifier.", completion: CompleteCommand.Words.apps.kind) var app: AppName

    func validate() throws { try app.check() }

    func run(in context: Context) async throws {
      let reply = try await context.connect().call(
        ControlInterface.FetchNow.self, .init(app: app.text, request: task))
      let (outcome, id) = (reply.outcome, app.text)
      let what = task.map { "\(id) has run '\(DisplayText($0))': \(outcome.wordsOfTask)" }
      try context.show(reply, orLines: ["\(what ?? "\(id) \(outcome.wordsOfRefresh)"), \(reply.cost.words)."])
      if !outcome.isGood { throw CommandError.silent(.failed) }
    }
  }

  /// `nightjar fetch log`.
  struct Log: DaemonCommand {
    static let configuration = CommandConfiguration(
      commandName: "log",
      abstract: "Tell what was decided about fetches and why, and what came of it, the oldest first.",
      discussion: "That an app waits is told when its reasons change. Times are in UTC, as the clock stood then.")
    @OptionGroup var common: CommonOptions
    @Option(name: [.customShort("n"), .long], help: "Only the last decisions; 100 unless given.") var lines: Int = 100
    @Argument(help: "Only this app.", completion: CompleteCommand.Words.apps.kind) var app: AppName?

    func validate() throws {
      try app?.check()
      if lines < 1 { throw ValidationError("--lines is \(lines); it must be 1 or more.") }
    }

    func run(in context: Context) async throws {
      let daemon = try context.connect()
      var decisions: [ControlInterface.FetchDecision] = []
      while decisions.count < lines {
        let (rest, before) = (Int64(lines - decisions.count), decisions.first?.number ?? .max)
        let page = try await daemon.call(
          ControlInterface.ListFetchDecisions.self, .init(app: app?.text, limit: rest, before: before))
        if page.decisions.isEmpty { break }
        decisions = page.decisions + decisions
      }
      let reply = ControlInterface.ListFetchDecisions.Reply(decisions: decisions)
      let text = context.lines(of: Self.table(reply.decisions), ifEmpty: "Nothing was decided yet.")
      try context.show(reply, orLines: text)
    }

    static func table(_ decisions: [ControlInterface.FetchDecision]) -> Table {
      var table = Table([
        .init(heading: "WHEN"), .init(heading: "APP", columnsMax: 40), .init(heading: "OUTCOME"),
        .init(heading: "IT", mayMoveBelow: true),
      ])
      for decision in decisions {
        table.append([
          Table.Cell(words(decision.at), .faint), Table.Cell(decision.app),
          Table.Cell(decision.outcomeInWords ?? (decision.verdict == .waits ? "-" : "under way")),
          Table.Cell(decision.sentence),
        ])
      }
      return table
    }
  }
}

extension ControlInterface.AppFetches {
  /// All fetches so far.
  fileprivate var count: Int64 { newData + noData + failed + late }

  /// The outcome of the latest fetch, and whether it was made for neglect.
  fileprivate var lastInWords: String? {
    lastOutcome.map { lastNeglected == true ? "\($0.rawValue), neglected before" : $0.rawValue }
  }

  private static func wish(_ interval: Double) -> String {
    interval > 0
      ? "It wants at least \(interval.short) s between two fetches." : "It wants as many fetches as it may have."
  }

  /// The full state of the app's background fetch.
  fileprivate var lines: [String] {
    var lines = ["\(DisplayText(name)), \(app)"]
    lines.append(interval.map(Self.wish) ?? "It wants no fetches.")
    if let last = lastBegin, let lastOutcome, !underWay {  // Until it has ended, the outcome is that of the one before.
      let took = lastDurationMs.map { ", after \((Double($0) / 1000).short) s" } ?? ""
      lines.append("Its last fetch began at \(words(last)): \(lastOutcome.rawValue)\(took).")
      if lastNeglected == true { lines.append("  Its content was so old, and no app is neglected for long.") }
    }
    lines.append("Fetches so far: \(newData) newData, \(noData) noData, \(failed) failed, \(late) late; \(cost.words).")
    if let score {
      lines.append("A fetch now is worth \(score.score.short); it has to reach \(score.threshold.short).")
      lines.append(
        "  It is used within half an hour with probability \(score.probability.short), its content is "
          + "\(score.ageMinutes.short) min old and changes \(score.updatesPerHour.short) times an hour.")
    }
    lines += blockers.map { "\(DisplayText($0.sentence))" }
    if let nextWindow { lines.append("A fetch is likely at \(words(nextWindow)).") }
    return lines + requests.flatMap { self.lines(of: $0) }
  }

  /// A request, and its blockers beyond those of the app.
  private func lines(of request: ControlInterface.BackgroundRequest) -> [String] {
    let begin = request.earliestBegin.map { ", not before \(words($0))" } ?? ""
    let others = (request.blockers ?? []).filter { !blockers.contains($0) }
    return ["It has asked for the \(request.kind.rawValue) task '\(DisplayText(request.identifier))'\(begin)."]
      + others.map { "  \(DisplayText($0.sentence))" }
  }

  /// The longest-lasting blocker of the app or, if there is none, of a task that it has requested.
  fileprivate var whyNot: String? {
    if let first = blockers.first { return first.sentence }
    let waiting = requests.first { $0.blockers?.isEmpty == false }
    return waiting.flatMap { request in request.blockers?.first.map { "'\(request.identifier)': \($0.sentence)" } }
  }
}

extension ControlInterface.FetchDecision {
  /// The outcome; nil while it runs, and for a decision to wait.
  fileprivate var outcomeInWords: String? { request == nil ? outcome?.words : outcome?.wordsOfTask }
}

extension ControlInterface.FetchOutcome {
  fileprivate var words: String {
    switch self {
    case .newData: "new content"
    case .noData: "nothing new"
    case .failed: "failed"
    case .late: "came too late"
    }
  }

  /// Whether the app has done what it was asked for.
  fileprivate var isGood: Bool {
    switch self {
    case .newData, .noData: true
    case .failed, .late: false
    }
  }

  /// What a refresh came to, after the app's name.
  fileprivate var wordsOfRefresh: String {
    switch self {
    case .newData, .noData: "was refreshed: \(rawValue)"
    case .failed: "was not refreshed: failed"
    case .late: "was not refreshed in time"
    }
  }

  /// The outcome of a task of BGTaskScheduler, which reports only whether it was completed.
  fileprivate var wordsOfTask: String {
    switch self {
    case .newData, .noData: "completed"
    case .failed: "not completed"
    case .late: "not completed in time"
    }
  }
}

extension ControlInterface.FetchCost {
  fileprivate var words: String {
    let time = "\((Double(wallMs) / 1000).short) s, \(cpuMs) ms of processor time"
    return "\(time), \(received) bytes in and \(sent) out, about \(joules.short) J"
  }
}

private func words(_ milliseconds: Int64) -> String { CalendarTime.words(ofNanoseconds: milliseconds * 1_000_000) }
