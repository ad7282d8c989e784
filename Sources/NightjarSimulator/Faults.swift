/// How hard the world is on the daemon: how often, in a thousand, each misfortune strikes where it can.
public struct Faults: Hashable, Sendable {
  /// The daemon dies in a turn: before its commit, after it, or between two deeds.
  public var daemonCrash = 0
  /// The database cannot be written for a while, as on a full disk: nothing is handled until it can.
  public var standstill = 0
  /// The device does something at its hourly look: reboots, sleeps, or sets its clock by fifty years.
  public var deviceUnrest = 0
  /// The network goes at a look every quarter of an hour, for minutes or hours.
  public var networkLoss = 0
  /// A step of an attempt fails, in any way there is.
  public var engineFailure = 0
  /// The engine says something twice, late, or never again.
  public var engineUnrest = 0
  /// A finished file is damaged or gone by the time that it is read.
  public var damage = 0
  /// A launch fails, or takes longer than anybody waits.
  public var launchFailure = 0
  /// An app crashes where it can.
  public var appCrash = 0
  /// An app stops doing what it owes: it does not attach, acknowledge or finish.
  public var appHang = 0
  /// An app's connection breaks.
  public var disconnect = 0
  /// Memory runs short, at a look every twenty minutes.
  public var memoryLack = 0
  /// A person does something, at a look every ten minutes or so.
  public var people = 0

  /// Nothing goes wrong, and nobody meddles.
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
