/// The device's present conditions, as far as background work depends on them.
///
/// Where nothing is sensed, nothing stands in the way: the network costs nothing, and the power is external.
public struct Conditions: Hashable, Sendable {
  /// What kind of network reaches beyond this machine. The raw value is its name on the wire and on the command line.
  public enum Network: String, Hashable, Sendable, CaseIterable {
    /// None at all.
    case none
    /// One that costs nothing, such as Wi-Fi or a cable.
    case unmetered
    /// One that costs money by the byte, such as a phone's hotspot.
    case metered
    /// A mobile network; it costs money, too.
    case cellular

    /// Whether its use costs money.
    public var isExpensive: Bool { self == .metered || self == .cellular }
  }

  /// Where the device's power comes from. The raw value is its name on the wire and on the command line.
  public enum Power: String, Hashable, Sendable, CaseIterable {
    /// From outside.
    case external
    /// From its battery.
    case battery
  }

  /// What kind of network reaches beyond this machine.
  public var network: Network
  /// Whether the person saves data on it.
  public var isConstrained: Bool
  /// Where the power comes from.
  public var power: Power
  /// How full the battery is, in percent; nil where there is none, or it is unknown.
  public var battery: Int?
  /// Whether the battery is being charged.
  public var isCharging: Bool
  /// Whether the person saves power (power-profiles-daemon's `power-saver`).
  public var isLowPower: Bool
  /// Whether the person's screen is locked; nil while unknown.
  public var lock: Bool?
  /// Whether the lock is unknown only because what knows it was just asked for the first time.
  public var isLockAwaited: Bool
  /// Whether the device is about to sleep, or sleeps; only logind announces it.
  public var isAsleep: Bool

  /// Conditions as they are named.
  public init(
    network: Network = .unmetered, isConstrained: Bool = false, power: Power = .external, battery: Int? = nil,
    isCharging: Bool = false, isLowPower: Bool = false, isLocked: Bool? = nil, isLockAwaited: Bool = false,
    isAsleep: Bool = false
  ) {
    (self.network, self.isConstrained, self.power) = (network, isConstrained, power)
    (self.battery, self.isCharging, self.isLowPower) = (battery, isCharging, isLowPower)
    (lock, self.isLockAwaited, self.isAsleep) = (isLocked, isLockAwaited, isAsleep)
  }

  /// Conditions as they are when only this is known: whether a network beyond this machine can be reached.
  public init(isOnline: Bool) { self.init(network: isOnline ? .unmetered : .none) }

  /// Whether a network beyond this machine can be reached.
  public var isOnline: Bool { network != .none }

  /// Whether a battery that is known is on its charger: it may be full, or not be charged for its own good.
  public var isOnCharger: Bool { isCharging || power == .external && battery != nil }

  /// Whether the person's screen is locked; while unknown it counts as unlocked.
  public var isLocked: Bool { lock ?? false }
}

/// Something that a transfer needs and the device lacks just now.
public enum Lack: Hashable, Sendable {
  /// Any network.
  case network
  /// A network other than a cellular one.
  case otherThanCellular
  /// A network that costs nothing, since it may not use one that does.
  case inexpensive
  /// A network on which data is not saved.
  case unconstrained
  /// A network that costs nothing, because the transfer is discretionary.
  case unmetered(Discretion)
  /// External power, because the transfer is discretionary.
  case externalPower(Discretion)
  /// The end of low power mode, because the transfer is discretionary.
  case fullPower(Discretion)
  /// A battery that is charging or at least so full, in percent, because the transfer is discretionary.
  case charge(Discretion, percentMin: Int)

  /// What makes a transfer discretionary.
  public enum Discretion: Hashable, Sendable {
    /// It was asked for.
    case asked
    /// Its app was running in the background when it queued it.
    case background
  }
}
