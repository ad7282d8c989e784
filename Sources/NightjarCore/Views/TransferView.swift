public import NightjarModel

/// A transfer as it looks from outside.
public struct TransferView: Hashable, Sendable {
  /// The state of a transfer in one word.
  public enum State: String, Hashable, Sendable {
    /// Waits for its turn.
    case queued
    /// Bytes move, or are about to.
    case running
    /// Waits for something that will come.
    case waiting
    /// Its app is asked something.
    case asking
    /// Somebody suspended it.
    case suspended
    /// The finished file is on its way to its destination, or waits for that.
    case delivering
    /// The server answered to the last byte.
    case succeeded
    /// It will not be tried again.
    case failed
  }

  /// Its number.
  public var id: TransferID
  /// What was asked for.
  public var request: TransferRequest
  /// Its state in one word.
  public var state: State
  /// Bytes moved.
  public var count: Int64
  /// The whole length, where it is known.
  public var expected: Int64?
  /// Attempts begun.
  public var attempts: Int
  /// The server's final answer, from when its body begins to come.
  public var response: Response?
  /// The finished file, once there is one.
  public var file: StagedFile?
  /// Why it failed, or failed last.
  public var failure: TransferFailure?
  /// Why it does not go on just now.
  public var verdict: Verdict
  /// How long it is still kept, once it is over; then it is removed, collected or not.
  public var keptFor: Duration?

  /// Whether it has ended, well or not.
  public var isOver: Bool { state == .succeeded || state == .failed }
}
