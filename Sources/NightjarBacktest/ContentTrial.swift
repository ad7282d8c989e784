import NightjarModel

/// Whether it pays to learn how often content changes: real launches, made-up content.
public enum ContentTrial {
  /// How it is decided.
  public enum Manner: String, CaseIterable, Codable, Sendable {
    /// At an even pace.
    case poll
    /// By the probability of use and the age alone.
    case scoreOnly = "score-only"
    /// The same, with waiting twice as long after each fetch that brought nothing.
    case backOff = "back-off"
    /// By the value, with the rate learned from what fetches have brought: what the daemon does.
    case value
    /// By the value, with the true rate: the most that learning can reach.
    case trueRate = "true-rate"
  }

  /// One manner at one budget: means over people, each of whom counts the same, and over seeds.
  public struct Row: Codable, Hashable, Sendable {
    /// How it was decided.
    public var manner: Manner
    /// What might be spent, and what was.
    public var budgetFetchesPerAppDay, fetchesPerAppDay: Double
    /// The share of launches that met the newest content.
    public var upToDate: Double
    /// The share of fetches that brought nothing new.
    public var noData: Double
    /// How many people the means are over.
    public var users: Int

    enum CodingKeys: String, CodingKey {
      case manner, users
      case budgetFetchesPerAppDay = "budget_fetches_per_app_day"
      case fetchesPerAppDay = "fetches_per_app_day"
      case upToDate = "up_to_date"
      case noData = "no_data"
    }
  }

  /// The budgets that are tried, in fetches for each app and day.
  public static let budgets = [2.0, 4, 8, 16]
  /// How often content is made up anew.
  public static let seeds: UInt64 = 3

  /// Reads a trace and tries every manner at every budget. The rows are in the order of the manners.
  ///
  /// - Throws: `TraceError`, as ``Backtest/run(_:)`` does.
  public static func run(
    _ path: String, users: Set<String>? = nil
  ) throws(TraceError) -> (rows: [Row], unfit: [String], complaints: TraceComplaints) {
    let (found, unfit, complaints) = try Backtest.survey(path, users: users) { results(of: $0) }
    let cases = Manner.allCases.flatMap { manner in budgets.map { (manner, $0) } }
    let rows = cases.enumerated().map { place, line in summary(line.0, line.1, found.map { $0[place] }) }
    return (rows, unfit, complaints)
  }

  /// What one manner came to at one budget for one person.
  fileprivate struct Result: Sendable { var fetches, upToDate, noData: Double }

  fileprivate static func results(of course: Course) -> [Result] {
    Manner.allCases.flatMap { manner in
      let all = (0..<seeds).map { tallies(course, manner, Content(course, seed: $0)) }
      return budgets.indices.map { budget in Result(mean: all.map { $0[budget] }) }
    }
  }

  private static func tallies(_ course: Course, _ manner: Manner, _ content: Content) -> [Tally] {
    var dial = manner.dial(course, content)
    return budgets.map { dial.tally(within: .fetchesPerAppDay($0)) }
  }

  private static func summary(_ manner: Manner, _ budget: Double, _ results: [Result]) -> Row {
    func mean(_ value: (Result) -> Double) -> Double { results.map(value).mean.rounded(decimals: 6) }
    return Row(
      manner: manner, budgetFetchesPerAppDay: budget, fetchesPerAppDay: mean(\.fetches), upToDate: mean(\.upToDate),
      noData: mean(\.noData), users: results.count)
  }
}

extension ContentTrial.Result {
  fileprivate init(mean tallies: [Tally]) {
    fetches = tallies.map(\.fetchesPerAppDay).mean
    upToDate = tallies.map { Double($0.upToDate) / Double(max(1, $0.ages.count)) }.mean
    noData = tallies.map { Double($0.inVain) / Double(max(1, $0.fetches)) }.mean
  }
}

extension ContentTrial.Manner {
  fileprivate func dial(_ course: Course, _ content: Content) -> Dial {
    func dial(_ range: ClosedRange<Double>, _ start: Double, _ make: @escaping (Double) -> some Policy) -> Dial {
      Dial(range, start: start, traffic: course.traffic) { setting in
        var policy = make(setting)
        return Replay.run(course, &policy, content: content)
      }
    }
    func own(_ experience: OwnRule.Experience) -> Dial {
      dial(PolicyName.scores, 0.2) { OwnRule(course, threshold: $0, experience: experience) }
    }
    switch self {
    case .poll: return dial(PolicyName.minutes, 360) { Poll(minutes: $0, apps: course.apps.count) }
    case .scoreOnly: return own(.none)
    case .backOff: return own(.backOff)
    case .value: return own(.learned)
    case .trueRate: return own(.given(content.perHour))
    }
  }
}
