public import NightjarModel

/// One decision about refreshing an app, with its grounds. Decisions are committed with what follows from them, and
/// kept until newer ones displace them. A decision to wait is recorded only if its reasons have changed.
public struct FetchDecision: Hashable, Sendable {
  /// What was decided. Written to the database: a new word needs a migration.
  public enum Verdict: String, CaseIterable, Hashable, Sendable {
    /// To fetch, since it is worth it.
    case fetch
    /// To fetch, since others do or the radio is up anyway.
    case joins
    /// To fetch, since a person asked for it.
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
  /// What a fetch was worth; nil if it was not weighed.
  public var weight: FetchWeight?
  /// All that stood in the way.
  public var obstacles: [FetchObstacle]
  /// The number that all fetches begun together share.
  public var window: Int64?
  /// The identifier of the request that was run.
  public var request: String?
  /// The outcome; nil while it goes on, and for a decision to wait.
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

  /// Whether it fetches only because the app's content is too old to be left so: the fetch was worth neither a window
  /// of its own nor joining one. That follows from the weight, so it holds for decisions of earlier daemons, too.
  public var isForNeglect: Bool {
    guard let weight else { return false }
    return switch verdict {
    case .fetch: weight.score < weight.threshold
    case .joins: weight.score < weight.threshold * FetchSettings().joinFactor
    case .asked, .waits: false
    }
  }

  /// Whether it refreshes the app, rather than runs a processing task or waits. A task that a person ordered does not
  /// count, since its kind is not recorded.
  var isOfFetch: Bool { verdict != .waits && (weight != nil || request == nil) }
}
