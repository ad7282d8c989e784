/// Which of the apps' logs are due for a look, and whether they are looked at all the time. A log that cannot be copied
/// is tried again after twice the pause each time: on a full disk each copy would take the last room, and then fail.
struct LogPace {
  /// What became of a log that was too long.
  struct Trial {
    let log: String
    let size: Int64
    let hasBegunAnew: Bool
  }

  /// The time between two looks while apps write so much that a log was many times too long.
  static let floodPause = Duration.milliseconds(100)
  private static let floodFactor: Int64 = 4
  private static let failurePauseMin = Duration.seconds(5)
  private static let failurePauseMax = Duration.seconds(300)

  private let bytesMax: Int64
  /// Whether apps write so much that the logs are looked at all the time.
  private(set) var isFlooded = false
  private var failed: [String: (pause: Duration, due: Duration)] = [:]

  /// - Parameter bytesMax: The length beyond which a log is too long.
  init(bytesMax: Int64) { self.bytesMax = bytesMax }

  /// Whether a log may be looked at by now.
  func isDue(_ log: String, at now: Duration) -> Bool { failed[log].map { $0.due <= now } ?? true }

  /// Notes a look at all logs that were due. One that could not begin anew is no flood: it would not end.
  mutating func note(_ trials: [Trial], at now: Duration) {
    let longest = trials.filter(\.hasBegunAnew).map(\.size).max() ?? 0
    isFlooded = longest / Self.floodFactor > bytesMax || isFlooded && longest > 0
    for trial in trials {
      let pause = min((failed[trial.log]?.pause).map { $0 * 2 } ?? Self.failurePauseMin, Self.failurePauseMax)
      failed[trial.log] = trial.hasBegunAnew ? nil : (pause: pause, due: now + pause)
    }
    failed = failed.filter { $0.value.due > now }  // The others are gone, or short again.
  }
}
