import NightjarModel

/// When the clocks of a scenario are set: on journeys, and for daylight saving.
struct ClockPlan: Sendable {
  /// Clocks are set once.
  struct Setting: Sendable {
    /// The journey, or the step for daylight saving.
    var kind: Scenario.Act.Kind
    /// What the clocks show right before, in seconds since 1970.
    var shown: Int64
    /// When, in milliseconds since 1970. Clocks that are put back show the same again later; that is not meant.
    var at: Int64

    /// Whether the device is taken elsewhere.
    var isJourney: Bool { if case .zone = kind { true } else { false } }
  }

  /// How clocks are set, all in all.
  private(set) var rules: ZoneRules
  /// Each time that they are, in order.
  private(set) var settings: [Setting] = []

  init(_ scenario: Scenario) {
    rules = ZoneRules(name: "scenario", offset: scenario.offset)
    for (number, day) in scenario.calendar {
      let acts = scenario.acts.filter { $0.days.contains(number: number, day) }.sorted { $0.minute < $1.minute }
      for act in acts {
        let shown = day.number * 86_400 + Int64(act.minute) * 60
        guard let at = rules.set(act.kind, shown: shown) else { continue }
        settings.append(Setting(kind: act.kind, shown: shown, at: at * 1000))
      }
    }
  }

  /// How clocks are set as far as a device can know at a moment: daylight saving from the beginning, as the file of its
  /// zone has it; a journey not before it is made.
  func rules(knownAt now: Int64) -> ZoneRules {
    var known = ZoneRules(name: rules.name, offset: rules.offset)
    for setting in settings where !setting.isJourney || setting.at <= now {
      _ = known.set(setting.kind, shown: setting.shown)
    }
    return known
  }
}

extension Scenario.Act.Kind {
  /// Whether clocks are set by it.
  var setsClocks: Bool {
    switch self {
    case .zone, .clocks: true
    case .removes, .fetch, .refresh: false
    }
  }
}

extension ZoneRules {
  /// Sets clocks when they show this, unless that lies before the last time that they were set.
  ///
  /// - Returns: When, in seconds since 1970; nil if nothing was set.
  fileprivate mutating func set(_ kind: Scenario.Act.Kind, shown: Int64) -> Int64? {
    let old = changes.last?.offset ?? offset
    let new: Int64
    switch kind {
    case .zone(let other): new = other
    case .clocks(let span): new = old + span
    case .removes, .fetch, .refresh: return nil
    }
    let at = shown - old
    guard changes.last.map({ $0.at < at }) ?? true, new.magnitude <= 14 * 3600 else { return nil }
    changes.append(Change(at: at, offset: new))
    return at
  }
}
