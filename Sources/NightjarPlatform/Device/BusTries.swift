/// When to dial a lost bus again: a few tries, each after twice the pause. A bus that answers gets its tries back, at
/// most once a minute. So a bus that hangs up again and again is not forgotten, and one that never answers is left
/// alone.
struct BusTries {
  private static let most = 8
  private static let renewal = Duration.seconds(60)

  private var left = 0
  /// When it last got its tries back for having answered.
  private var renewedAt: Duration?
  /// Whether it has answered since.
  private var isOwed = false

  /// A socket has appeared in the bus's place, or a folder on the way to it has come or gone.
  mutating func begin() { left = Self.most }

  /// A bus that has answered is gone.
  mutating func lose() { isOwed = true }

  /// How long to wait before the next try; nil if there is none.
  mutating func next(at now: Duration) -> Duration? {
    let renewal = renewedAt.map { $0 + Self.renewal } ?? now
    if isOwed, renewal <= now { (left, renewedAt, isOwed) = (Self.most, now, false) }
    guard left > 0 else { return isOwed ? renewal - now : nil }
    left -= 1
    return .milliseconds(20 << (Self.most - left))
  }
}
