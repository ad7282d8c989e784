/// Background fetch: its state for each app, and what was decided.
extension ControlInterface {
  /// The outcome of a fetch. `late`: it had not ended when its time was up.
  public enum FetchOutcome: String, Codable, Hashable, Sendable, CaseIterable {
    case newData, noData, failed, late
  }

  /// What keeps an app from being refreshed: `code` for programs, `sentence` for people, and until when, in
  /// milliseconds since 1970, if that is known. The interface file lists the codes.
  public struct FetchBlocker: Codable, Hashable, Sendable {
    public var code: String
    public var sentence: String
    public var until: Int64?

    /// Fills in every field; what may be null is null unless given.
    public init(code: String, sentence: String, until: Int64? = nil) {
      (self.code, self.sentence, self.until) = (code, sentence, until)
    }
  }

  /// What a fetch is worth just now, the numbers that this follows from, and the threshold that it has to reach.
  public struct FetchScore: Codable, Hashable, Sendable {
    public var score: Double
    public var threshold: Double
    /// How likely the app is used within the next half hour, 0 to 1.
    public var probability: Double
    /// How old its content is.
    public var ageMinutes: Double
    /// How often its content changes, as far as its fetches have shown.
    public var updatesPerHour: Double
    /// How much of the new content a fetch would bring, 0 to 1.
    public var value: Double

    /// Fills in every field.
    public init(
      score: Double, threshold: Double, probability: Double, ageMinutes: Double, updatesPerHour: Double, value: Double
    ) {
      (self.score, self.threshold, self.probability) = (score, threshold, probability)
      (self.ageMinutes, self.updatesPerHour, self.value) = (ageMinutes, updatesPerHour, value)
    }
  }

  /// What fetches have cost: time from begin to end, processor time, bytes, and an estimate of the radio's energy.
  public struct FetchCost: Codable, Hashable, Sendable {
    public var wallMs: Int64
    public var cpuMs: Int64
    public var received: Int64
    public var sent: Int64
    public var joules: Double

    /// Fills in every field.
    public init(wallMs: Int64, cpuMs: Int64, received: Int64, sent: Int64, joules: Double) {
      (self.wallMs, self.cpuMs, self.received, self.sent, self.joules) = (wallMs, cpuMs, received, sent, joules)
    }
  }

  /// What an app has asked for with `BGTaskScheduler`. `earliestBegin` is in milliseconds since 1970.
  public struct BackgroundRequest: Codable, Hashable, Sendable {
    /// What kind of work it is.
    public enum Kind: String, Codable, Hashable, Sendable {
      case refresh, processing
    }

    public var identifier: String
    public var kind: Kind
    public var earliestBegin: Int64?
    /// Whether it waits for a network, and for external power.
    public var network: Bool?
    public var power: Bool?
    /// Everything that keeps it from running just now, the longest-lasting first.
    public var blockers: [FetchBlocker]?

    /// Fills in every field; what may be null is null unless given.
    public init(
      identifier: String, kind: Kind, earliestBegin: Int64? = nil, network: Bool? = nil, power: Bool? = nil,
      blockers: [FetchBlocker]? = nil
    ) {
      (self.identifier, self.kind, self.earliestBegin) = (identifier, kind, earliestBegin)
      (self.network, self.power, self.blockers) = (network, power, blockers)
    }
  }

  /// The background fetch of one app. Times are in milliseconds since 1970, as the clock stood then.
  public struct AppFetches: Codable, Hashable, Sendable {
    public var app: String
    public var name: String
    /// The least time between two fetches that the app has asked for, in seconds; null if it wants none.
    public var interval: Double?
    /// Whether it may be refreshed: by its own setting, the setting for all apps, and its place in the switcher.
    public var allowed: Bool
    /// Whether it is fetching just now.
    public var underWay: Bool
    /// Its latest fetch; null if there was none. While it is under way, the outcome and the duration are those of the
    /// one before. The duration is null, too, if the daemon did not live to see the fetch end.
    public var lastBegin: Int64?
    public var lastOutcome: FetchOutcome?
    public var lastDurationMs: Int64?
    /// Whether it was made only because the content was too old to be left so, whatever a fetch was worth; null means
    /// no.
    public var lastNeglected: Bool?
    /// How many fetches had each outcome.
    public var newData: Int64
    public var noData: Int64
    public var failed: Int64
    public var late: Int64
    /// How many failed in a row.
    public var failures: Int64
    /// Null while too little is known to compute one.
    public var score: FetchScore?
    /// Whether only its score is missing, and its content is so old that it joins the next window all the same; null
    /// means no.
    public var neglected: Bool?
    /// Everything that keeps it from being refreshed just now, the longest-lasting first.
    public var blockers: [FetchBlocker]
    /// When the next fetch is likely, and all such times within the coming day, if nobody touches the device until
    /// then. The daemon decides at ticks five minutes apart, so these are ticks. Nil and empty while a blocker stands
    /// of which nobody knows when it ends, such as `noNetwork` or `lowPowerMode`.
    public var nextWindow: Int64?
    public var windows: [Int64]
    /// The cost of all its fetches together.
    public var cost: FetchCost
    /// Its requests to BGTaskScheduler that have not run yet.
    public var requests: [BackgroundRequest]

