/// Stands for one call of a client that waits for its answer.
public struct Ticket: Hashable, Sendable {
  /// Counted by the front.
  public let rawValue: UInt64

  /// A ticket of this number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
