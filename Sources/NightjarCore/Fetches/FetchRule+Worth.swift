import NightjarHabits
import NightjarModel

extension FetchRule {
  /// What a fetch of an app would be worth now.
  func score(_ timing: Timing, _ present: Present, _ place: Int?, at now: Age) -> Score {
    let forecast = present.forecast(place)
    let age = timing.age(at: now)
    let value = Self.value(forecast, age: age.inSeconds / 3600, updates: timing.updates)
    return Score(forecast: forecast, age: age, updatesPerHour: timing.updates.perHour, value: value)
  }

  /// What a fetch is worth by the app's forecast, the hours since its content was up to date, and how often that
  /// changes.
  static func value(_ forecast: Forecast, age: Double, updates: UpdateRate) -> Double {
    let blind = wish(forecast) * unknownWorth(age: age)
    guard updates.confidence > 0 else { return blind }
    let known = updates.isNew(after: age) * forecast.rate / (forecast.rate + updates.perHour)
    return blind + (known - blind) * updates.confidence
  }

  /// How much a forecast counts for while nothing is known of the content: its probability to the power of three
  /// quarters. The product of factors that were learned apart lies too far out at either end.
  private static func wish(_ forecast: Forecast) -> Double {
    let root = forecast.probability.squareRoot()
    return root * root.squareRoot()
  }

  /// How likely content whose rate of change is unknown has changed at an age in hours.
  static func unknownWorth(age: Double) -> Double { 1 - Curves.exp(-max(0, age) * unknownUpdatesPerHour) }

  /// An upper bound of ``value(_:age:updates:)`` without logarithms and exponentials: higher by a percent or two where
  /// it matters.
  static func ceiling(_ forecast: Forecast, age: Double, updates: UpdateRate) -> Double {
    let age = max(0, age)
    let blind = wish(forecast) * hasChangedAtMost(age * unknownUpdatesPerHour)
    let (probability, perHour) = (forecast.probability, updates.perHour)
    let rate = probability * (2 - probability) / (1 - probability)  // -2 ln(1 - p) is convex: its trapezoid lies above.
    let known = hasChangedAtMost(age * perHour) * rate / (rate + perHour)
    return (blind + (known - blind) * updates.confidence) * 1.000_001  // The last digits of either are rounded.
  }

  /// At least 1 - e^-x, since (1 - x/64)^64 is at most e^-x.
  private static func hasChangedAtMost(_ x: Double) -> Double {
    guard x < 64 else { return 1 }
    var left = 1 - x / 64
    for _ in 0..<6 { left *= left }
    return 1 - left
  }

  /// All blockers of an app: those `known` to the caller, its own by the rule, and those `common` to all apps.
  func blockers(
    _ known: [Blocker], _ timing: Timing, isKnown: Bool, _ common: [Blocker], at now: Age
  ) -> [Blocker] {
    let own = blockers(timing, isKnown: isKnown, at: now)
    // Mostly there are none, and then no array is made.
    return known.isEmpty && own.isEmpty ? common : known + own + common
  }

  /// The blockers of this app that the rule finds itself.
  private func blockers(_ timing: Timing, isKnown: Bool, at now: Age) -> [Blocker] {
    var blockers: [Blocker] = []
    visitBlockers(timing, isKnown: isKnown, at: now) { blockers.append($0) }
    return blockers
  }

  /// Visits the blockers of this app that the rule finds itself, without an array: mostly only their number is asked
  /// for.
  func visitBlockers(_ timing: Timing, isKnown: Bool, at now: Age, _ visit: (Blocker) -> Void) {
    guard let interval = timing.interval else { return visit(.never) }
    if !isKnown { visit(.neverOpened) }
    if let fetchedAt = timing.fetchedAt {
      let floor = fetchedAt + max(interval, settings.intervalMin)
      if now < floor { visit(.belowMinimumInterval(until: floor)) }
    }
    if let notBefore = timing.notBefore, now < notBefore { visit(.backOff(until: notBefore)) }
  }

  /// The blockers that the device has for all apps.
  func blockers(_ device: Conditions) -> [Blocker] {
    var blockers: [Blocker] = []
    if !device.isOnline { blockers.append(.noNetwork) }
    if device.isOnline, device.isConstrained { blockers.append(.meteredNetwork) }
    if device.isLowPower { blockers.append(.lowPowerMode) }
    if let battery = device.battery, battery < settings.batteryMin, !device.isCharging, device.power == .battery {
      blockers.append(.batteryLow)
    }
    if device.isAsleep { blockers.append(.deviceAsleep) }
    return blockers
  }

  func blockers(_ device: Conditions, _ budget: FetchBudget) -> [Blocker] {
    budget.spent(under: device).map { [.budgetSpent($0.good, until: $0.until)] } ?? []
  }

  /// The rate at which unknown content is assumed to change.
  private static let unknownUpdatesPerHour = 1.0
  static let ageMax = Duration.hours(24 * 7)
}
