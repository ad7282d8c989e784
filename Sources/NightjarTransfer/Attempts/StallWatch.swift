import NIOCore

/// Tells when nothing has moved for too long. Rearmed lazily: moving costs one store.
struct StallWatch {
  enum Finding: Equatable { case stalled, look(NIODeadline) }

  let limit: TimeAmount
  private(set) var lastMoved: NIODeadline
  private var lastLooked: NIODeadline

  init(limit: TimeAmount, at now: NIODeadline) { (self.limit, lastMoved, lastLooked) = (limit, now, now) }

  mutating func moved(at now: NIODeadline) { lastMoved = now }

  mutating func looked(at now: NIODeadline) { lastLooked = now }

  /// When to look at the latest. However much has moved, no two looks are further apart than the limit.
  var due: NIODeadline { min(lastMoved, lastLooked) + limit }

  func finding(at now: NIODeadline) -> Finding {
    now - lastMoved >= limit ? .stalled : .look(lastMoved + limit)
  }
}
