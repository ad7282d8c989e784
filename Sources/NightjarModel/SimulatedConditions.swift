/// What a person has put in the place of the sensors, so that an app can be tried under any conditions.
///
/// It is remembered over a restart of the daemon until it is taken back.
public struct SimulatedConditions: Hashable, Sendable {
  /// The network that is pretended, for servers on this machine too; nil for what is sensed.
  public var network: Conditions.Network?
  /// Whether saving data is pretended; nil for what is sensed.
  public var isConstrained: Bool?
  /// The source of power that is pretended; nil for what is sensed.
  public var power: Conditions.Power?
  /// How full the battery is pretended to be, in percent; nil for what is sensed.
  public var battery: Int?
  /// Whether charging is pretended; nil for what is sensed.
  public var isCharging: Bool?
  /// Whether low power mode is pretended; nil for what is sensed.
  public var isLowPower: Bool?
  /// Whether a locked screen is pretended; nil for what is sensed.
  public var isLocked: Bool?

  /// Nothing is simulated unless named.
  public init(
    network: Conditions.Network? = nil, isConstrained: Bool? = nil, power: Conditions.Power? = nil,
    battery: Int? = nil, isCharging: Bool? = nil, isLowPower: Bool? = nil, isLocked: Bool? = nil
  ) {
    (self.network, self.isConstrained, self.power) = (network, isConstrained, power)
    (self.battery, self.isCharging) = (battery, isCharging)
    (self.isLowPower, self.isLocked) = (isLowPower, isLocked)
  }

  /// Nothing is simulated.
  public static let none = SimulatedConditions()

  /// What is sensed, with what is simulated in its place.
  public func over(_ sensed: Conditions) -> Conditions {
    Conditions(
      network: network ?? sensed.network, isConstrained: isConstrained ?? sensed.isConstrained,
      power: power ?? sensed.power, battery: battery ?? sensed.battery, isCharging: isCharging ?? sensed.isCharging,
      isLowPower: isLowPower ?? sensed.isLowPower, isLocked: isLocked ?? sensed.lock,
      isLockAwaited: isLocked == nil && sensed.isLockAwaited, isAsleep: sensed.isAsleep)
  }

  /// Takes over what another one names, and keeps the rest.
  public mutating func take(_ other: SimulatedConditions) {
    network = other.network ?? network
    isConstrained = other.isConstrained ?? isConstrained
    power = other.power ?? power
    battery = other.battery ?? battery
    isCharging = other.isCharging ?? isCharging
    isLowPower = other.isLowPower ?? isLowPower
    isLocked = other.isLocked ?? isLocked
  }
}
