import NightjarModel

/// What a backtest has found.
public struct BacktestReport: Sendable {
  /// One row for each policy and budget, in the order of the policies.
  public let rows: [BacktestRow]
  /// The people it is about.
  public let users: Int
  /// How many pairs of a person and an app it is about, and how many launches were judged.
  public let (apps, launches): (Int, Int)
  /// Who was left out, and why; a sentence each.
  public let unfit: [String]
  /// What was wrong with lines that were left out.
  public let complaints: TraceComplaints

  init(_ found: [Evaluation], policies: [PolicyName], unfit: [String], complaints: TraceComplaints) {
    rows = Evaluation.cases(policies).map { BacktestRow($0, found) }
    users = found.count
    apps = found.reduce(0) { $0 + $1.apps }
    launches = found.reduce(0) { $0 + $1.launches }
    (self.unfit, self.complaints) = (unfit, complaints)
  }
}

/// One policy at one budget: means over people, each of whom counts the same. In JSON every row has every key, and null
/// where there is nothing to tell.
public struct BacktestRow: Codable, Hashable, Sendable {
  /// Which policy; the daemon's own is `nightjar`.
  public var policy: String
  /// What it might spend: fetches for each app and day, or joules a day; neither for a policy that spends nothing.
  public var budgetFetchesPerAppDay, budgetJoulesPerUserDay: Double?
  /// How many people the means are over.
  public var users: Int
  /// What was really spent.
  public var fetchesPerAppDay: Double
  /// Shares of launches that met content of at most so many minutes.
  public var fresh15, fresh30, fresh60: Double
  /// The same with 30 minutes, of launches after 30 minutes in which the device was not in use; nil without any.
  public var idleFresh30: Double?
  /// How old the content was at a launch, in minutes.
  public var ageMedianMinutes, ageP90Minutes: Double
  /// The share of fetches that were not the last before a launch.
  public var wasted: Double
  /// How often a day anything was fetched.
  public var wakesPerDay: Double
  /// Joules a day, each fetch by itself.
  public var joulesLTE, joules3G, joulesWiFi: Double
  /// Joules a day beside the person's own traffic, with what is fetched at one time in one go.
  public var joulesLTEBatched, joules3GBatched, joulesWiFiBatched: Double
  /// How many people's ``fresh30`` is better than with polling at the same budget.
  public var winsOverPoll: Int?
  /// By how much it is better, and between what bounds in 95 of 100 samples of people drawn from these.
  public var fresh30OverPoll, fresh30OverPollLow, fresh30OverPollHigh: Double?

  enum CodingKeys: String, CodingKey {
    case policy, users, fresh15, fresh30, fresh60, wasted
    case budgetFetchesPerAppDay = "budget_fetches_per_app_day"
    case budgetJoulesPerUserDay = "budget_joules_per_user_day"
    case fetchesPerAppDay = "fetches_per_app_day"
    case idleFresh30 = "idle_fresh30"
    case ageMedianMinutes = "age_median_minutes"
    case ageP90Minutes = "age_p90_minutes"
    case wakesPerDay = "wakes_per_day"
    case joulesLTE = "joules_lte"
    case joulesLTEBatched = "joules_lte_batched"
    case joules3G = "joules_3g"
    case joules3GBatched = "joules_3g_batched"
    case joulesWiFi = "joules_wifi"
    case joulesWiFiBatched = "joules_wifi_batched"
    case winsOverPoll = "wins_over_poll"
    case fresh30OverPoll = "fresh30_over_poll"
    case fresh30OverPollLow = "fresh30_over_poll_low"
    case fresh30OverPollHigh = "fresh30_over_poll_high"
  }

