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
