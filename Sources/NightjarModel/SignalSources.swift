/// The sources of the device's conditions, signal by signal.
public struct SignalSources: Hashable, Sendable {
  /// What reports a signal.
  public enum Source: Hashable, Sendable {
    /// Nothing does, so the signal holds nothing up.
    case nobody
    /// A service on the system bus (D-Bus), which reports changes.
    case service
    /// The kernel, which reports changes.
    case kernel
    /// The kernel, which is polled because it does not report changes here.
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
  /// Falling asleep. Waking up is always reported by the kernel.
  public var sleep = Source.kernel
  /// Why the system bus is not asked, in words; nil while it is.
  public var busTrouble: String?

  /// The sources before any service has been asked.
  public init() {}
}
