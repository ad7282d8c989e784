import Foundation
import NightjarWire
import Patience
import Testing

extension EndToEndTests {
  /// Local notifications and settings, from the app's code to the notification centre and back.
  @Suite struct NotificationTests {
    @Test func `fired while the app is gone, kept over a killed daemon, and tapped: the app is launched by it`()
      async throws
    {
      try await withHome(.impatient) { home in
        let probe = try await Probe.scheduling([.init(name: "tea", after: 5)], in: home)
        try await probe.terminate()
        try await eventually("it lies in the notification centre") { try await home.notices().map(\.body) == ["tea"] }

        home.crash()
        try await home.start()
        let listed = try await home.run(["notifications"])
        let id = try #require(try await home.notices().first?.id)
        try await home.run(["notifications", "tap", "\(id)"])
        try await eventually("the app finds it in its launch options") {
          probe.heard.contains { $0.call == "launchedBy" }
        }
        try await eventually("it is taken") { try await home.notices().isEmpty }

        #expect(listed.contains("tea") && listed.contains(Probe.id))
        #expect(probe.heard.filter { $0.call == "launchedBy" }.map(\.name) == ["tea"])
        #expect(!probe.heard.contains { $0.call == "didReceive" })
      }
    }

    @Test func `fired while the app stands still, and tapped: it is told on the way to the foreground`() async throws {
      try await withHome(.impatient) { home in
        let probe = try await Probe.scheduling([.init(name: "tea", after: 6, badge: 3)], in: home)
        try await home.run(["leave"])
        try await eventually("the app is suspended") { try await probe.state() == .suspended }
        try await eventually("it lies in the notification centre") { try await home.notices().map(\.body) == ["tea"] }

        let badge = try await home.call(ControlInterface.ListApps.self).apps.first?.badge
        let id = try #require(try await home.notices().first?.id)
        try await home.run(["notifications", "tap", "\(id)"])
        try await eventually("the delegate is told") { probe.heard.contains { $0.call == "didReceive" } }

        #expect(badge == 3)
        #expect(probe.heard.filter { $0.call == "didReceive" }.map(\.detail) == ["inactive"])
        #expect(Set(probe.heard.map(\.pid)).count == 1)
      }
    }

    @Test func `fired in the foreground: the delegate is told, and nothing is shown`() async throws {
      try await withHome(.impatient) { home in
        let probe = try await Probe.scheduling([.init(name: "tea", after: 0.5)], in: home)

        try await eventually("the delegate is told") { probe.heard.contains { $0.call == "didReceive" } }

        #expect(probe.heard.filter { $0.call == "didReceive" }.map(\.detail) == ["active"])
        #expect(try await home.notices().isEmpty)
      }
    }

    @Test func `requested of the center: shown in the foreground, and told when it is tapped, also after a crash`()
      async throws
    {
      try await withHome(.impatient) { home in
        let probe = try await Probe.scheduling([.init(name: "tea", after: 6, title: "Kitchen")], in: home)
        try await eventually("it is shown, with its title") { try await home.notices().map(\.title) == ["Kitchen"] }

        home.crash()
        try await home.start()
        let id = try #require(try await home.notices().first?.id)
        try await home.run(["notifications", "tap", "\(id)"])
        try await eventually("the delegate is told of the tap") {
          probe.heard.contains { $0.call == "didReceiveResponse" }
        }
        try await eventually("it is taken") { try await home.notices().isEmpty }

        #expect(probe.heard.filter { $0.call == "scheduled" }.map(\.count) == [1])
        #expect(probe.heard.filter { $0.call == "willPresent" }.map(\.detail) == ["Kitchen"])
        #expect(probe.heard.filter { $0.call == "didReceiveResponse" }.map(\.name) == ["tea"])
        #expect(!probe.heard.contains { $0.call == "didReceive" })
      }
    }

    @Test func `due while no daemon runs: fired by the next, once`() async throws {
      try await withHome(.impatient) { home in
        let probe = try await Probe.scheduling([.init(name: "tea", after: 5)], in: home)
        try await probe.terminate()
        try await eventually("the app is gone") { try await probe.state() == .notRunning }
        _ = try await home.stop()

        let due = try #require(probe.heard.first { $0.call == "scheduled" }?.count)
        try await eventually("its time has passed") { Int64(Date().timeIntervalSince1970 * 1000) > due }
        try await home.start()
        try await eventually("it lies in the notification centre") { try await home.notices().map(\.body) == ["tea"] }
        let cleared = try await home.run(["notifications", "clear"])

        #expect(cleared.contains("1 notification"))
        #expect(try await home.notices().isEmpty)
      }
    }

    @Test func `not wanted by the person: nothing is shown, and the app's log says why`() async throws {
      try await withHome(.impatient) { home in
        let probe = try await Probe.scheduling(
          [.init(name: "tea", after: 6, badge: 2)], wanting: ["alerts=off", "background-refresh=off"], in: home)
        try await probe.terminate()

        try await eventually("it is fired") {
          try await home.call(ControlInterface.ListApps.self).apps.first?.badge == 2
        }
        let log = try await home.run(["log", Probe.id])

        #expect(try await home.notices().isEmpty)
        #expect(log.contains("a notification was not shown: alerts are off"), "it said: \(log)")
        #expect(try await home.call(ControlInterface.ListApps.self).apps.first?.backgroundRefresh == false)
      }
    }

    @Test func `capabilities are added to a bundle and to an installed app, and unknown ones refused`() async throws {
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        let bundle = try probe.bundle()
        try await home.start()

        let added = try await home.run(["capabilities", bundle, "add", "fetch", "audio"])
        _ = try await home.call(ControlInterface.Install.self, .init(path: bundle))
        let installed = try await home.call(ControlInterface.ListApps.self).apps.first?.modes
        try await home.run(["capabilities", Probe.id, "remove", "audio"])
        let changed = try await home.call(ControlInterface.ListApps.self).apps.first?.modes

        #expect(added.contains("remote-notification") && added.contains("fetch"))
        #expect(installed == ["fetch", "audio"] && changed == ["fetch"])
      }
    }
  }
}

extension Probe {
  /// The app is installed and launched, and has scheduled its notifications. Before, the person has said what they
  /// want, so that none fires meanwhile on a slow machine.
  fileprivate static func scheduling(
    _ notices: [Instructions.Notice], wanting settings: [String] = [], in home: Home
  ) async throws -> Probe {
    let probe = Probe(home: home)
    try probe.instruct(.init(notices: notices))
    try await home.start()
    try await probe.install()
    if !settings.isEmpty { try await home.run(["settings", id] + settings) }
    try await probe.launch()
    try await eventually("the app has scheduled them") {
      probe.heard.count { $0.call == "scheduled" } == notices.count
    }
    return probe
  }
}

extension Home {
  /// What lies in the notification centre.
  fileprivate func notices() async throws -> [ControlInterface.Notice] {
    try await call(ControlInterface.ListNotices.self).notices
  }
}
