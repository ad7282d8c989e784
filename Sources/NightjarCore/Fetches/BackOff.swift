public import NightjarModel

/// The back-off of something that is retried: its failures in a row, and the age before which it is not retried.
public struct BackOff: Hashable, Sendable {
  /// Failures in a row.
  public var failures: Int
  /// The age before which it is not retried; nil if it may be at any time.
  public var notBefore: Age?

  /// What was saved; without it, nothing has failed.
  public init(failures: Int = 0, notBefore: Age? = nil) { (self.failures, self.notBefore) = (failures, notBefore) }
}