    /// An app that was never refreshed; the rest is set afterwards.
    public init(
      app: String, name: String, interval: Double? = nil, allowed: Bool, underWay: Bool = false,
      blockers: [FetchBlocker] = [], windows: [Int64] = [],
      cost: FetchCost = FetchCost(wallMs: 0, cpuMs: 0, received: 0, sent: 0, joules: 0),
      requests: [BackgroundRequest] = []
    ) {
      (self.app, self.name, self.interval, self.allowed) = (app, name, interval, allowed)
      (self.underWay, self.blockers, self.windows) = (underWay, blockers, windows)
      (newData, noData, failed, late, failures) = (0, 0, 0, 0, 0)
      (self.cost, self.requests) = (cost, requests)
    }
  }

  /// One of the budgets that fetches are paid from: what is added per day, and what is left. It is negative if more was
  /// spent than added.
  public struct FetchBalance: Codable, Hashable, Sendable {
    public var perDay: Double
    public var left: Double

    /// Fills in every field.
    public init(perDay: Double, left: Double) { (self.perDay, self.left) = (perDay, left) }
  }

  /// What fetches may cost, and the threshold that follows from it: what a fetch must be worth just now.
  public struct FetchBudget: Codable, Hashable, Sendable {
    public var threshold: Double
    public var fetches: FetchBalance
    public var joules: FetchBalance
    public var bytes: FetchBalance

    /// Fills in every field.
    public init(threshold: Double, fetches: FetchBalance, joules: FetchBalance, bytes: FetchBalance) {
      (self.threshold, self.fetches, self.joules, self.bytes) = (threshold, fetches, joules, bytes)
    }
  }

  /// One decision. A decision to wait is recorded when its reason changes, not each time it is made.
  public struct FetchDecision: Codable, Hashable, Sendable {
    /// What was decided.
    public enum Verdict: String, Codable, Hashable, Sendable {
      /// To fetch; to fetch because others do or the radio is up anyway; to fetch because a person asked for it; to
      /// wait.
      case fetch, joins, asked, waits
    }

    public var number: Int64
    /// When, in milliseconds since 1970, as the clock stood then.
    public var at: Int64
    public var app: String
    public var verdict: Verdict
    /// The same for people, worded to follow the app's name: `is refreshed: …`.
    public var sentence: String
    /// Whether it is to fetch only because the content was too old to be left so, whatever the score; null means no.
    public var neglected: Bool?
    public var score: FetchScore?
    public var blockers: [FetchBlocker]
    /// The number of the window. Fetches that ran together share it.
    public var window: Int64?
    /// The identifier of the BGTaskScheduler request that was run.
    public var request: String?
    /// Its outcome; null while it runs, and for a decision to wait.
    public var outcome: FetchOutcome?
    public var cost: FetchCost?

    /// Fills in every field; what may be null is null unless given.
    public init(
      number: Int64, at: Int64, app: String, verdict: Verdict, sentence: String, neglected: Bool? = nil,
      score: FetchScore? = nil, blockers: [FetchBlocker] = [], window: Int64? = nil, request: String? = nil,
      outcome: FetchOutcome? = nil, cost: FetchCost? = nil
    ) {
      (self.number, self.at, self.app, self.verdict, self.sentence) = (number, at, app, verdict, sentence)
      (self.neglected, self.score, self.blockers) = (neglected, score, blockers)
      (self.window, self.request) = (window, request)
      (self.outcome, self.cost) = (outcome, cost)
    }
  }
}
