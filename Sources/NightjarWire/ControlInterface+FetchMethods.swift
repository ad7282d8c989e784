public import Varlink

/// The methods about background fetch, and about what was learned of a person's habits.
extension ControlInterface {
  /// The state of background fetch, for all apps that have asked for it or for one. `nextLook` is when the daemon
  /// decides again by itself, in milliseconds since 1970; null if only an event can change its decisions.
  public enum ListFetches: WireMethod {
    public static let name = "dev.nightjar.Control.ListFetches"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var app: String?

      /// Fills in every field; what may be null is null unless given.
      public init(app: String? = nil) { self.app = app }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var apps: [AppFetches]
      public var budget: FetchBudget
      public var nextLook: Int64?

      /// Fills in every field; what may be null is null unless given.
      public init(apps: [AppFetches], budget: FetchBudget, nextLook: Int64? = nil) {
        (self.apps, self.budget, self.nextLook) = (apps, budget, nextLook)
      }
    }
  }

  /// The decisions with a number above `after` (from the oldest kept if null), oldest first, at most `limit` (500 if
  /// null), of one app or of all. With `before` the last ones with a number below it are given instead of the first;
  /// the greatest possible number gives the newest of all.
  public enum ListFetchDecisions: WireMethod {
    public static let name = "dev.nightjar.Control.ListFetchDecisions"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var app: String?
      public var after: Int64?
      public var limit: Int64?
      public var before: Int64?

      /// Fills in every field; what may be null is null unless given.
      public init(app: String? = nil, after: Int64? = nil, limit: Int64? = nil, before: Int64? = nil) {
        (self.app, self.after, self.limit, self.before) = (app, after, limit, before)
      }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var decisions: [FetchDecision]

      /// Fills in every field.
      public init(decisions: [FetchDecision]) { self.decisions = decisions }
    }
  }

  /// Has an app refresh its content now, or with `request` run its request of that identifier; answers with the
  /// outcome.
  public enum FetchNow: WireMethod {
    public static let name = "dev.nightjar.Control.FetchNow"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var app: String
      public var request: String?

      /// Fills in every field; what may be null is null unless given.
      public init(app: String, request: String? = nil) { (self.app, self.request) = (app, request) }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var outcome: FetchOutcome
      public var cost: FetchCost

      /// Fills in every field.
      public init(outcome: FetchOutcome, cost: FetchCost) { (self.outcome, self.cost) = (outcome, cost) }
    }
  }

  /// What was learned about an app: how likely it is to be used in each half hour of a weekday and of a day of the
  /// weekend, 0 to 1, and within the next half hour.
  public struct AppHabits: Codable, Hashable, Sendable {
    public var app: String
    public var name: String
    public var weekday: [Double]
    public var weekend: [Double]
    public var probability: Double
    /// How many visits were seen.
    public var launches: Int64
    /// The size in bytes of what is kept about it.
    public var bytes: Int64

    /// Fills in every field.
    public init(
      app: String, name: String, weekday: [Double], weekend: [Double], probability: Double, launches: Int64,
      bytes: Int64
    ) {
      (self.app, self.name, self.weekday, self.weekend) = (app, name, weekday, weekend)
      (self.probability, self.launches, self.bytes) = (probability, launches, bytes)
    }
  }

  /// What was learned about when apps are used, by name. It stays on this device.
  public enum ShowHabits: WireMethod {
    public static let name = "dev.nightjar.Control.ShowHabits"

    public typealias Parameters = ListFetches.Parameters
    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var apps: [AppHabits]
      /// The size in bytes of what is kept about the person's own day, beside what is kept about apps.
      public var bytes: Int64

      /// Fills in every field.
      public init(apps: [AppHabits], bytes: Int64) { (self.apps, self.bytes) = (apps, bytes) }
    }
  }

  /// Forgets what was learned about an app, or about all apps and the person.
  public enum ForgetHabits: WireMethod {
    public static let name = "dev.nightjar.Control.ForgetHabits"

    public typealias Parameters = ListFetches.Parameters
    public typealias Reply = Nothing
  }
}
