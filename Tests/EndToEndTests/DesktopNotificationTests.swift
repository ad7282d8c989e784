import MockDevice
import NightjarWire
import Patience
import Testing

extension EndToEndTests {
  /// Local notifications on a pretended desktop, from the app's code to the click and back.
  @Suite struct DesktopNotificationTests {
    @Test func `a click on the desktop opens the app with the notification, over a killed daemon`() async throws {
      let bus = try MockBus(.notifications)
      try await withHome(.onDesktop(bus)) { home in
        let probe = try await Probe.gone([.init(name: "tea", after: 5)], in: home)
        try await eventually("the desktop shows it") { try bus.desktopCalls().map(\.body) == ["tea"] }
        try await eventually("it is written down") { Files.text(home.path + "/state/desktop").contains(" open ") }

        home.crash()
        try await home.start()
        try await eventually("the next daemon is on the desktop") {
          try bus.allDesktopCalls().count { $0.method == "GetCapabilities" } == 2
        }
        try bus.act("default", on: 1)
        try await eventually("the app finds it in its launch options") {
          probe.heard.contains { $0.call == "launchedBy" }
        }
        try await eventually("the desktop shows it no longer") {
          try bus.desktopCalls().contains { $0.method == "CloseNotification" && $0.number == 1 }
        }

        #expect(try bus.desktopCalls().count { $0.method == "Notify" } == 1)
        #expect(probe.heard.filter { $0.call == "launchedBy" }.map(\.name) == ["tea"])
      }
    }

    @Test func `what a person closes on the desktop is put away, and what is put away is closed there`() async throws {
      let bus = try MockBus(.notifications)
      try await withHome(.onDesktop(bus)) { home in
        _ = try await Probe.gone([.init(name: "tea", after: 5), .init(name: "cake", after: 5.2)], in: home)
        try await eventually("the desktop shows both") { try bus.desktopCalls().map(\.body) == ["tea", "cake"] }

        try bus.close(1, reason: 2)
        try await eventually("the first is put away") { try await home.bodies() == ["cake"] }
        try await home.run(["notifications", "clear"])

        try await eventually("the second is closed") {
          try bus.desktopCalls().contains { $0.method == "CloseNotification" && $0.number == 2 }
        }
      }
    }

    @Test func `without a desktop the status says so and nothing is lost, and what waits is shown when one comes`()
      async throws
    {
      let bus = try MockBus(.notifications)
      bus.end()
      try await withHome(.onDesktop(bus)) { home in
        _ = try await Probe.gone([.init(name: "tea", after: 5)], in: home)
        try await eventually("it lies in the notification centre") { try await home.bodies() == ["tea"] }
        let status = try await home.run(["status"])
        _ = try await home.stop()
        try await home.start()

        try bus.begin()
        try bus.start(.notifications)

        try await eventually("the desktop shows it") { try bus.desktopCalls().map(\.body) == ["tea"] }
        #expect(status.contains("Notifications are not shown on a desktop"), "it said: \(status)")
        #expect(try await home.run(["status"]).contains("not shown on a desktop") == false)
      }
    }

    @Test func `an app whose alerts or sounds are off is not seen, or not heard`() async throws {
      let bus = try MockBus()
      try bus.start(.notifications)
      try await withHome(.onDesktop(bus)) { home in
        _ = try await Probe.gone([.init(name: "tea", after: 5)], in: home, settings: ["sounds=off"])
        try await eventually("the desktop shows it") { try bus.desktopCalls().map(\.body) == ["tea"] }

        #expect(try bus.desktopCalls().first?.hints["suppress-sound"] == "1")
      }
    }
  }
}

extension [String: String] {
  fileprivate static func onDesktop(_ bus: MockBus) -> [String: String] {
    impatient.merging(["NIGHTJAR_DESKTOP_BUS": bus.address]) { $1 }
  }
}

extension Probe {
  /// The app has scheduled its notifications and has ended.
  fileprivate static func gone(
    _ notices: [Instructions.Notice], in home: Home, settings: [String] = []
  ) async throws -> Probe {
    let probe = Probe(home: home)
    try probe.instruct(.init(notices: notices))
    try await home.start()
    try await probe.install()
    if !settings.isEmpty { try await home.run(["settings", Probe.id] + settings) }
    try await probe.launch()
    try await eventually("the app has scheduled them") {
      probe.heard.count { $0.call == "scheduled" } == notices.count
    }
    try await probe.terminate()
    return probe
  }
}

extension Home {
  /// The texts in the notification centre, the oldest first.
  fileprivate func bodies() async throws -> [String] {
    try await call(ControlInterface.ListNotices.self).notices.map(\.body).reversed()
  }

}
