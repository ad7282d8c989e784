import NightjarCommand
import NightjarWire
import Testing
import Varlink

@Suite(.timeLimit(.minutes(2))) struct NoticeTests {
  @Test func `settings are shown, and changed for one app or for all`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let first = await bench.run("settings")
    let second = await bench.run("settings", "dev.a", "alerts=off", "badges=on")
    let third = await bench.run("settings", "background-refresh=off", "--json")

    #expect([first, second, third] == [0, 0, 0])
    #expect(
      bench.screen.output.hasPrefix(
        """
        Background App Refresh is on for all apps.
        APP    BACKGROUND-REFRESH  ALERTS  SOUNDS  BADGES
        dev.a  on                  off     on      on

        """))
    #expect(bench.screen.output.contains("\"backgroundRefresh\" : true"))
    #expect(daemon.read { $0.deeds } == ["settings dev.a alerts=false badges=true", "settings all refresh=false"])
    daemon.stop()
  }

  @Test(arguments: [
    ("volume=off", "names no setting; there are background-refresh, alerts, sounds, badges"),
    ("alerts=perhaps", "alerts is on or off"), ("alerts=", "alerts is on or off"),
  ])
  func `what is no setting is refused in words`(word: String, reason: String) async throws {
    let bench = try Bench()

    let status = await bench.run("settings", "dev.a", word)

    #expect(status == 2)
    #expect(bench.screen.errors.contains(reason))
  }

  @Test func `notifications are listed, tapped and put away`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let statuses = [
      await bench.run("notifications"), await bench.run("notifications", "tap", "3"),
      await bench.run("notifications", "dismiss", "3", "4"), await bench.run("notifications", "clear"),
      await bench.run("notifications", "tap", "9"),
    ]

    #expect(statuses == [0, 0, 0, 0, 4])
    #expect(bench.screen.output.contains(" 3  2030-03-17T17:46:40Z  dev.a  Kitchen: Kettle: Tea is ready\n"))
    #expect(daemon.read { $0.deeds } == ["tap 3", "dismiss 3", "dismiss 4", "dismiss 3"])
    #expect(bench.screen.errors.contains("There is no notification 9"))
    daemon.stop()
  }

  @Test func `a notification that has gone keeps no other from being cleared, and is missed if named`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let cleared = await bench.run("notifications", "clear")
    let named = await bench.run("notifications", "dismiss", "5")

    #expect(cleared == 0 && named == 4)
    #expect(bench.screen.output.contains("Put 1 notification away."))
    #expect(daemon.read { $0.deeds } == ["dismiss 3"])
    daemon.stop()
  }

  @Test func `of several notifications the rest is put away where one is not there, and that is told`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let status = await bench.run("notifications", "dismiss", "3", "5", "4")

    #expect(status == 4)
    #expect(daemon.read { $0.deeds } == ["dismiss 3", "dismiss 4"])
    #expect(bench.screen.output == "Put 2 notifications away.\n")
    #expect(bench.screen.errors.contains("There is no notification 5"))
    daemon.stop()
  }
}

extension TestDaemon {
  /// The notification that somebody else puts away as soon as it is listed.
  private static let gone: Int64 = 5

  func serveNotices(_ interface: inout VarlinkInterface) {
    interface.handle(ControlInterface.ListSettings.self) { call in
      let app = ControlInterface.Settings(
        app: "dev.a", backgroundRefresh: true, alerts: false, sounds: true, badges: true)
      call.reply(.init(backgroundRefresh: true, apps: [app]))
    }
    interface.handle(ControlInterface.ChangeSettings.self) { [weak self] call throws(VarlinkError) in
      let asked = call.parameters
      let words = [
        asked.backgroundRefresh.map { "refresh=\($0)" }, asked.alerts.map { "alerts=\($0)" },
        asked.badges.map { "badges=\($0)" },
      ]
      try self?.did((["settings \(asked.app ?? "all")"] + words.compactMap { $0 }).joined(separator: " "))
      call.reply()
    }
    interface.handle(ControlInterface.ListNotices.self) { call in
      let notices = [(Self.gone, "Tea is cold"), (3, "Tea is ready")].map { id, body in
        ControlInterface.Notice(
          id: id, app: "dev.a", title: "Kitchen\nKettle", body: body, sounds: true, firedAt: 1_900_000_000_000)
      }
      call.reply(.init(notices: notices))
    }
    interface.handle(ControlInterface.TapNotice.self) { [weak self] call throws(VarlinkError) in
      guard call.parameters.id == 3 else { throw ControlInterface.NoSuchNotice(id: call.parameters.id).varlink }
      try self?.did("tap 3")
      call.reply(.init(pid: 7))
    }
    interface.handle(ControlInterface.DismissNotice.self) { [weak self] call throws(VarlinkError) in
      let id = call.parameters.id
      guard id != Self.gone else { throw ControlInterface.NoSuchNotice(id: id).varlink }
      try self?.did("dismiss \(id)")
      call.reply()
    }
  }
}
