public import NightjarHabits
public import NightjarModel

extension FetchRule {
  /// An app that might be refreshed now, with all that the rule has to know of it. Whether it runs does not matter.
  public struct Candidate: Hashable, Sendable {
    /// The app.
    public var app: AppID
    /// The least time between two fetches that the app has asked for; nil if it wants none.
    public var interval: Duration?
    /// When the latest fetch began; nil if there was none.
    public var fetchedAt: Age?
    /// When its content was last up to date: the end of the latest fetch that did not fail, or of the latest visit.
    public var freshAt: Age?
    /// Until when it is not retried after failures; nil without any, or since the network came back.
    public var notBefore: Age?
    /// How often its content changes.
    public var updates: UpdateRate
    /// What the caller knows to be in the way: what was declared, set or asked for, and where the app is.
    public var blockers: [Blocker]

    /// An app with what is known of it.
    public init(
      app: AppID, interval: Duration?, fetchedAt: Age? = nil, freshAt: Age? = nil, notBefore: Age? = nil,
      updates: UpdateRate = UpdateRate(), blockers: [Blocker] = []
    ) {
      (self.app, self.interval, self.fetchedAt, self.freshAt) = (app, interval, fetchedAt, freshAt)
      (self.notBefore, self.updates, self.blockers) = (notBefore, updates, blockers)
    }
  }

  /// The numbers of a candidate. Without names and lists it is copied without reference counting.
  struct Timing: Sendable {
    let interval: Duration?
    let fetchedAt: Age?
    let freshAt: Age?
    let notBefore: Age?
    let updates: UpdateRate

    init(_ candidate: Candidate) {
      (interval, fetchedAt, freshAt) = (candidate.interval, candidate.fetchedAt, candidate.freshAt)
      (notBefore, updates) = (candidate.notBefore, candidate.updates)
    }

    /// How old the app's content is. Content that was never up to date counts as so old that more makes no difference.
    func age(at now: Age) -> Duration { freshAt.map { max(.zero, now - $0) } ?? FetchRule.ageMax }
  }

  /// Why an app is not refreshed now, however much it would be worth.
  public enum Blocker: Hashable, Sendable {
    /// It does not declare the mode `fetch`.
    case notDeclared
    /// It wants no fetches.
    case never
    /// A person removed it from the switcher, and has not launched it since.
    case removedFromSwitcher
    /// The administrator of the machine forbids Background App Refresh.
    case backgroundRefreshRestricted
    /// Background App Refresh is off, for it or for all.
    case backgroundRefreshOff
    /// No person has ever opened it.
    case neverOpened
    /// It is in the foreground.
    case inForeground
    /// It asked not to be run before this time on the wall clock.
    case earliestBegin(Timestamp)
    /// Less time has passed since its latest fetch than it wants, or than every app must wait.
    case belowMinimumInterval(until: Age)
    /// It has failed, and waits before the next attempt.
    case backOff(until: Age)
    /// It does not run, and has been launched as often as it may be.
    case launchesSpent(until: Age)
    /// There is no network.
    case noNetwork
    /// The network costs money and data is saved on it.
    case meteredNetwork
    /// The person saves power.
    case lowPowerMode
    /// The battery is nearly empty, and does not charge.
    case batteryLow
    /// The device sleeps, or is about to.
    case deviceAsleep
    /// The allowance of a good that a fetch would take is spent.
    case budgetSpent(FetchBudget.Good, until: Age)
  }

  /// What a fetch now would be worth, with the parts of that.
  public struct Score: Hashable, Sendable {
    /// How likely the app is to be used within half an hour.
    public var forecast: Forecast
    /// How old its content is.
    public var age: Duration
    /// How often its content changes per hour.
    public var updatesPerHour: Double
    /// The worth: what is compared with the threshold.
    public var value: Double

    /// How likely the app is to be used within half an hour.
    public var probability: Double { forecast.probability }
  }

  /// What is to become of a candidate now.
  public enum Choice: String, Hashable, Sendable, CaseIterable {
    /// It is refreshed for its own sake, which opens a window.
    case fetch
    /// It is refreshed since a window is open anyway.
    case joins
    /// It is not refreshed now.
    case waits
  }

  /// The rule's decision about one candidate.
  public struct Decision: Hashable, Sendable {
    /// The app.
    public var app: AppID
    /// What is to become of it.
    public var choice: Choice
    /// What a fetch now would be worth.
    public var score: Score
    /// What it would have to be worth, under the conditions of now.
    public var threshold: Double
    /// What is in the way; empty if it is refreshed, or if a fetch is merely not worth it yet.
    public var blockers: [Blocker]
  }

  /// The moment of a decision, as an age and on the local clock.
  public struct Instant: Hashable, Sendable {
    /// The device's time.
    public var age: Age
    /// The person's time.
    public var local: LocalTime

    /// One moment on both.
    public init(age: Age, local: LocalTime) { (self.age, self.local) = (age, local) }

    /// So much later, if nobody sets a clock.
    public func later(by duration: Duration) -> Instant {
      Instant(age: age + duration, local: local.later(by: duration.components.seconds))
    }
  }
}
