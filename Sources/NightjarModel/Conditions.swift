/// What the device is like just now, as far as it decides over background work.
public struct Conditions: Hashable, Sendable {
  /// Whether a network beyond this machine can be reached; loopback always can.
  public var isOnline: Bool

  /// Conditions as sensed. Nobody having sensed anything means that nothing stands in the way.
  public init(isOnline: Bool = true) { self.isOnline = isOnline }
}

/// Whether something may happen now, and if not, why not and what it waits for.
///
/// A refusal by policy is no error: it is a value that `nightjar why` can show.
public enum Verdict: Hashable, Sendable {
  /// Nothing stands in the way.
  case allowed
  /// Not now; for at most so long, where that is known.
  case waits(Reason, atMost: Duration?)

  /// What is being waited for.
  public enum Reason: Hashable, Sendable {
    /// A network.
    case network
    /// A free place among the connections to this host.
    case hostBusy(host: String, limit: Int)
    /// A free place among all connections.
    case allBusy(limit: Int)
    /// The back-off after a failure.
    case backOff(TransferFailure, attempts: Int)
    /// Somebody suspended it.
    case suspended
    /// The finished file cannot be delivered; it is kept.
    case delivery(TransferFailure)
    /// The app will be told when it is launched next; its session asked not to be launched for this.
    case nextLaunch
    /// The app will be told when the session's other transfers have ended.
    case restOfSession(count: Int)
    /// The app is being launched, or told.
    case telling
    /// The app could not be launched, and is tried again later.
    case launchBackOff(detail: String, attempts: Int)
    /// Telling the app has crashed it too often; a person has to launch it.
    case parked(crashes: Int)
    /// No program is there to be told: it is not attached and named no command that would relaunch it.
    case nobodyToTell
  }
}
