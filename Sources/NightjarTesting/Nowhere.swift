import Nightjar

/// Where no life of an app is: what its code asks for between two lives, and once all is over, reaches nobody, and least of all
/// the daemon of whoever runs the tests.
struct Nowhere: Transport {
  func dial(_ receive: @escaping @Sendable (Fact) -> Void) throws(LineDropped) -> any Line {
    throw LineDropped(detail: "no simulated app runs")
  }

  /// There is no second attempt.
  func after(_ pause: Duration, _ then: @escaping @Sendable () -> Void) {}
}
