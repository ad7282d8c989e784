/// The policies that can be replayed.
public enum PolicyName: String, CaseIterable, Hashable, Sendable {
  /// Nothing is ever fetched.
  case never
  /// Each app on its own, at an even pace.
  case poll
  /// All apps at once, at an even pace, from 7 to 23 o'clock.
  case pollWaking = "poll-waking"
  /// The three apps that were launched most often, polled.
  case mostFrequent = "most-frequent"
  /// The three apps that were launched last, polled.
  case mostRecent = "most-recent"
  /// How often an app is launched at this hour, times the age of its content.
  case histogram
  /// What the daemon does, with the threshold that spends the budget.
  case nightjar
  /// The same with the daemon's own way to its threshold: the budget as it is granted and spent.
  case nightjarOnline = "nightjar-online"
  /// What could be done if the future were known.
  case oracle

  /// The budgets at which it is reported; a single nil where it spends nothing. The daemon's own is kept in fetches,
  /// since the device is on power and spends no joules of a battery.
  var budgets: [Budget?] {
    switch self {
    case .never: [nil]
    case .nightjarOnline: Budget.all.filter { $0.isOfFetches }
    case .poll, .pollWaking, .mostFrequent, .mostRecent, .histogram, .nightjar, .oracle: Budget.all
    }
  }
}

extension PolicyName {
  /// A dial that runs this policy over a course.
  func dial(_ course: Course) -> Dial {
    let apps = course.apps.count
    func dial(_ range: ClosedRange<Double>, _ start: Double, _ make: @escaping (Double) -> some Policy) -> Dial {
      Dial(range, start: start, traffic: course.traffic) { setting in
        var policy = make(setting)
        return Replay.run(course, &policy)
      }
    }
    switch self {
    case .never: return dial(1...1, 1) { _ in Never() }
    case .poll: return dial(Self.minutes, 360) { Poll(minutes: $0, apps: apps) }
    case .pollWaking: return dial(Self.minutes, 360) { WakingPoll(minutes: $0) }
    case .mostFrequent: return dial(Self.minutes, 360) { Favourites(.frequent, minutes: $0, apps: apps) }
    case .mostRecent: return dial(Self.minutes, 360) { Favourites(.recent, minutes: $0, apps: apps) }
    case .histogram: return dial(Self.scores, 0.2) { PlainScore(course, threshold: $0) }
    case .nightjar: return dial(Self.scores, 0.2) { OwnRule(course, threshold: $0) }
    case .nightjarOnline:
      return Dial { budget in
        var policy = OwnRule(course, allowance: budget)
        return Replay.run(course, &policy)
      }
    case .oracle: return dial(Self.minutes, 360) { Oracle(course, gapMin: $0) }
    }
  }

  static let minutes = 15.0...1_000_000.0
  static let scores = 1.3e-4...8e3
}
