public import NightjarModel

/// What happened in a scenario: when apps were used and refreshed, with what outcome, and how old their content was.
public struct Chronicle: Sendable {
  /// A stretch of time in which a person used an app.
  public struct Visit: Hashable, Sendable {
    /// Which app, by its place among the scenario's.
    public var app: Int
    /// From when to when, in milliseconds since 1970.
    public var at: Int64, until: Int64
    /// How old the app's content was when it was opened, in milliseconds; nil for the first visit ever.
    public var age: Int64? = nil
    /// Whether it was the server's newest content.
    public var hasNewest: Bool
  }

  /// An app that was refreshed in the background.
  public struct Fetch: Hashable, Sendable {
    /// How the app was brought to run.
    public enum Manner: String, Hashable, Sendable, CaseIterable {
      /// It was launched, thawed, or ran already.
      case launched, thawed, running
    }

    /// Which app, by its place among the scenario's.
    public var app: Int
    /// From when to when, in milliseconds since 1970; both are equal while it goes on.
    public var at: Int64, until: Int64
    /// Its outcome; nil while it goes on, and for good if the scenario ended first.
    public var outcome: FetchOutcome?
    /// How the app was brought to run.
    public var manner: Manner
    /// The number of its decision in the log of decisions.
    public var decision: Int64
    /// Whether it joined others, or used a radio that was up anyway.
    public var joins = false
    /// The number of the window. Fetches that ran together share it.
    public var window: Int64?
    /// The estimated energy that it has taken.
    public var joules = 0.0

    /// A fetch that has begun.
    package init(app: Int, at: Int64, manner: Manner, decision: Int64) {
      (self.app, self.at, until) = (app, at, at)
      (self.manner, self.decision) = (manner, decision)
    }
  }

  /// The device's conditions from a moment on.
  public struct Weather: Hashable, Sendable {
    /// From when, in milliseconds since 1970.
    public var at: Int64
    /// The conditions.
    public var conditions: Conditions
  }

  /// The scenario that was played, and its seed.
  public let scenario: Scenario
  public let seed: UInt64
  /// How clocks were set.
  public let rules: ZoneRules
  /// When it began and ended, in milliseconds since 1970.
  public let start: Int64, end: Int64
  /// Visits in the order of time.
  public package(set) var visits: [Visit] = []
  /// Fetches in the order of time.
  public package(set) var fetches: [Fetch] = []
  /// The fetches that have an outcome, in the order of time: what the scenario's end cut short is neither a success nor
  /// a failure.
  public var ended: [(fetch: Fetch, outcome: FetchOutcome)] {
    fetches.compactMap { fetch in fetch.outcome.map { (fetch, $0) } }
  }
  /// The device's conditions in the order of time.
  public package(set) var weather: [Weather] = []
  /// Turns that the supervisor took, and their fingerprint: equal for the same scenario and seed, on every machine.
  public internal(set) var turns = 0
  public internal(set) var digest = Digest()

  init(_ scenario: Scenario, seed: UInt64, _ timetable: Timetable) {
    (self.scenario, self.seed, rules) = (scenario, seed, timetable.rules)
    (start, end) = (timetable.start, timetable.end)
  }

  /// The day of the scenario, counted from 0, and the hour of the day, by local time at a moment.
  public func local(_ time: Int64) -> (day: Int, hour: Double) {
    let reading = rules.reading(at: Timestamp(milliseconds: time))
    let passed = reading.milliseconds - reading.dayNumber * 86_400_000
    return (Int(reading.dayNumber - scenario.start.number), Double(passed) / 3_600_000)
  }
}
