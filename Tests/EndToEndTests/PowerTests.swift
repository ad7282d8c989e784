import Patience
import Testing

extension EndToEndTests {
  /// What an app learns of the battery and of low power mode.
  @Suite struct PowerTests {
    @Test func `an app knows the battery from its launch on, and hears of each change of what it can see`() async throws
    {
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        try probe.instruct(.init(watchesPower: true))
        try await home.start()
        try await home.run(["device", "set", "power=battery", "battery=42", "charging=no"])
        try await probe.install()
        try await probe.launch()
        try await eventually("the app has looked") { probe.heard.contains { $0.call == "power" } }

        try await home.run(["device", "set", "battery=43"])
        try await eventually("the app has heard of the level") { probe.power.count == 2 }
        try await home.run(["device", "set", "network=metered"])
        try await home.run(["device", "set", "power=external"])
        try await eventually("the app has heard of the state") { probe.power.count == 3 }
        try await home.run(["device", "set", "lowpower=yes"])

        try await eventually("the app has heard of the last") { probe.power.last?.contains("true") == true }
        #expect(
          probe.power == [
            "launch 0.42 unplugged false", "UIDeviceBatteryLevelDidChangeNotification 0.43 unplugged false",
            "UIDeviceBatteryStateDidChangeNotification 0.43 charging false",
            "NSProcessInfoPowerStateDidChangeNotification 0.43 charging true",
          ])
      }
    }
  }
}

extension Probe {
  fileprivate var power: [String] {
    heard.filter { $0.call == "power" }.map { "\($0.name ?? "") \($0.detail ?? "")" }
  }
}
