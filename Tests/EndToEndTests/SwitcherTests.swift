import Foundation
import NightjarWire
import Patience
import ScriptedServer
import Testing

extension EndToEndTests {
  /// What apps show, their snapshots and their places in the switcher.
  @Suite struct SwitcherTests {
    @Test func `an app is seen and used, left with a snapshot, and comes back as it was though it was ended`()
      async throws
    {
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        try await probe.appear()

        try await home.run(["act", Probe.id, "more"])
        try await home.run(["act", Probe.id, "write", "note=a<b & 'c'"])
        try await eventually("it has heard") { try await probe.view().contains("a&lt;b &amp; &#39;c&#39;") }
        try await home.run(["leave"])
        try await eventually("it is suspended") { try await probe.state() == .suspended }
        let snapshot = try await home.run(["view", "--snapshot", Probe.id])
        try await probe.terminate()
        try await eventually("it has ended") { try await probe.state() == .notRunning }
        let listed = try await home.run(["switcher"])
        try await probe.launch()
        try await eventually("it is where it was") { try await probe.view().contains("count 1") }

        #expect(snapshot.contains("count 1") && snapshot.contains("a&lt;b"))
        #expect(listed.contains(Probe.id) && listed.contains("notRunning"))
        #expect(try await probe.view().contains("a&lt;b"))
      }
    }

    @Test func `what background work has changed is seen in the snapshot`() async throws {
      let film = Content(seed: 3, size: 200_000)
      let server = try await HTTPTestServer.start()
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        try await probe.download(film, from: server, shows: true)
        try await home.run(["leave"])
        try await eventually("the app is suspended") { try await probe.state() == .suspended }

        server.release("/film")
        try await eventually("the app is told and acknowledges") { try await probe.hasSettled(["film"]) }
        try await eventually("the app is suspended") { try await probe.state() == .suspended }
        let snapshot = try await home.run(["view", "--snapshot", Probe.id])

        #expect(snapshot.contains("<li>film</li>") && snapshot.contains("background"))
      }
      try await server.stop()
    }

    @Test
    func `an app that is removed ends, is launched for nothing, and hears of its transfers from the next launch on`()
      async throws
    {
      let film = Content(seed: 3, size: 4_000_000)
      let server = try await HTTPTestServer.start()
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        try await probe.download(film, from: server, shows: true)
        try await home.run(["leave"])
        try await eventually("the app is suspended") { try await probe.state() == .suspended }

        try await home.run(["switcher", "remove", Probe.id])
        try await eventually("it has ended") { try await probe.state() == .notRunning }
        home.crash()
        try await home.start()
        let listed = try await home.run(["switcher"])
        let why = try await home.run(["why", Probe.id])
        let lives = Set(probe.heard.map(\.pid)).count
        try await probe.launch()
        try await eventually("it hears of its transfer") { probe.end(of: "film") != nil }

        #expect(!listed.contains(Probe.id))
        #expect(why.contains("removed from the switcher"))
        #expect(lives == 1)
        #expect(probe.end(of: "film")?.error == -999)
        #expect(!probe.heard.contains { $0.call == "shouldRestore" })
        #expect(!Files.exists(probe.container + "/Library/Caches/Snapshots/\(Probe.id)/Main/snapshot.html"))
      }
      try await server.stop()
    }

    @Test func `what a protected app shows, or showed last, is given out to nobody while the device is locked`()
      async throws
    {
      try await withHome(.impatient) { home in
        let probe = Probe(home: home, isProtected: true)
        try await probe.appear()

        try await home.run(["device", "set", "locked=yes"])
        let locked = try await home.call(ControlInterface.ShowView.self, .init(app: Probe.id))
        try await home.run(["leave"])
        try await eventually("it is suspended") { try await probe.state() == .suspended }
        let left = try await home.call(ControlInterface.ShowSnapshot.self, .init(app: Probe.id))
        try await home.run(["device", "set", "locked=no"])

        #expect(locked == .init(hidden: true))
        #expect(left == .init(hidden: true))
        #expect(try await home.run(["view", "--snapshot", Probe.id]).contains("count 0"))
      }
    }

    @Test func `a daemon that was killed sees again what the app in the foreground shows, and who was used when`()
      async throws
    {
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        try await probe.appear()
        try await home.run(["act", Probe.id, "more"])
        try await eventually("it has heard") { try await probe.view().contains("count 1") }

        home.crash()
        try await home.start()
        try await eventually("it is seen again") { try await probe.view().contains("count 1") }

        #expect(try await home.run(["switcher"]).contains(Probe.id))
      }
    }

    @Test func `a view that is too large is refused, and the one before it stays`() async throws {
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        try await probe.appear()

        try await home.run(["act", Probe.id, "flood"])
        try await eventually("its log says so") {
          try await home.run(["log", Probe.id]).contains("the view is not shown")
        }

        #expect(try await probe.view().contains("<p id='note'></p>"))
      }
    }
  }
}

extension Probe {
  /// Starts the daemon, and launches the app with a window.
  fileprivate func appear() async throws {
    try instruct(.init(shows: true))
    try await home.start()
    try await install()
    try await launch()
    try await eventually("it is seen") { try await view().contains("count 0") }
  }

  /// What it shows just now.
  fileprivate func view() async throws -> String {
    try await home.call(ControlInterface.ShowView.self, .init(app: app)).html ?? ""
  }
}
