import NightjarModel
import Testing

@testable import NightjarPlatform

/// What is made of what the kernel and the services say.
@Suite struct ReadingTests {
  @Test(arguments: [
    (70, 4, "802-11-wireless", Conditions.Network.unmetered), (70, 2, "802-3-ethernet", .unmetered),
    (70, 0, "802-3-ethernet", .unmetered), (70, 1, "802-11-wireless", .metered), (70, 3, "802-11-wireless", .metered),
    (50, 1, "802-11-wireless", .metered), (70, 4, "gsm", .cellular), (70, 1, "cdma", .cellular), (0, 1, "", .metered),
    (20, 0, "", .none), (40, 1, "802-11-wireless", .none),
  ])
  func `NetworkManager says what kind of network there is`(
    state: Int64, metered: Int64, type: String, network: Conditions.Network
  ) {
    let kernel = NetworkReading(isOnline: true, leavesMachine: false)

    let word = NetworkWord([
      "State": .number(state), "Metered": .number(metered), "PrimaryConnectionType": .text(type),
    ])

    #expect(kernel.network(word) == network)
  }

  @Test(arguments: [
    (NetworkReading(isOnline: false, leavesMachine: false), Conditions.Network.none),
    (NetworkReading(isOnline: true, leavesMachine: true), .unmetered),
    (NetworkReading(isOnline: true, leavesMachine: true, isCellular: true), .cellular),
  ])
  func `the kernel is believed about what NetworkManager does not manage`(
    kernel: NetworkReading, network: Conditions.Network
  ) {
    let unmanaged = NetworkWord(["State": .number(20), "Metered": .number(1)])

    #expect(kernel.network(unmanaged) == network)
    #expect(kernel.network(nil) == network)
  }

  @Test func `a cable that NetworkManager still believes in is none`() throws {
    let kernel = NetworkReading(isOnline: false, leavesMachine: false)

    let word = try #require(NetworkWord(["State": .number(70)]))

    #expect(kernel.network(word) == .none)
  }

  /// A folder below `/sys/class/power_supply` for each supply, by the names of its files.
  struct Sysfs: Sendable {
    var supplies: [String: [String: String]]
    var reading: PowerReading?

    init(_ supplies: [String: [String: String]], _ reading: PowerReading?) {
      (self.supplies, self.reading) = (supplies, reading)
    }
  }

  static let battery = ["type": "Battery", "capacity": "17", "status": "Discharging"]
  static let sysfs: [Sysfs] = [
    Sysfs([:], nil),
    Sysfs(["BAT0": ["type": "Battery", "present": "0"]], nil),
    Sysfs(["AC": ["type": "Mains", "online": "1"]], PowerReading()),
    Sysfs(["AC": ["type": "Mains", "online": "0"]], PowerReading()),
    Sysfs(["mouse": battery.merging(["scope": "Device"]) { $1 }], nil),
    Sysfs(["BAT0": battery], PowerReading(power: .battery, battery: 17)),
    Sysfs(["BAT0": battery, "AC": ["type": "Mains", "online": "0"]], PowerReading(power: .battery, battery: 17)),
    Sysfs(
      ["BAT0": battery.merging(["status": "Charging"]) { $1 }, "AC": ["type": "USB", "online": "1"]],
      PowerReading(battery: 17, isCharging: true)),
    Sysfs(["BAT0": ["type": "Battery", "capacity": "100", "status": "Full"]], PowerReading(battery: 100)),
    Sysfs(
      [
        "BAT0": ["type": "Battery", "capacity": "100", "energy_full": "10", "status": "Discharging"],
        "BAT1": ["type": "Battery", "capacity": "20", "energy_full": "30", "status": "Unknown"],
      ], PowerReading(power: .battery, battery: 40)),
    Sysfs(["BAT0": ["type": "Battery", "capacity": "many", "status": ""]], PowerReading()),
    Sysfs(["BAT0": battery.merging(["energy_full": "nan"]) { $1 }], PowerReading(power: .battery, battery: 17)),
    Sysfs(["BAT0": battery.merging(["energy_full": "inf"]) { $1 }], PowerReading(power: .battery, battery: 17)),
    Sysfs(["BAT0": battery.merging(["energy_full": "1e308"]) { $1 }], PowerReading(power: .battery, battery: 17)),
    Sysfs(
      [
        "BAT0": ["type": "Battery", "capacity": "100", "energy_full": "3"],
        "BAT1": ["type": "Battery", "capacity": "20", "energy_full": "-1"],
      ], PowerReading(battery: 60)),
    Sysfs(
      [
        "BAT0": ["type": "Battery", "capacity": "80", "energy_full": "50000000"],
        "BAT1": ["type": "Battery", "capacity": "0", "energy_full": "0"],
      ], PowerReading(battery: 80)),
    Sysfs(["BAT0": battery.merging(["energy_full": "0"]) { $1 }], PowerReading(power: .battery, battery: 17)),
  ]

  @Test(arguments: sysfs) func `sysfs says what power there is`(example: Sysfs) throws {
    let place = try TestHome()
    for (name, files) in example.supplies {
      for (file, text) in files { try place.put(text + "\n", to: "sys/class/power_supply/\(name)/\(file)") }
    }

    #expect(PowerReading(sysfs: place.root + "/sys") == example.reading)
  }

  @Test(arguments: [
    ([], false), ([LoginSession(isActive: true, isLocked: true)], true),
    ([LoginSession(isActive: true, isLocked: false), LoginSession(isActive: false, isLocked: true)], false),
    ([LoginSession(isActive: false, isLocked: true)], true), ([LoginSession(isActive: false, isLocked: false)], false),
  ])
  func `the screen is locked if the session in front is`(sessions: [LoginSession], isLocked: Bool) {
    #expect(LoginSession.isLocked(sessions) == isLocked)
  }

  /// What UPower says of itself and of its display device.
  struct Upower: Sendable {
    var own: [String: BusValue]
    var display: [String: BusValue]
    var reading: PowerReading?

    init(_ own: [String: BusValue], _ display: [String: BusValue], _ reading: PowerReading?) {
      (self.own, self.display, self.reading) = (own, display, reading)
    }
  }

  static func display(type: Int64, percentage: Double, state: Int64) -> [String: BusValue] {
    ["IsPresent": .truth(true), "Type": .number(type), "Percentage": .real(percentage), "State": .number(state)]
  }

  static let upower: [Upower] = [
    Upower([:], [:], nil),
    Upower(["OnBattery": .truth(true)], [:], PowerReading(power: .battery)),
    Upower(
      ["OnBattery": .truth(false)], display(type: 2, percentage: 99.6, state: 1),
      PowerReading(battery: 100, isCharging: true)),
    Upower(
      ["OnBattery": .truth(true)], display(type: 2, percentage: -.infinity, state: 2), PowerReading(power: .battery)),
    Upower(["OnBattery": .truth(false)], display(type: 5, percentage: 3, state: 2), PowerReading()),
    Upower(["OnBattery": .text("yes")], ["IsPresent": .other], nil),
  ]

  @Test(arguments: upower) func `UPower says what power there is, unless it talks nonsense`(example: Upower) {
    #expect(PowerReading(upower: example.own, display: example.display) == example.reading)
  }
}

extension TestHome {
  /// Writes a file, and makes the folders that it lies in.
  func put(_ text: String, to name: String) throws {
    _ = try folder(name.split(separator: "/").dropLast().joined(separator: "/"))
    _ = try file(name, text)
  }
}