  /// Written out, since the compiler would leave out the keys of what is nil.
  public func encode(to encoder: any Encoder) throws {
    var row = encoder.container(keyedBy: CodingKeys.self)
    try row.encode(policy, forKey: .policy)
    try row.encode(budgetFetchesPerAppDay, forKey: .budgetFetchesPerAppDay)
    try row.encode(budgetJoulesPerUserDay, forKey: .budgetJoulesPerUserDay)
    try row.encode(users, forKey: .users)
    try row.encode(fetchesPerAppDay, forKey: .fetchesPerAppDay)
    try row.encode(fresh15, forKey: .fresh15)
    try row.encode(fresh30, forKey: .fresh30)
    try row.encode(fresh60, forKey: .fresh60)
    try row.encode(idleFresh30, forKey: .idleFresh30)
    try row.encode(ageMedianMinutes, forKey: .ageMedianMinutes)
    try row.encode(ageP90Minutes, forKey: .ageP90Minutes)
    try row.encode(wasted, forKey: .wasted)
    try row.encode(wakesPerDay, forKey: .wakesPerDay)
    try row.encode(joulesLTE, forKey: .joulesLTE)
    try row.encode(joules3G, forKey: .joules3G)
    try row.encode(joulesWiFi, forKey: .joulesWiFi)
    try row.encode(joulesLTEBatched, forKey: .joulesLTEBatched)
    try row.encode(joules3GBatched, forKey: .joules3GBatched)
    try row.encode(joulesWiFiBatched, forKey: .joulesWiFiBatched)
    try row.encode(winsOverPoll, forKey: .winsOverPoll)
    try row.encode(fresh30OverPoll, forKey: .fresh30OverPoll)
    try row.encode(fresh30OverPollLow, forKey: .fresh30OverPollLow)
    try row.encode(fresh30OverPollHigh, forKey: .fresh30OverPollHigh)
  }
}

extension BacktestRow {
  init(_ line: Evaluation.Case, _ found: [Evaluation]) {
    let measures = found.compactMap { $0.measures[line] }
    func mean(_ value: (Measures) -> Double?) -> Double { measures.compactMap(value).mean.rounded(decimals: 6) }
    policy = line.policy.rawValue
    users = measures.count
    fetchesPerAppDay = mean(\.fetchesPerAppDay)
    (fresh15, fresh30, fresh60) = (mean(\.fresh15), mean(\.fresh30), mean(\.fresh60))
    idleFresh30 = measures.contains { $0.idleFresh30 != nil } ? mean(\.idleFresh30) : nil
    (ageMedianMinutes, ageP90Minutes) = (mean(\.ageMedian), mean(\.ageP90))
    (wasted, wakesPerDay) = (mean(\.wasted), mean(\.wakesPerDay))
    (joulesLTE, joulesLTEBatched) = (mean { $0.joules[0] }, mean { $0.joulesBatched[0] })
    (joules3G, joules3GBatched) = (mean { $0.joules[1] }, mean { $0.joulesBatched[1] })
    (joulesWiFi, joulesWiFiBatched) = (mean { $0.joules[2] }, mean { $0.joulesBatched[2] })
    setBudget(line.budget)
    compare(line, found)
  }

  private mutating func setBudget(_ budget: Budget?) {
    switch budget {
    case .fetchesPerAppDay(let fetches): budgetFetchesPerAppDay = fetches
    case .joulesPerDay(let joules): budgetJoulesPerUserDay = joules
    case nil: break
    }
  }

  /// Compares each person's result with that of polling for the same person at the same budget.
  private mutating func compare(_ line: Evaluation.Case, _ found: [Evaluation]) {
    guard let budget = line.budget, line.policy != .poll else { return }
    let polled = Evaluation.Case(policy: .poll, budget: budget)
    let gains = found.compactMap { person -> Double? in
      guard let own = person.measures[line], let other = person.measures[polled] else { return nil }
      return own.fresh30 - other.fresh30
    }
    let bounds = Bootstrap.interval(of: gains)
    winsOverPoll = gains.count { $0 > 0 }
    fresh30OverPoll = gains.mean.rounded(decimals: 6)
    fresh30OverPollLow = bounds.lowerBound.rounded(decimals: 6)
    fresh30OverPollHigh = bounds.upperBound.rounded(decimals: 6)
  }
}

extension [Double] {
  /// Zero for no values.
  var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }
}
