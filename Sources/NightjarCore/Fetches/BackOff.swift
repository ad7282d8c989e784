public import NightjarModel

/// How something fares that is tried again and again: how often it has failed in a row, and until when it is left alone for
/// that.
public struct BackOff: Hashable, Sendable {
  /// Failures in a row.
  public var failures: Int
  /// The age before which it is left alone; nil if it need not be.
  public var notBefore: Age?

  /// What was saved; without it, nothing has failed.
  public init(failures: Int = 0, notBefore: Age? = nil) { (self.failures, self.notBefore) = (failures, notBefore) }
}
