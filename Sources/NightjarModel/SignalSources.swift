/// Where what is known of the device comes from, signal by signal.
public struct SignalSources: Hashable, Sendable {
  /// Who tells of a signal.
  public enum Source: Hashable, Sendable {
    /// Nobody does, so it stands in nobody's way.
    case nobody
    /// A service on the system bus (D-Bus), which tells of changes.
    case service
    /// The kernel, which tells of changes.
    case kernel
    /// The kernel, which is asked ever and again, since it does not tell of changes here.
    case polled(every: Duration)
  }

  /// Whether there is a network, and of what kind. The kernel is asked beside the service.
  public var network = Source.kernel
  /// The battery, and whether there is external power.
  public var power = Source.kernel
  /// Low power mode.
  public var lowPower = Source.nobody
  /// The locked screen.
  public var lock = Source.nobody
  /// Falling asleep. The kernel tells of waking up, whoever tells of that.
  public var sleep = Source.kernel
  /// Why the system bus is not asked, in words; nil while it is.
  public var busTrouble: String?

  /// What is so before anybody has been asked.
  public init() {}
}
