import NightjarModel

/// The device of a scenario: how many stretches of each kind change its usual conditions just now.
struct PlayedDevice: Sendable {
  private var networks: [Conditions.Network: Int] = [:]
  private var charging = 0
  private var savingPower = 0
  private var savingData = 0
  private var asleep = 0
  private let hasBattery: Bool
  var percent = 100 { didSet { conditions = present } }
  /// Its conditions.
  private(set) var conditions = Conditions()

  init(_ scenario: Scenario) {
    hasBattery = scenario.batteryLasts != nil || scenario.stretches.contains { $0.kind == .charging }
    conditions = present
  }

  /// Notes that a stretch begins or ends; several of one kind may overlap.
  mutating func count(_ kind: Scenario.Stretch.Kind, _ step: Int) {
    switch kind {
    case .network(let network): networks[network, default: 0] += step
    case .charging: charging += step
    case .lowPower: savingPower += step
    case .lowData: savingData += step
    case .asleep: asleep += step
    case .flaky: break  // It is planned as lost networks.
    }
    conditions = present
  }

  /// The present conditions. Of several networks the worst counts.
  private var present: Conditions {
    let worst = [Conditions.Network.none, .cellular, .metered].first { networks[$0, default: 0] > 0 }
    let isPlugged = !hasBattery || charging > 0
    return Conditions(
      network: worst ?? .unmetered, isConstrained: savingData > 0, power: isPlugged ? .external : .battery,
      battery: hasBattery ? percent : nil, isCharging: hasBattery && charging > 0 && percent < 100,
      isLowPower: savingPower > 0, isAsleep: isAsleep)
  }

  var isOnline: Bool { conditions.isOnline }
  var isAsleep: Bool { asleep > 0 }
}
