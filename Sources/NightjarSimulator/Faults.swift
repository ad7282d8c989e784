/// How likely each fault is, in thousandths, on each occasion for it.
public struct Faults: Hashable, Sendable {
  /// The daemon dies in a turn: before its commit, after it, or between two deeds.
  public var daemonCrash = 0
  /// The database cannot be written for a while, as on a full disk: nothing is handled until it can.
  public var standstill = 0
  /// The device reboots, sleeps, or moves its clock by fifty years; drawn every hour.
  public var deviceUnrest = 0
  /// The network is lost, for minutes or hours; drawn every quarter of an hour.
  public var networkLoss = 0
  /// A step of an attempt fails, in any possible way.
  public var engineFailure = 0
  /// The engine reports something twice or late, or falls silent.
  public var engineUnrest = 0
  /// A finished file is damaged or gone by the time that it is read.
  public var damage = 0
  /// A launch fails, or takes longer than its deadline.
  public var launchFailure = 0
  /// An app crashes.
  public var appCrash = 0
  /// An app hangs: it does not attach, acknowledge or finish.
  public var appHang = 0
  /// An app's connection breaks.
  public var disconnect = 0
  /// Memory runs short; drawn every twenty minutes.
  public var memoryLack = 0
  /// A person does something; drawn about every ten minutes.
  public var people = 0

  /// Nothing goes wrong, and people do nothing.
  public static let none = Faults()

  /// An ordinary bad week.
  public static let mild = Faults(
    daemonCrash: 4, standstill: 2, deviceUnrest: 15, networkLoss: 10, engineFailure: 40, engineUnrest: 10, damage: 10,
    launchFailure: 20, appCrash: 10, appHang: 10, disconnect: 10, memoryLack: 20, people: 150)

  /// Everything that can go wrong goes wrong, often.
  public static let harsh = Faults(
    daemonCrash: 20, standstill: 10, deviceUnrest: 60, networkLoss: 50, engineFailure: 150, engineUnrest: 60,
    damage: 60, launchFailure: 120, appCrash: 60, appHang: 60, disconnect: 50, memoryLack: 150, people: 400)

  /// The presets by name: `none`, `mild`, `harsh`.
  public static func named(_ name: String) -> Faults? {
    switch name {
    case "none": Faults.none
    case "mild": .mild
    case "harsh": .harsh
    default: nil
    }
  }
}
