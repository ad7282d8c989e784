/// How often something was seen, and how often it was expected.
struct Evidence: Hashable, Sendable {
  /// What was seen.
  var seen = 0.0
  /// What was expected by all that is known apart from this.
  var expected = 0.0

  /// How much more often it was seen than expected, drawn towards `prior` with the weight of `strength` expected
  /// events.
  func ratio(prior: Double, strength: Double) -> Double { (seen + strength * prior) / (expected + strength) }

  mutating func scale(by factor: Double) {
    seen *= factor
    expected *= factor
  }

  static func += (a: inout Evidence, b: Evidence) { (a.seen, a.expected) = (a.seen + b.seen, a.expected + b.expected) }
}
