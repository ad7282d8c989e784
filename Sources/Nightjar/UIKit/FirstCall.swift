import Synchronization

/// Tells the first call of a completion handler from further ones, from whichever threads they come.
final class FirstCall: Sendable {
  private let isMade = Atomic(false)

  /// Whether this is the first; asking makes the next one a further one.
  func isThis() -> Bool { !isMade.exchange(true, ordering: .relaxed) }
}
