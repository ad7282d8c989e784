import NightjarHabits
import NightjarModel

/// What the rule has found in the way, under the names by which it is shown and written down.
extension Supervisor {
  func obstacles(_ decision: FetchRule.Decision, at now: Age) -> [FetchObstacle] {
    guard decision.choice == .waits else { return [] }
    guard !decision.blockers.isEmpty else { return [FetchObstacle(.belowThreshold)] }
    return decision.blockers.map { obstacle($0, at: now) }.sorted { $0.code.rank < $1.code.rank }
  }

  func obstacle(_ blocker: FetchRule.Blocker, at now: Age) -> FetchObstacle {
    switch blocker {
    case .earliestBegin(let time): FetchObstacle(blocker.code, until: time)
    case .belowMinimumInterval(let until), .backOff(let until):
      FetchObstacle(blocker.code, until: wall(of: until, at: now))
    case .budgetSpent(let good, let until):
      FetchObstacle(blocker.code, until: wall(of: until, at: now), spent: FetchObstacle.Spent(good))
    case .launchesSpent(let until):
      FetchObstacle(blocker.code, until: wall(of: until, at: now), spent: .launches)
    case .notDeclared, .never, .removedFromSwitcher, .backgroundRefreshRestricted, .backgroundRefreshOff, .neverOpened,
      .inForeground, .noNetwork, .meteredNetwork, .lowPowerMode, .batteryLow, .deviceAsleep:
      FetchObstacle(blocker.code)
    }
  }

  /// The wall-clock time at an age, if nobody sets the clock.
  func wall(of age: Age, at now: Age) -> Timestamp {
    let latest = Int64.max / 1_000_000  // An interval of a hundred years, by a clock that is wrong, may end after that.
    return Timestamp(milliseconds: min(moment.wall.milliseconds + (age - now).wholeMilliseconds, latest))
  }
}

extension FetchObstacle.Code {
  /// How lasting it is: the most lasting is the lowest.
  var rank: Int { Self.allCases.firstIndex(of: self)! }
}

extension FetchRule.Blocker {
  /// Its name outside.
  var code: FetchObstacle.Code {
    switch self {
    case .notDeclared: .notDeclared
    case .never: .never
    case .removedFromSwitcher: .removedFromSwitcher
    case .backgroundRefreshRestricted: .backgroundRefreshRestricted
    case .backgroundRefreshOff: .backgroundRefreshOff
    case .neverOpened: .neverOpened
    case .inForeground: .inForeground
    case .earliestBegin: .earliestBegin
    case .belowMinimumInterval: .belowMinimumInterval
    case .backOff, .launchesSpent: .backOff
    case .noNetwork: .noNetwork
    case .meteredNetwork: .meteredNetwork
    case .lowPowerMode: .lowPowerMode
    case .batteryLow: .batteryLow
    case .deviceAsleep: .deviceAsleep
    case .budgetSpent: .budgetSpent
    }
  }

  /// When it ends by itself, for those whose ends the rule does not foresee.
  var end: Age? {
    switch self {
    case .backOff(let until), .belowMinimumInterval(let until), .launchesSpent(let until): until
    default: nil
    }
  }

  /// Whether it concerns only what needs a network.
  var isOfNetwork: Bool { self == .noNetwork || self == .meteredNetwork }

  /// Whether it ends by itself.
  var passes: Bool {
    switch self {
    case .belowMinimumInterval, .backOff, .launchesSpent, .earliestBegin, .inForeground, .budgetSpent, .deviceAsleep:
      true
    case .notDeclared, .never, .removedFromSwitcher, .backgroundRefreshRestricted, .backgroundRefreshOff, .neverOpened,
      .noNetwork, .meteredNetwork, .lowPowerMode, .batteryLow:
      false
    }
  }
}

extension FetchWeight {
  /// What the rule has weighed.
  init(_ decision: FetchRule.Decision) {
    self.init(
      score: decision.score.value, threshold: decision.threshold, probability: decision.score.probability,
      age: decision.score.age, updatesPerHour: decision.score.updatesPerHour,
      value: 1 - Curves.exp(-decision.score.updatesPerHour * decision.score.age.inSeconds / 3600))
  }
}
