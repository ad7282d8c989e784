import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A fetch that a person asks for` {
  @Test func `launches an app that does not run, and tells it once it is attached`() {
    var bench = Bench.withRefreshableApp()

    let early = bench.order(.fetchNow(farm, request: nil))
    let launches = bench.deeds.launches
    let client = bench.attachInBackground(life: 1, connection: 1)

    #expect(early == nil)
    #expect(launches.map(\.isBackground) == [true])
    #expect(bench.deeds.messages.contains(.performFetch(number: 1, remaining: .seconds(30))))
    #expect(bench.view(farm)?.rights == [.errand(request: nil, atMost: .seconds(30))])
    #expect(client.app == farm)
  }

  @Test func `is answered with its outcome and its cost, and the app is suspended`() {
    var bench = Bench.withRefreshableApp()
    let ticket = bench.fetch()
    let client = bench.attachInBackground(life: 1, connection: 1)
    bench.send(.app(farm, life: 1, .metered(errand: 1, cpu: .milliseconds(20))))
    bench.pass(.seconds(3))

    bench.ask(.finishFetch(1, .newData), as: client)
    let suspensions = bench.deeds.suspensions
    bench.send(.app(farm, life: 1, .metered(errand: 1, cpu: .milliseconds(120))))

    let cost = FetchCost(wall: .seconds(3), cpu: .milliseconds(100))
    #expect(suspensions == [farm])
    #expect(bench.answer(to: ticket) == .fetched(.newData, cost))
    #expect(bench.rows.memory.fetches.first?.counts.newData == 1)
    #expect(bench.rows.memory.fetches.first?.cost == cost)
    #expect(bench.rows.memory.decisions.map(\.outcome) == [.newData])
  }

  @Test func `is charged with the bytes that its processes and its transfers have moved, and with the radio's energy`()
  {
    var (bench, client) = Bench.withSuspendedApp()
    let ticket = bench.fetch()
    bench.send(.app(farm, life: 1, .metered(errand: 1, cpu: nil, received: 1_000, sent: 100)))
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.send(.transfer(TransferID(1), attempt: 1, .progressed(count: 500, expected: nil)))
    bench.ask(.finishFetch(1, .newData), as: client)

    bench.send(.app(farm, life: 1, .metered(errand: 1, cpu: nil, received: 101_000, sent: 10_100)))

    guard case .fetched(.newData, let cost)? = bench.answer(to: ticket) else { return #expect(Bool(false)) }
    #expect(cost.received >= 100_000 && cost.sent == 10_000)
    #expect((0.01...1).contains(cost.joules))
  }

  @Test func `is charged with no transfer that its app had queued before, nor with one that stays on this machine`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    let ticket = bench.fetch()
    bench.ask(.enqueue(.made(2), isSuspended: false), as: client)
    bench.ask(.enqueue(.made(3, host: "127.0.0.1"), isSuspended: false), as: client)

    for (id, count) in [(1, 1_000_000), (2, 500), (3, 20_000)] as [(Int64, Int64)] {
      bench.send(.transfer(TransferID(id), attempt: 1, .progressed(count: count, expected: nil)))
    }
    bench.ask(.finishFetch(1, .newData), as: client)
    bench.send(.app(farm, life: 1, .metered(errand: 1, cpu: nil)))

    guard case .fetched(.newData, let cost)? = bench.answer(to: ticket) else { return #expect(Bool(false)) }
    #expect(cost.received == 500)
  }

  @Test func `answered too late brings its content up to date all the same, and stays late`() {
    var (bench, client) = Bench.withSuspendedApp()
    bench.fetch()
    bench.pass(.seconds(32))
    bench.stand()
    bench.order(.launch(farm, arguments: []))
    let stale = bench.rows.memory.fetches.first?.freshAt

    bench.ask(.finishFetch(1, .newData), as: client)

    #expect(bench.rows.memory.fetches.first?.counts.late == 1)
    #expect(bench.rows.memory.fetches.first?.counts.newData == 0)
    #expect(stale == .zero && bench.rows.memory.fetches.first?.freshAt == Age(.seconds(32)))
  }

  @Test func `answered too late brings its content up to date, though a task of its app was late after it`() {
    var (bench, client) = Bench.withSuspendedApp()
    bench.fetch()
    bench.pass(.seconds(32))
    bench.stand()
    bench.ask(.submit(Bench.clean), as: client)
    bench.order(.fetchNow(farm, request: "clean"))
    bench.pass(.minutes(11))
    let stale = bench.rows.memory.fetches.first?.freshAt

    bench.ask(.finishFetch(1, .newData), as: client)

    #expect(stale == .zero && bench.rows.memory.fetches.first?.freshAt == Age(.minutes(11) + .seconds(32)))
  }

  @Test(arguments: [BackgroundRequest.Kind.processing, .refresh], [false, true])
  func `does not, if it was a task, tell how often content changes`(kind: BackgroundRequest.Kind, isRestarted: Bool) {
    var (bench, client) = Bench.withSuspendedApp()
    bench.fetch()
    bench.ask(.finishFetch(1, .newData), as: client)
    bench.stand()
    bench.ask(.submit(BackgroundRequest(identifier: "task", kind: kind)), as: client)
    bench.order(.fetchNow(farm, request: "task"))
    let before = bench.rows.memory.fetches[0]

    if isRestarted { bench.restart(adopting: [(farm, life: 1, pid: client.pid)]) }
    bench.pass(isRestarted ? .seconds(5) : .minutes(11))
    bench.ask(.finishRequestedTask(2, success: true), as: client)

    let after = bench.rows.memory.fetches[0]
    #expect(after.updates == before.updates)
    #expect((after.freshAt != before.freshAt) == (kind == .refresh))
  }

  @Test(
    arguments: [
      (1_700_000_000, 1_700_144_000, 40...60), (1_700_000_000, 1_699_856_000, 0...9), (60, 1_700_144_000, 0...9),
    ] as [(Int64, Int64, ClosedRange<Double>)])
  func `tells how often content changes in all the time that has passed, that with the machine off included`(
    first: Int64, second: Int64, hours: ClosedRange<Double>
  ) {
    var (bench, client) = Bench.withSuspendedApp()
    bench.wall = Timestamp(seconds: first)
    bench.fetch()
    bench.ask(.finishFetch(1, .noData), as: client)

    bench.wall = Timestamp(seconds: second)
    bench.restart(boot: BootID("second"))
    bench.fetch()
    let next = bench.attachInBackground(life: 2, connection: 2)
    bench.ask(.finishFetch(2, .noData), as: next)

    #expect(bench.rows.memory.fetches.first?.counts.noData == 2)
    #expect(hours.contains(bench.rows.memory.fetches[0].updates.hours))
  }

  @Test func `learns nothing of how often content changes from a clock that is set while the machine runs`() {
    var (bench, client) = Bench.withSuspendedApp()
    bench.fetch()
    bench.ask(.finishFetch(1, .noData), as: client)
    bench.stand()
    bench.pass(.hours(8))
    bench.wall = Timestamp(seconds: 1_800_000_000)
    bench.fetch()
    bench.ask(.finishFetch(2, .noData), as: client)

    #expect(bench.rows.memory.fetches.first?.counts.noData == 2)
    #expect((0...17).contains(bench.rows.memory.fetches[0].updates.hours))
  }

  @Test func `keeps what the app shows by then as its snapshot`() {
    var (bench, client) = Bench.withSuspendedApp()
    bench.fetch()
    bench.ask(.show(view: 7, byteCount: 10), as: client)

    bench.ask(.finishFetch(1, .newData), as: client)

    #expect(bench.deeds.contains(.keepSnapshot(farm)))
  }

  @Test func `thaws an app that is suspended`() {
    var (bench, _) = Bench.withSuspendedApp()

    bench.fetch()

    #expect(bench.deeds.thaws == [farm])
    #expect(bench.deeds.messages == [.performFetch(number: 1, remaining: .seconds(30))])
  }

  @Test func `tells an app that runs as it is, and takes nothing from it`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    bench.fetch()

    bench.ask(.finishFetch(1, .noData), as: client)

    #expect(bench.deeds.suspensions == [])
    #expect(bench.view(farm)?.state == .foreground)
  }

  @Test func `that is not answered in time is late, and the app is suspended and not killed`() {
    var (bench, _) = Bench.withSuspendedApp()
    let ticket = bench.fetch()

    let done = bench.pass(.seconds(29)).suspensions
    let late = bench.pass(.seconds(1))

    #expect(done == [])
    #expect(late.suspensions == [farm])
    #expect(late.ends == [])
    #expect(bench.rows.memory.fetches.first?.counts.late == 1)
    bench.pass(.seconds(2))
    #expect(bench.rows.memory.decisions.map(\.outcome) == [.late])
    #expect(late.contains { if case .answer(ticket, _) = $0 { true } else { false } } == false)
  }

  @Test func `is measured no longer than a moment`() {
    var (bench, _) = Bench.withSuspendedApp()
    let ticket = bench.fetch()

    bench.pass(.seconds(32))

    #expect(bench.answer(to: ticket) == .fetched(.late, FetchCost(wall: .seconds(30))))
  }

  @Test func `answered twice counts once`() {
    var (bench, client) = Bench.withSuspendedApp()
    bench.fetch()

    bench.ask(.finishFetch(1, .newData), as: client)
    let again = bench.ask(.finishFetch(1, .failed), as: client)

    #expect(again == .done)
    #expect(bench.rows.memory.fetches.first?.counts.newData == 1)
    #expect(bench.rows.memory.fetches.first?.counts.failed == 0)
  }

  @Test func `is not ended by another app's answer`() {
    var (bench, _) = Bench.withSuspendedApp()
    bench.send(.installed(otherApp, nil))
    bench.fetch()

    bench.ask(.finishFetch(1, .newData), as: Client(other, pid: 9, connection: 9))

    #expect(bench.view(farm)?.rights.isEmpty == false)
  }

  @Test func `over which the app crashes has failed, and is not made again by itself`() {
    var (bench, _) = Bench.withSuspendedApp()
    let ticket = bench.fetch()

    bench.send(.app(farm, life: 1, .exited(status: "was killed by signal 11", isCrash: true)))
    let answer = bench.answer(to: ticket)
    let launches = bench.pass(.hours(1)).launches

    guard case .refused(.fetchRefused(farm, "ended", _))? = answer else { return #expect(Bool(false), "\(answer!)") }
    #expect(launches == [])
    #expect(bench.rows.memory.fetches.first?.backOff.failures == 1)
  }

  @Test func `that the daemon does not live to see has failed, and is not the app's fault`() {
    var (bench, client) = Bench.withSuspendedApp()
    bench.fetch()
    bench.rows.memory.fetches[0].lastDuration = .seconds(9)  // That of the one before.

    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])
    bench.attach(client)

    #expect(bench.deeds.messages.contains { if case .performFetch = $0 { true } else { false } } == false)
    #expect(bench.rows.memory.fetches.first?.counts.failed == 1)
    #expect(bench.rows.memory.fetches.first?.backOff.failures == 0)
    #expect(bench.rows.memory.fetches.first?.open == nil)
    #expect(bench.rows.memory.fetches.first?.lastDuration == .zero)
    #expect(bench.rows.memory.decisions.map(\.outcome) == [.failed])
  }

  @Test func `that the daemon does not live to see has failed, also if its app is found again only later`() {
    var (bench, _) = Bench.withSuspendedApp()
    bench.fetch()
    bench.rows.memory.apps = []  // Its row could not be read.
    bench.restart()
    let early = bench.rows.memory.decisions.map(\.outcome)

    bench.send(.installed(Bench.refreshable, nil))

    #expect(early == [nil] && bench.rows.memory.decisions.map(\.outcome) == [.failed])
    #expect(bench.rows.memory.fetches.map(\.open) == [nil] && bench.rows.memory.fetches.map(\.counts.failed) == [1])
  }

  @Test func `goes on while its app is installed again, though another app's belongings are unclaimed`() {
    var (bench, client) = Bench.withSuspendedApp()
    bench.send(.installed(otherApp, nil))
    bench.order(.launch(other, arguments: []))
    bench.rows.memory.apps.removeAll { $0.installed.id == other }  // Its row could not be read.
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)], frozen: true)
    bench.attach(client)
    bench.fetch()

    bench.send(.installed(Bench.refreshable, nil))

    #expect(bench.rows.memory.decisions.map(\.outcome) == [nil])
  }

  @Test func `waits for an app that is about to end, and is told its next life`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    bench.order(.terminate(farm))
    bench.fetch()
    bench.send(.detached(client.connection))

    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    #expect(bench.deeds.launches.map(\.life) == [2])
  }

  @Test func `is refused where no fetch may be`() {
    var bench = Bench.withRefreshableApp()
    bench.send(.installed(otherApp, nil))

    let undeclared = bench.order(.fetchNow(other, request: nil))?.code
    bench.order(.changeSettings(farm, SettingsChange(refreshes: false)))
    let off = bench.order(.fetchNow(farm, request: nil))?.code
    bench.order(.changeSettings(farm, SettingsChange(refreshes: true)))
    bench.order(.changeSettings(nil, SettingsChange(refreshes: false)))
    let offForAll = bench.order(.fetchNow(farm, request: nil))?.code
    bench.order(.changeSettings(nil, SettingsChange(refreshes: true)))
    bench.order(.removeFromSwitcher(farm))
    let removed = bench.order(.fetchNow(farm, request: nil))?.code
    let strange = bench.order(.fetchNow(AppID("nobody"), request: nil))

    #expect(undeclared == "notDeclared")
    #expect([off, offForAll] == ["backgroundRefreshOff", "backgroundRefreshOff"])
    #expect(removed == "removedFromSwitcher")
    #expect(strange == .refused(.noSuchApp(AppID("nobody"))))
    #expect(bench.deeds.launches == [])
  }

  @Test(arguments: [farm, nil])
  func `is refused if Background App Refresh is switched off before the app is told, which then never is`(app: AppID?) {
    var bench = Bench.withRefreshableApp()
    let ticket = bench.fetch()

    bench.order(.changeSettings(app, SettingsChange(refreshes: false)))
    let answer = bench.answer(to: ticket)
    _ = bench.attachInBackground(life: 1, connection: 1)

    #expect(answer?.code == "backgroundRefreshOff")
    #expect(!bench.deeds.messages.contains { if case .performFetch = $0 { true } else { false } })
    #expect(bench.rows.memory.decisions.map(\.outcome) == [.failed] && bench.view(farm)?.rights.isEmpty == true)
    #expect(bench.rows.memory.fetches.allSatisfy { $0.backOff == BackOff() }, "nobody has failed")
  }

  @Test func `goes on if Background App Refresh is switched off after the app was told`() {
    var (bench, client) = Bench.withSuspendedApp()
    bench.fetch()

    bench.order(.changeSettings(farm, SettingsChange(refreshes: false)))
    bench.ask(.finishFetch(1, .newData), as: client)

    #expect(bench.rows.memory.decisions.map(\.outcome) == [.newData])
  }

  @Test func `is refused if the app declares its mode no more before it is told`() {
    var bench = Bench.withRefreshableApp()
    let ticket = bench.fetch()

    bench.send(.installed(farmApp, Ticket(99)))

    #expect(bench.answer(to: ticket)?.code == "notDeclared")
  }

  @Test func `is refused where whoever looks after the machine forbids it, which the app can tell`() {
    var bench = Bench.withRefreshableApp()
    bench.limits.isRefreshRestricted = true
    bench.restart()
    bench.order(.launch(farm, arguments: []))
    bench.send(.app(farm, life: 1, .launched(pid: 100)))

    let answer = bench.attach(Client(farm))
    bench.order(.changeSettings(nil, SettingsChange(refreshes: true)))
    let code = bench.order(.fetchNow(farm, request: nil))?.code

    guard case .attached(_, _, _, let standing?, _) = answer else { return #expect(Bool(false), "\(answer)") }
    #expect(standing.isRefreshRestricted && !standing.settings.refreshes)
    #expect(code == "backgroundRefreshRestricted")
  }

  @Test func `goes with its app`() {
    var (bench, _) = Bench.withSuspendedApp()
    let ticket = bench.fetch()
    bench.order(.uninstall(farm))

    bench.send(.app(farm, life: 1, .exited(status: "was killed by signal 9", isCrash: false)))

    #expect(bench.answer(to: ticket) != nil)
    #expect(bench.rows.memory.fetches == [])
    #expect(bench.rows.memory.decisions == [])
  }
}

extension Answer {
  /// The code of a refused fetch.
  var code: String? {
    if case .refused(.fetchRefused(_, let code, _)) = self { code } else { nil }
  }
}
