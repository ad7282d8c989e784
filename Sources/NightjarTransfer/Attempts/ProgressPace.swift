import NIOCore

/// Thins progress out: at most one fact in an interval.
struct ProgressPace {
  let interval: TimeAmount
  private var last: NIODeadline?
  /// The count that was reported last.
  var count: Int64?

  init(interval: TimeAmount) { self.interval = interval }

  /// Whether any progress was reported.
  var hasTold: Bool { last != nil }

  mutating func isDue(at now: NIODeadline) -> Bool {
    if let last, now - last < interval { return false }
    last = now
    return true
  }
}
