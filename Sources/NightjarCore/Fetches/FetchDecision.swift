public import NightjarModel

/// One decision about refreshing an app, with what it was made of. Decisions are committed with what follows from them, and
/// kept until newer ones have taken their places. A decision to wait is one only when its reasons have changed.
public struct FetchDecision: Hashable, Sendable {
  /// What was decided. Written to the database: a new word needs a migration.
  public enum Verdict: String, CaseIterable, Hashable, Sendable {
    /// To fetch, since it is worth it.
    case fetch
    /// To fetch, since others do or the radio is up anyway.
    case joins
    /// To fetch, since a person said so.
    case asked
    /// To wait.
    case waits
  }

  /// Given out once.
  public var number: Int64
  /// The app.
  public var app: AppID
  /// When, on the wall clock, right or wrong.
  public var at: Timestamp
  /// What was decided.
  public var verdict: Verdict
  /// What a fetch was worth; nil where that was not asked.
  public var weight: FetchWeight?
  /// All that stood in the way.
  public var obstacles: [FetchObstacle]
  /// What ran in one go has one number here.
  public var window: Int64?
  /// The identifier of the request that was run.
  public var request: String?
  /// What came of it; nil while it goes on, and for a decision to wait.
  public var outcome: FetchOutcome?
  /// What it cost; nil until that is known.
  public var cost: FetchCost?

  /// A decision as it was saved, or a new one.
  public init(
    number: Int64, app: AppID, at: Timestamp, verdict: Verdict, weight: FetchWeight? = nil,
    obstacles: [FetchObstacle] = [], window: Int64? = nil, request: String? = nil
  ) {
    (self.number, self.app, self.at, self.verdict) = (number, app, at, verdict)
    (self.weight, self.obstacles, self.window, self.request) = (weight, obstacles, window, request)
  }

  /// The one thing that the app was to wait for; nil if it was not to wait, or for several.
  var soleObstacle: FetchObstacle.Code? { verdict == .waits && obstacles.count == 1 ? obstacles[0].code : nil }

  /// Whether it has begun something that has not ended.
  var isOpen: Bool { verdict != .waits && outcome == nil }

  /// Whether it is to fetch for the one reason that the app's content is so old that no app is left so: it was worth neither
  /// a window of its own nor to join one. That follows from the weight, so it holds for decisions of earlier daemons, too.
  public var isForNeglect: Bool {
    guard let weight else { return false }
    return switch verdict {
    case .fetch: weight.score < weight.threshold
    case .joins: weight.score < weight.threshold * FetchSettings().joinFactor
    case .asked, .waits: false
    }
  }

  /// Whether it is to refresh the app, rather than to run some task or to wait. A person's order to run a task says not what
  /// kind of task that is, and counts as none.
  var isOfFetch: Bool { verdict != .waits && (weight != nil || request == nil) }
}

/// What a fetch is worth, with the parts that it follows from, and what it has to reach.
public struct FetchWeight: Hashable, Sendable {
  /// What it is worth.
  public var score: Double
  /// What it has to reach.
  public var threshold: Double
  /// That the app will be used within half an hour, 0 to 1.
  public var probability: Double
  /// How old its content is.
  public var age: Duration
  /// How often its content changes.
  public var updatesPerHour: Double
  /// How much of that a fetch would bring, 0 to 1.
  public var value: Double

  /// A weight of these parts.
  public init(
    score: Double, threshold: Double, probability: Double, age: Duration, updatesPerHour: Double, value: Double
  ) {
    (self.score, self.threshold, self.probability) = (score, threshold, probability)
    (self.age, self.updatesPerHour, self.value) = (age, updatesPerHour, value)
  }
}

/// Something that keeps an app from being refreshed, and until when, where that is known.
public struct FetchObstacle: Error, Hashable, Sendable {
  /// What it is, in a word that programs may rely on: dev.nightjar.Control lists them. Written to the database: a new one
  /// needs a migration.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// It does not declare the background mode that this takes.
    case notDeclared
    /// It wants no fetches.
    case never
    /// A person has removed it from the switcher and not launched it since.
    case removedFromSwitcher
    /// Whoever looks after the machine forbids Background App Refresh.
    case backgroundRefreshRestricted
    /// Background App Refresh is off, for it or for all apps.
    case backgroundRefreshOff
    /// No person has ever used it.
    case neverOpened
    /// It is in the foreground of a screen that is not locked, where it refreshes itself.
    case inForeground
    /// It is being refreshed, or runs a task.
    case underWay
    /// The least time since its latest fetch, as it has asked for, is not over.
    case belowMinimumInterval
    /// It failed, and is left alone for a while; or its launches are spent.
    case backOff
    /// The time before which it asked not to be run is not there.
    case earliestBegin
    /// There is no network.
    case noNetwork
    /// It asked for external power, and there is none.
    case noPower
    /// The device is in use, and the work is not urgent.
    case inUse
    /// Power is saved.
    case lowPowerMode
    /// The battery is nearly empty.
    case batteryLow
    /// The network costs money, or data is saved.
    case meteredNetwork
    /// The device sleeps, or is about to.
    case deviceAsleep
    /// What fetches may cost in a day is spent.
    case budgetSpent
    /// It is not worth it just now.
    case belowThreshold
  }

  /// What it is.
  public var code: Code
  /// Until when, on the wall clock.
  public var until: Timestamp?

  /// What is spent, where that is why. It is told and not written down.
  public var spent: Spent?

  /// What there is so much of, and no more.
  public enum Spent: Hashable, Sendable {
    /// Fetches themselves, estimated joules out of a battery, and bytes over networks that cost money.
    case fetches, joules, bytes
    /// Launches of the app into the background.
    case launches

    init(_ good: FetchBudget.Good) {
      switch good {
      case .fetches: self = .fetches
      case .joules: self = .joules
      case .bytes: self = .bytes
      }
    }
  }

  /// An obstacle, until a time if that is known.
  public init(_ code: Code, until: Timestamp? = nil, spent: Spent? = nil) {
    (self.code, self.until, self.spent) = (code, until, spent)
  }
}
