/// Background fetch: how it stands with each app, and what was decided.
extension ControlInterface {
  /// What came of a fetch. `late`: it had not ended when its time was up.
  public enum FetchOutcome: String, Codable, Hashable, Sendable, CaseIterable {
    case newData, noData, failed, late
  }

  /// What keeps an app from being refreshed: a word for programs, a sentence for people, and until when, in milliseconds
  /// since 1970, where that is known. The interface file lists the words.
  public struct FetchBlocker: Codable, Hashable, Sendable {
    public var code: String
    public var sentence: String
    public var until: Int64?

    /// Fills in every field; what may be null is null unless given.
    public init(code: String, sentence: String, until: Int64? = nil) {
      (self.code, self.sentence, self.until) = (code, sentence, until)
    }
  }

  /// What a fetch is worth just now, with the parts that it follows from, and what it has to reach.
  public struct FetchScore: Codable, Hashable, Sendable {
    public var score: Double
    public var threshold: Double
    /// That the app will be used within the next half hour, 0 to 1.
    public var probability: Double
    /// How old its content is.
    public var ageMinutes: Double
    /// How often its content changes, as far as its fetches have shown.
    public var updatesPerHour: Double
    /// How much of that a fetch would bring, 0 to 1.
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
    /// Whether it waits for a network; and for external power.
    public var network: Bool?
    public var power: Bool?
    /// All that keeps it from being run just now, the most lasting first.
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

  /// How it stands with one app. Times are in milliseconds since 1970, as the clock stood then.
  public struct AppFetches: Codable, Hashable, Sendable {
    public var app: String
    public var name: String
    /// The least time between two fetches that the app has asked for, in seconds; null if it wants none.
    public var interval: Double?
    /// Whether it may be refreshed: by its own setting, by that for all apps, and by its place in the switcher.
    public var allowed: Bool
    /// Whether it is fetching just now.
    public var underWay: Bool
    /// Its latest fetch; null if there was none.
    public var lastBegin: Int64?
    public var lastOutcome: FetchOutcome?
    public var lastDurationMs: Int64?
    /// Whether it was made only since the content was so old that no app is left so; null means no.
    public var lastNeglected: Bool?
    /// How many fetches came to what.
    public var newData: Int64
    public var noData: Int64
    public var failed: Int64
    public var late: Int64
    /// How many failed in a row.
    public var failures: Int64
    /// Null while nothing is known that could be weighed.
    public var score: FetchScore?
    /// Whether it waits for nothing but its score, and its content is so old that it joins the next window all the same;
    /// null means no.
    public var neglected: Bool?
    /// All that keeps it from being refreshed just now, the most lasting first.
    public var blockers: [FetchBlocker]
    /// When the next fetch is likely, and all times of the coming day at which one is, if nobody touches the device until
    /// then: of the ticks of five minutes at which the daemon looks.
    public var nextWindow: Int64?
    public var windows: [Int64]
    /// What all its fetches have cost together.
    public var cost: FetchCost
    /// What it has asked for with BGTaskScheduler and what has not run yet.
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

  /// One of the sums that fetches are paid from: what comes in a day, and what is there; less than nothing if more was
  /// spent than came.
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

  /// One decision. A decision to wait is written down when its reason changes, not each time that it is looked.
  public struct FetchDecision: Codable, Hashable, Sendable {
    /// What was decided.
    public enum Verdict: String, Codable, Hashable, Sendable {
      /// To fetch; to fetch since others do, or the radio is up anyway; to fetch since a person said so; to wait.
      case fetch, joins, asked, waits
    }

    public var number: Int64
    /// When, in milliseconds since 1970, as the clock stood then.
    public var at: Int64
    public var app: String
    public var verdict: Verdict
    /// The same for people, to stand behind the app's name: `is refreshed: …`.
    public var sentence: String
    /// Whether it is to fetch only since the content was so old that no app is left so, whatever the score; null means no.
    public var neglected: Bool?
    public var score: FetchScore?
    public var blockers: [FetchBlocker]
    /// What ran in one go has one number here.
    public var window: Int64?
    /// The request of BGTaskScheduler that was run.
    public var request: String?
    /// What came of it; null while it goes on, and for a decision to wait.
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
