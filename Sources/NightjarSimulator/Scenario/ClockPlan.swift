import NightjarModel

/// When the clocks of a scenario are set: on journeys, and for daylight saving.
struct ClockPlan: Sendable {
  /// Clocks are set once.
  struct Setting: Sendable {
    /// The journey, or the step for daylight saving.
    var kind: Scenario.Act.Kind
    /// What the clocks show right before, in seconds since 1970.
    var shown: Int64
    /// When, in milliseconds since 1970. Clocks that are put back show the same time again later; this is the first
    /// time.
    var at: Int64

    /// Whether the device is taken elsewhere.
    var isJourney: Bool { if case .zone = kind { true } else { false } }
  }

  /// Clocks cannot be set as somebody wrote.
  struct Refusal: Sendable {
    /// Which of the scenario's acts it is.
    var act: Int
    /// Why not, in words.
    var reason: String
  }

  /// How clocks are set, all in all.
  private(set) var rules: ZoneRules
  /// Each time that clocks are set, in order.
  private(set) var settings: [Setting] = []
  /// The first act that sets no clocks although it should.
  private(set) var refusal: Refusal?

  init(_ scenario: Scenario) {
    rules = ZoneRules(name: "scenario", offset: scenario.offset)
    for (number, day) in scenario.calendar {
      let acts = scenario.acts.enumerated().filter { $1.kind.setsClocks && $1.days.contains(number: number, day) }
      for (place, act) in acts.sorted(by: { $0.element.minute < $1.element.minute }) {
        let shown = day.number * 86_400 + Int64(act.minute) * 60
        if let reason = set(act.kind, shown: shown, since: scenario.start) {
          refusal = refusal ?? Refusal(act: place, reason: reason)
        }
      }
    }
  }

  /// Sets clocks when they show this, or says why not.
  private mutating func set(_ kind: Scenario.Act.Kind, shown: Int64, since start: CalendarDay) -> String? {
    switch rules.set(kind, shown: shown, after: settings.last) {
    case .at(let second):
      settings.append(Setting(kind: kind, shown: shown, at: second * 1000))
      return nil
    case .tooFar:
      return "the clocks would be further than 14 h from UTC"
    case .passed(let shows):
      let day = { (time: Int64) in time / 86_400 - start.number + 1 }
      let laterDay = day(shows) == day(shown) ? "" : " on day \(day(shows))"
      return "\(Self.time(shown)) on day \(day(shown)) is never shown: "
        + "the clocks show \(Self.time(shows))\(laterDay) by then"
    }
  }

  private static func time(_ shown: Int64) -> String {
    let parts = [shown / 3600 % 24, shown / 60 % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return parts.joined(separator: ":")
  }

  /// How clocks are set as far as a device can know at a moment: daylight saving from the beginning, as the file of its
  /// zone has it; a journey not before it is made.
  func rules(knownAt now: Int64) -> ZoneRules {
    var known = ZoneRules(name: rules.name, offset: rules.offset)
    var last: Setting?
    for setting in settings where !setting.isJourney || setting.at <= now {
      if case .at = known.set(setting.kind, shown: setting.shown, after: last) { last = setting }
    }
    return known
  }
}

extension Scenario.Act.Kind {
  /// Whether it sets clocks.
  var setsClocks: Bool {
    switch self {
    case .zone, .clocks: true
    case .removes, .fetch, .refresh: false
    }
  }
}

/// What comes of setting clocks.
private enum ClockChange {
  /// They are set at this moment, in seconds since 1970.
  case at(Int64)
  /// They never show that time: they have shown this since they were set last, in seconds since 1970.
  case passed(shows: Int64)
  /// No clocks are so far from UTC.
  case tooFar
}

extension ZoneRules {
  /// Sets clocks when they show this. What falls into the hour over which they are put forward comes at its end; what a
  /// journey skips has no moment.
  fileprivate mutating func set(
    _ kind: Scenario.Act.Kind, shown: Int64, after last: ClockPlan.Setting?
  ) -> ClockChange {
    let old = changes.last?.offset ?? offset
    let new: Int64
    switch kind {
    case .zone(let other): new = other
    case .clocks(let span): new = old + span
    case .removes, .fetch, .refresh: preconditionFailure("\(kind) sets no clocks")
    }
    guard new.magnitude <= 14 * 3600 else { return .tooFar }
    guard let change = changes.last, shown - old <= change.at else {
      changes.append(Change(at: shown - old, offset: new))
      return .at(shown - old)
    }
    guard shown - old == change.at || last?.isJourney == false else { return .passed(shows: change.at + old) }
    changes[changes.count - 1].offset = new
    return .at(change.at)
  }
}
