import Dispatch
import Synchronization

/// Replays recorded usage through the code that the daemon runs, and through the baselines that it has to beat.
///
/// Strictly online: a decision at a tick of five minutes knows only what had happened by then. Two runs on one trace
/// give the same result, whatever the number of processors and the order of the trace's lines: order counts only among
/// lines of one person and second.
public struct Backtest: Sendable {
  /// The people to replay; nil for all.
  public var users: Set<String>?
  /// The policies to report on, in this order.
  public var policies: [PolicyName]

  /// A backtest of these policies.
  public init(users: Set<String>? = nil, policies: [PolicyName] = PolicyName.allCases) {
    (self.users, self.policies) = (users, policies)
  }

  /// Reads a trace and replays it, some people at a time; only each person's result stays in memory.
  ///
  /// - Parameter path: A file, packed by gzip or not; `-` for standard input.
  /// - Throws: `TraceError` if there is nothing to report, or the result would mislead.
  public func run(_ path: String) throws(TraceError) -> BacktestReport {
    let policies = policies.contains(.poll) ? policies : [.poll] + policies
    let (found, unfit, complaints) = try Self.survey(path, users: users) { Evaluation($0, policies: policies) }
    return BacktestReport(found, policies: self.policies, unfit: unfit, complaints: complaints)
  }

  /// Applies a function to each person's course in a trace; the results are in the order of the people's names.
  static func survey<Result: Sendable>(
    _ path: String, users: Set<String>?, _ work: @escaping @Sendable (Course) -> Result
  ) throws(TraceError) -> (results: [Result], unfit: [String], complaints: TraceComplaints) {
    var crew = Crew(work)
    let complaints = try Traces.read(path, users: users) { diary throws(TraceError) in crew.take(diary) }
    crew.finish()
    let missing = (users ?? []).subtracting(crew.seen).sorted().map { "\($0) is not in the trace" }
    let results = crew.results.sorted { $0.user < $1.user }.map(\.result)
    guard !results.isEmpty else {
      let reasons = (missing + crew.unfit.sorted()).prefix(5).joined(separator: "; ")
      throw TraceError(.nothingToJudge, "There is nobody in \(Traces.title(of: path)) to judge by: \(reasons)")
    }
    return (results, missing + crew.unfit.sorted(), complaints)
  }
}

/// Works through diaries on all processors, a few at a time.
private struct Crew<Result: Sendable> {
  private(set) var results: [(user: String, result: Result)] = []
  private(set) var unfit: [String] = []
  private(set) var seen: Set<String> = []
  private var waiting: [Diary] = []
  private var weight = 0
  private let work: @Sendable (Course) -> Result

  init(_ work: @escaping @Sendable (Course) -> Result) { self.work = work }

  mutating func take(_ diary: Diary) {
    waiting.append(diary)
    seen.insert(diary.user)
    weight += diary.happenings.count + diary.traffic.count + diary.days.count * Course.ticksPerDay
    if waiting.count == Self.diariesMax || weight >= Self.weightMax { finish() }
  }

  mutating func finish() {
    let (diaries, work) = (waiting, work)
    let done = Mutex<[Int: Swift.Result<Result, Course.Unfit>]>([:])
    DispatchQueue.concurrentPerform(iterations: diaries.count) { number in
      let result = Course.lay(diaries[number]).map(work)
      done.withLock { $0[number] = result }
    }
    (waiting, weight) = ([], 0)
    for (number, diary) in diaries.enumerated() { sort(done.withLock { $0[number]! }, diary.user) }
  }

  private mutating func sort(_ result: Swift.Result<Result, Course.Unfit>, _ user: String) {
    switch result {
    case .success(let result): results.append((user, result))
    case .failure(let flaw): unfit.append(flaw.reason)
    }
  }

  /// How many diaries wait at most, and how many entries and ticks in all are enough. A year has a hundred thousand
  /// ticks, and each setting that is tried remembers at which of them anything was fetched.
  private static var diariesMax: Int { 16 }
  private static var weightMax: Int { 1 << 20 }
}
