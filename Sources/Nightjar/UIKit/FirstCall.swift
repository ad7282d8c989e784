import Synchronization

/// Tells the first call of a completion handler from later ones, on any thread.
final class FirstCall: Sendable {
  private let isMade = Atomic(false)

  /// Whether this is the first call. True only once.
  func isThis() -> Bool { !isMade.exchange(true, ordering: .relaxed) }
}
