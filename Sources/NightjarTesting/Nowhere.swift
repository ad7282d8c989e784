import Nightjar

/// The transport between two lives of the app and after the last: what its code asks for then reaches nobody, and above
/// all not the real daemon of the user who runs the tests.
struct Nowhere: Transport {
  func dial(_ receive: @escaping @Sendable (Fact) -> Void) throws(LineDropped) -> any Line {
    throw LineDropped(detail: "no simulated app runs")
  }

  /// There is no second attempt.
  func after(_ pause: Duration, _ then: @escaping @Sendable () -> Void) {}
}
