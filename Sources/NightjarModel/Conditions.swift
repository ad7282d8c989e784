/// What the device is like just now, as far as it decides over background work.
///
/// Nobody having sensed anything means that nothing stands in the way: a network that costs nothing, and power.
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

  /// Conditions as they are named.
  public init(network: Network = .unmetered, isConstrained: Bool = false, power: Power = .external) {
    (self.network, self.isConstrained, self.power) = (network, isConstrained, power)
  }

  /// Conditions as they are when only this is known: whether a network beyond this machine can be reached.
  public init(isOnline: Bool) { self.init(network: isOnline ? .unmetered : .none) }

  /// Whether a network beyond this machine can be reached.
  public var isOnline: Bool { network != .none }
}

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

  /// Nothing is simulated unless named.
  public init(network: Conditions.Network? = nil, isConstrained: Bool? = nil, power: Conditions.Power? = nil) {
    (self.network, self.isConstrained, self.power) = (network, isConstrained, power)
  }

  /// Nothing is simulated.
  public static let none = SimulatedConditions()

  /// What is sensed, with what is simulated in its place.
  public func over(_ sensed: Conditions) -> Conditions {
    Conditions(
      network: network ?? sensed.network, isConstrained: isConstrained ?? sensed.isConstrained,
      power: power ?? sensed.power)
  }

  /// Takes over what another one names, and keeps the rest.
  public mutating func take(_ other: SimulatedConditions) {
    network = other.network ?? network
    isConstrained = other.isConstrained ?? isConstrained
    power = other.power ?? power
  }
}

/// What a transfer needs of the device and does not find just now.
public enum Lack: Hashable, Sendable {
  /// Any network.
  case network
  /// A network other than a cellular one.
  case otherThanCellular
  /// A network that costs nothing, since it may not use one that does.
  case inexpensive
  /// A network on which nobody saves data.
  case unconstrained
  /// A network that costs nothing, because the transfer is discretionary.
  case unmetered(Discretion)
  /// External power, because the transfer is discretionary.
  case externalPower(Discretion)

  /// What makes a transfer discretionary.
  public enum Discretion: Hashable, Sendable {
    /// It was asked for.
    case asked
    /// Its app was running in the background when it queued it.
    case background
  }
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
    /// Something that the device does not offer just now, or that a person has it pretend not to offer.
    case lacks(Lack, isSimulated: Bool)
    /// The time on the wall clock before which it must not begin.
    case earliestBegin(Timestamp)
    /// A free place among the connections to this host.
    case hostBusy(host: String, limit: Int)
    /// A free place among the connections that its session may have with this host.
    case sessionBusy(host: String, limit: Int)
    /// A free place among all connections.
    case allBusy(limit: Int)
    /// Room in the staging area: its app has so many bytes there already, and may have no more.
    case stagedBytes(Int64, limit: Int64)
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
    /// The app was launched into the background more often than it may be; the count is what it is granted at once.
    case launchBudget(max: Int)
    /// The app was launched for this session so often and never opened it; a person has to launch it.
    case unopened(session: String, launches: Int)
    /// Telling the app has crashed it too often; a person has to launch it.
    case parked(crashes: Int)
    /// Its app's answer.
    case answer(Question)
    /// No program is there to be told: it is not attached and named no command that would relaunch it.
    case nobodyToTell
  }
}
