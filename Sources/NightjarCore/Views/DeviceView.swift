public import NightjarModel

/// What the device is like, and what of that is only simulated.
public struct DeviceView: Hashable, Sendable {
  /// The conditions that transfers obey.
  public var conditions: Conditions
  /// What a person has put in the place of the sensors.
  public var simulated: SimulatedConditions
  /// Where they are learned from.
  public var sources = SignalSources()
}
