/// The methods about the device.
extension ControlInterface {
  /// The state of the device, as far as it matters to transfers. `simulated` names the fields that SetDevice has set in
  /// place of the sensors; they survive a restart of the daemon, until ResetDevice.
  public struct Device: Codable, Hashable, Sendable {
    /// What kind of network there is. `metered` and `cellular` cost money; a discretionary transfer waits for
    /// `unmetered`.
    public enum Network: String, Codable, Hashable, Sendable, CaseIterable {
      case none, unmetered, metered, cellular
    }

    /// Where the power comes from. A discretionary transfer waits for `external`.
    public enum Power: String, Codable, Hashable, Sendable, CaseIterable {
      case external, battery
    }

    public var network: Network
    /// Whether the person saves data.
    public var constrained: Bool
    public var power: Power
    public var simulated: [String]
    /// The battery's charge in percent; null if there is no battery or its charge is unknown.
    public var battery: Int?
    /// Whether the battery is being charged.
    public var charging: Bool?
    /// Whether the person saves power. A discretionary transfer waits until that ends.
    public var lowPower: Bool?
    /// Whether the person's screen is locked.
    public var locked: Bool?
    /// Whether the device is about to sleep, or sleeps.
    public var asleep: Bool?
    /// Where these values come from: one sentence for each signal. It says so if the signal is polled.
    public var sources: [String]?

    /// Fills in every field; what may be null is null unless given.
    public init(
      network: Network, constrained: Bool, power: Power, simulated: [String], battery: Int? = nil,
      charging: Bool? = nil, lowPower: Bool? = nil, locked: Bool? = nil, asleep: Bool? = nil, sources: [String]? = nil
    ) {
      self.network = network
      self.constrained = constrained
      self.power = power
      self.simulated = simulated
      self.battery = battery
      self.charging = charging
      self.lowPower = lowPower
      self.locked = locked
      self.asleep = asleep
      self.sources = sources
    }
  }

  /// The device, in the answer of every method about it.
  public struct DeviceReply: Codable, Hashable, Sendable {
    public var device: Device

    /// Fills in every field.
    public init(device: Device) { self.device = device }
  }

  /// The state of the device.
  public enum ShowDevice: WireMethod {
    public static let name = "dev.nightjar.Control.ShowDevice"

    public typealias Parameters = Nothing
    public typealias Reply = DeviceReply
  }

  /// Simulates sensors: each given value replaces the sensed one, null leaves it as it was. The sensed network does not
  /// matter to transfers with servers on this machine (loopback), which need none; a simulated network does, so that an
  /// app can be tried against a local server.
  public enum SetDevice: WireMethod {
    public static let name = "dev.nightjar.Control.SetDevice"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var network: Device.Network?
      public var constrained: Bool?
      public var power: Device.Power?
      /// In percent, from 0 to 100.
      public var battery: Int?
      public var charging: Bool?
      public var lowPower: Bool?
      public var locked: Bool?

      /// Fills in every field; what may be null is null unless given.
      public init(
        network: Device.Network? = nil, constrained: Bool? = nil, power: Device.Power? = nil, battery: Int? = nil,
        charging: Bool? = nil, lowPower: Bool? = nil, locked: Bool? = nil
      ) {
        self.network = network
        self.constrained = constrained
        self.power = power
        self.battery = battery
        self.charging = charging
        self.lowPower = lowPower
        self.locked = locked
      }
    }

    public typealias Reply = DeviceReply
  }

  /// Ends every simulation: the sensed values apply again.
  public enum ResetDevice: WireMethod {
    public static let name = "dev.nightjar.Control.ResetDevice"

    public typealias Parameters = Nothing
    public typealias Reply = DeviceReply
  }
}
