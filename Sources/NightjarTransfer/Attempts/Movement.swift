import NIOCore

/// Whether anything moves for an attempt, and the timer for the next look at that.
struct Movement {
  var watch: StallWatch
  /// The way of the present request's bytes, if it has a body.
  var travel = Travel()
  /// Nil while nobody looks: before there is anything to wait for, between two loops, and after the end.
  var timer: Scheduled<Void>?

  init(limit: TimeAmount, at now: NIODeadline) { watch = StallWatch(limit: limit, at: now) }

  /// Takes in that something had moved by then, which was not known at once.
  mutating func hadMoved(at then: NIODeadline) { watch.moved(at: max(then, watch.lastMoved)) }

  /// When to look again, at the latest at `deadline`.
  func nextLook(by deadline: NIODeadline, at now: NIODeadline) -> NIODeadline {
    guard travel.isUnderWay else { return deadline }
    return min(deadline, now + .nanoseconds(watch.limit.nanoseconds / Self.travelLooks))
  }

  /// How often within the timeout a request on its way is looked at: only a look tells when its bytes arrive.
  private static let travelLooks: Int64 = 4

  mutating func disarm() {
    timer?.cancel()
    timer = nil
  }
}
