import ArgumentParser
import NightjarBacktest

/// `nightjar backtest`.
struct BacktestCommand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "backtest",
    abstract: "Replay recorded usage through the rule that the daemon runs, and through others.",
    discussion: """
      A trace has one line for each time that an app came to the foreground, with tabs between the columns user_id, \
      timestamp, app_name, platform; or LSApp's user_id, session_id, timestamp, app_name, event_type. The first line names \
      them. It may be packed by gzip, be as large as it likes, and be in any order.

      Such as: nightjar backtest traces.tsv.gz --policy nightjar,poll --picture front.svg
      """)
  @OptionGroup var common: CommonOptions
  @Argument(
    help: ArgumentHelp("The recorded usage; - for standard input.", valueName: "traces.tsv[.gz]"), completion: .file())
  var traces: String
  @Option(help: ArgumentHelp("Only these people, with commas between them.", valueName: "a,b")) var users: String?
  @Option(
    name: .customLong("policy"),
    help: ArgumentHelp(
      "Only these policies, with commas between them: \(PolicyName.list). May be repeated.", valueName: "policy"))
  var policies: [String] = []
  @Option(
    help: ArgumentHelp("Draw what each policy reaches for what it spends into this file.", valueName: "file.svg"),
    completion: .file(extensions: ["svg"]))
  var picture: String?
  @Flag(help: "Make up content that changes at rates of its own, and see whether it pays to learn them.")
  var content = false

  func validate() throws {
    _ = try wishes()
    if picture == "" { throw ValidationError("--picture is empty; name a file, or leave it out.") }
    guard content, picture != nil || !policies.isEmpty else { return }
    throw ValidationError("--content compares ways to decide of its own, without --policy and --picture.")
  }

  func run(in context: Context) async throws {
    guard !content else { return try tryContent(in: context) }
    if let picture { try context.checkFolder(ofPicture: picture) }
    let report = try Self.replay(try wishes(), path(in: context.surroundings))
    tell(report.unfit, report.complaints, context)
    try context.show(
      report.rows.map { BacktestEntry(row: $0, report: report) },
      orLines: BacktestTables(report).lines(width: context.console.outputColumns, context.console.hasColour))
    if let picture { try context.draw(report.picture, to: picture) }
  }

  private func tryContent(in context: Context) throws {
    let people = try wishes().users
    let trial = Self.tried(try path(in: context.surroundings), people)
    let (rows, unfit, complaints) = try trial.get()
    tell(unfit, complaints, context)
    let width = context.console.outputColumns
    try context.show(rows, orLines: BacktestTables.content(rows, width: width, context.console.hasColour))
  }

  private static func tried(
    _ path: String, _ people: Set<String>?
  ) -> Result<([ContentTrial.Row], [String], TraceComplaints), CommandError> {
    Result { () throws(TraceError) in try ContentTrial.run(path, users: people) }
      .map { ($0.rows, $0.unfit, $0.complaints) }.mapError { CommandError($0) }
  }

  private func path(in surroundings: Surroundings) throws(CommandError) -> String {
    traces == "-" ? "-" : try surroundings.absolute(traces)
  }

  private func wishes() throws -> Backtest {
    let names = policies.flatMap { $0.split(separator: ",") }
    let chosen = try names.map { name in
      guard let policy = PolicyName(rawValue: String(name)) else {
        throw ValidationError("There is no policy “\(name)”. There are: \(PolicyName.list).")
      }
      return policy
    }
    guard policies.isEmpty || !chosen.isEmpty else {
      throw ValidationError("--policy needs the names of policies. There are: \(PolicyName.list).")
    }
    let people = users.map { Set($0.split(separator: ",").map(String.init)) }
    guard people?.isEmpty != true else { throw ValidationError("--users needs the names of people in the trace.") }
    return Backtest(
      users: people, policies: chosen.isEmpty ? PolicyName.allCases : PolicyName.allCases.filter(chosen.contains))
  }

  private static func replay(_ backtest: Backtest, _ path: String) throws(CommandError) -> BacktestReport {
    do throws(TraceError) {
      return try backtest.run(path)
    } catch {
      throw CommandError(error)
    }
  }

  private func tell(_ unfit: [String], _ complaints: TraceComplaints, _ context: Context) {
    for complaint in complaints.first {
      context.notice("line \(complaint.line) was left out: \(complaint.reason)")
    }
    let more = complaints.count - complaints.first.count
    if more > 0 { context.notice("of \(complaints.lines) lines \(more.counted("more was", "more were")) left out") }
    if complaints.unsorted > 0 {
      let found = complaints.unsorted.counted("line was", "lines were")
      context.notice("\(found) out of order; all were sorted by their times")
    }
    for reason in unfit.prefix(Self.reasonsMax) { context.notice("left out: \(reason)") }
    let others = unfit.count - Self.reasonsMax
    if others > 0 { context.notice("\(others.counted("more person was", "more people were")) left out") }
  }

  private static let reasonsMax = 5
}

extension PolicyName {
  static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension CommandError {
  fileprivate init(_ error: TraceError) {
    switch error.code {
    case .unreadable: self.init(.usage, "\(error.detail).")
    case .noRoom, .damaged, .nothingToJudge: self.init(.failed, "\(error.detail).")
    }
  }
}
