import NIOCore

/// Tells when nothing has moved for too long. Rearmed lazily: moving costs one store.
struct StallWatch {
  enum Verdict: Equatable { case stalled, look(NIODeadline) }

  let limit: TimeAmount
  private(set) var lastMoved: NIODeadline
  private var lastLooked: NIODeadline

  init(limit: TimeAmount, at now: NIODeadline) { (self.limit, lastMoved, lastLooked) = (limit, now, now) }

  mutating func moved(at now: NIODeadline) { lastMoved = now }

  mutating func looked(at now: NIODeadline) { lastLooked = now }

  /// When to look at the latest. However much has moved, no two looks are further apart than the limit.
  var due: NIODeadline { min(lastMoved, lastLooked) + limit }

  func verdict(at now: NIODeadline) -> Verdict {
    now - lastMoved >= limit ? .stalled : .look(lastMoved + limit)
  }
}

/// Thins progress out: at most one fact in an interval.
struct ProgressPace {
  let interval: TimeAmount
  private var last: NIODeadline?

  init(interval: TimeAmount) { self.interval = interval }

  /// Whether any was told.
  var hasTold: Bool { last != nil }

  mutating func isDue(at now: NIODeadline) -> Bool {
    if let last, now - last < interval { return false }
    last = now
    return true
  }
}
