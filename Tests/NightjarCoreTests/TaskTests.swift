import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A task that an app asks for` {
  @Test func `is remembered, replaced and taken back`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    let clean = BackgroundRequest(identifier: "clean", kind: .processing)
    var later = clean
    later.earliestBegin = Timestamp(seconds: bench.wall.seconds + 86_400)

    bench.ask(.submit(clean), as: client)
    bench.ask(.submit(later), as: client)
    bench.restart()
    bench.attach(client)
    let listed = bench.ask(.listRequests, as: client)
    bench.ask(.cancelRequests(nil), as: client)

    #expect(listed == .requests([later]))
    #expect(bench.rows.memory.requests == [])
  }

  @Test func `is refused where there are too many, or the app does not declare it`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    bench.ask(.submit(BackgroundRequest(identifier: "a", kind: .refresh)), as: client)
    let second = bench.ask(.submit(BackgroundRequest(identifier: "b", kind: .refresh)), as: client)
    let again = bench.ask(.submit(BackgroundRequest(identifier: "a", kind: .refresh)), as: client)
    var (plain, other) = Bench.withRunningApp()
    let undeclared = plain.ask(.submit(BackgroundRequest(identifier: "a", kind: .processing)), as: other)

    #expect(second == .refused(.limitReached(what: "pending refresh requests of one app", limit: 1)))
    #expect(again == .done)
    #expect(undeclared == .refused(.notDeclared(farm, mode: "processing")))
  }

  @Test func `runs when the device is not in use and its needs are met, and is pending no more`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    bench.send(.sensed(Conditions(power: .battery)))
    let request = BackgroundRequest(identifier: "clean", kind: .processing, needsPower: true)
    bench.ask(.submit(request), as: client)
    bench.suspend(client)

    let early = bench.pass(.hours(1)).messages
    bench.send(.sensed(Conditions()))
    let told = bench.deeds.messages
    bench.ask(.finishRequestedTask(1, success: true), as: client)

    #expect(early == [])
    #expect(
      told == [
        .standing(Standing(settings: AppSettings(), badge: 0)),
        .performRequestedTask(number: 1, kind: .processing, identifier: "clean", remaining: .minutes(10)),
      ])
    #expect(bench.rows.memory.requests == [])
    #expect(bench.deeds.suspensions == [farm])
  }

  @Test func `waits for the time before which it must not begin, on the wall clock`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    let begin = Timestamp(seconds: bench.wall.seconds + 7200)
    bench.ask(.submit(BackgroundRequest(identifier: "clean", kind: .processing, earliestBegin: begin)), as: client)
    bench.suspend(client)

    let early = bench.passWithWall(.minutes(119)).thaws
    let late = bench.passWithWall(.minutes(2)).thaws

    #expect(early == [])
    #expect(late == [farm])
  }

  @Test func `is not pending while it runs, and is run again if the daemon does not live to see its end`() {
    var (bench, client) = Bench.withTaskUnderWay()

    let meanwhile = bench.ask(.listRequests, as: client)
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])
    bench.attach(client)
    bench.stand()
    let after = bench.ask(.listRequests, as: client)
    let again = bench.pass(.minutes(16)).messages

    #expect(meanwhile == .requests([]))
    #expect(after == .requests([Bench.clean]))
    #expect(
      again == [.performRequestedTask(number: 2, kind: .processing, identifier: "clean", remaining: .minutes(10))])
  }

  @Test(arguments: [false, true])
  func `is run again, though not at once, if its app is ended for want of memory or for an upgrade`(isUpgrade: Bool) {
    var (bench, client) = Bench.withTaskUnderWay()

    if isUpgrade { bench.send(.installed(Bench.refreshable, Ticket(99))) } else { bench.endForMemory(client) }
    let ends = bench.deeds.ends
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "was killed", isCrash: false)))
    let (listed, kept) = (bench.ask(.listRequests, as: client), bench.rows.memory.requests)
    let early = bench.pass(.seconds(899)).launches
    let late = bench.pass(.seconds(2)).launches

    #expect(ends == [isUpgrade])
    #expect(listed == .requests([Bench.clean]) && kept == [RequestRecord(app: farm, request: Bench.clean)])
    #expect(early == [] && late.map(\.life) == [2])
    #expect(bench.rows.memory.fetches[0].taskBackOff.failures == (isUpgrade ? 0 : 1), "it waits longer each time")
  }

  @Test func `is not run again if a person has ended its app`() {
    var (bench, client) = Bench.withTaskUnderWay()

    bench.order(.terminate(farm))
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    #expect(bench.rows.memory.requests == [])
    #expect(bench.pass(.hours(1)).launches == [])
  }

  @Test func `is not run again if the app tells a later daemon that it is done`() {
    var (bench, client) = Bench.withTaskUnderWay()
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])
    bench.attach(client)

    bench.ask(.finishRequestedTask(1, success: true), as: client)

    #expect(bench.rows.memory.requests == [])
    #expect(bench.pass(.hours(1)).messages == [])
  }

  @Test func `asked for anew while it runs is pending, and outlives the end of the one that runs`() {
    var (bench, client) = Bench.withTaskUnderWay()
    var next = Bench.clean
    next.earliestBegin = Timestamp(seconds: bench.wall.seconds + 86_400)

    bench.ask(.submit(next), as: client)
    let meanwhile = bench.ask(.listRequests, as: client)
    bench.ask(.finishRequestedTask(1, success: true), as: client)

    #expect(meanwhile == .requests([next]))
    #expect(bench.rows.memory.requests == [RequestRecord(app: farm, request: next)])
  }

  @Test func `that asks for itself again and again is run every quarter of an hour`() {
    var (bench, client) = Bench.withTaskUnderWay()

    for number in 1...3 as ClosedRange<Int64> {
      bench.ask(.submit(Bench.clean), as: client)
      bench.ask(.finishRequestedTask(number, success: true), as: client)
      bench.stand()

      let early = bench.pass(.seconds(899)).messages
      let late = bench.pass(.seconds(2)).messages

      #expect(early == [])
      #expect(
        late == [
          .performRequestedTask(number: number + 1, kind: .processing, identifier: "clean", remaining: .minutes(10))
        ])
    }
  }

  @Test(arguments: [false, true])
  func `taken back before the app was told of it is not run`(isReplaced: Bool) {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    bench.ask(.submit(Bench.clean), as: client)
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    let launches = bench.pass(.minutes(16)).launches
    var later = Bench.clean
    later.earliestBegin = Timestamp(seconds: bench.wall.seconds + 86_400)

    bench.ask(isReplaced ? .submit(later) : .cancelRequests("clean"), as: client)
    _ = bench.attachInBackground(life: 2, connection: 2)

    #expect(launches.map(\.life) == [2])
    #expect(bench.deeds.messages.contains { if case .performRequestedTask = $0 { true } else { false } } == false)
    #expect(bench.rows.memory.requests.map(\.request) == (isReplaced ? [later] : []))
    #expect(bench.rows.memory.decisions.last?.outcome == .failed)
  }

  @Test func `is not run if Background App Refresh is switched off before the app is told, and stays pending`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    bench.ask(.submit(Bench.clean), as: client)
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    let launches = bench.pass(.minutes(16)).launches

    bench.order(.changeSettings(farm, SettingsChange(refreshes: false)))
    _ = bench.attachInBackground(life: 2, connection: 2)

    #expect(launches.map(\.life) == [2])
    #expect(!bench.deeds.messages.contains { if case .performRequestedTask = $0 { true } else { false } })
    #expect(bench.rows.memory.requests.map(\.request) == [Bench.clean])
  }

  @Test(arguments: ["battery", "data", "launches"])
  func `is not begun while what holds for all errands is in the way`(obstacle: String) {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    var request = Bench.clean
    request.needsNetwork = true
    bench.ask(.submit(request), as: client)
    bench.suspend(client)
    switch obstacle {
    case "battery": bench.send(.sensed(Conditions(power: .battery, battery: 5)))
    case "data": bench.send(.sensed(Conditions(isConstrained: true)))
    default:
      bench.rows.memory.apps[0].paidUntil = Age(.days(30))
      bench.restart(adopting: [(farm, life: 1, pid: client.pid)])
      bench.attach(client)
      bench.stand()
    }

    let messages = bench.pass(.hours(1)).messages

    #expect(messages == [])
    #expect(bench.begun == [] && bench.rows.memory.fetches.map(\.taskBackOff) == [BackOff()])
  }

  @Test func `that fails keeps the app's tasks waiting and not its fetches, until one succeeds`() {
    var (bench, client) = Bench.withTaskUnderWay()
    bench.ask(.finishRequestedTask(1, success: false), as: client)
    let failed = bench.rows.memory.fetches[0]
    bench.stand()

    bench.ask(.submit(Bench.clean), as: client)
    let early = bench.pass(.minutes(11)).messages
    bench.pass(.minutes(5))
    bench.ask(.finishRequestedTask(2, success: true), as: client)

    #expect(failed.backOff == BackOff())
    #expect(failed.taskBackOff.failures == 1 && failed.taskBackOff.notBefore != nil)
    #expect(early == [])
    #expect(bench.rows.memory.fetches[0].taskBackOff == BackOff())
  }

  @Test func `is charged with the radio's energy for its bytes alone, and not to the budget of fetches`() {
    var (bench, client) = Bench.withTaskUnderWay(on: Conditions(power: .battery, battery: 80))
    let before = bench.order(.listFetches(nil))?.fetches?.budget.joules.left
    bench.send(.app(farm, life: 1, .metered(errand: 1, cpu: nil, received: 1_000, sent: 0)))
    bench.pass(.minutes(9))
    bench.ask(.finishRequestedTask(1, success: true), as: client)

    bench.send(.app(farm, life: 1, .metered(errand: 1, cpu: nil, received: 101_000, sent: 0)))

    let cost = bench.rows.memory.fetches[0].cost
    let after = bench.order(.listFetches(nil))?.fetches?.budget.joules.left
    #expect((0.01...1).contains(cost.joules))
    #expect(cost.received == 100_000 && cost.wall >= .minutes(9))
    #expect(after ?? 0 >= before ?? .infinity)  // More has come in meanwhile.
  }

  @Test func `is told with all that keeps it waiting, also of an app that wants no fetches`() {
    var app = farmApp
    app.modes = ["processing"]
    var bench = Bench()
    bench.send(.installed(app, nil), .sensed(Conditions(power: .battery, isLowPower: true)))
    let request = BackgroundRequest(identifier: "clean", kind: .processing, needsPower: true)
    bench.ask(.submit(request), as: Client(farm))

    let entry = bench.order(.listFetches(nil))?.fetches?.apps.first

    #expect(entry?.obstacles == [] && entry?.weight == nil)
    #expect(entry?.requests.map(\.request) == [request])
    #expect(entry?.requests.first?.obstacles.map(\.code) == [.noPower, .inUse, .lowPowerMode])
  }

  @Test func `that refreshes is told with what keeps the app from being refreshed`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    let begin = Timestamp(seconds: bench.wall.seconds + 7200)
    bench.ask(.submit(BackgroundRequest(identifier: "news", kind: .refresh, earliestBegin: begin)), as: client)

    let alone = bench.order(.listFetches(farm))?.fetches?.apps.first
    bench.ask(.setFetchInterval(.zero), as: client)
    let beside = bench.order(.listFetches(farm))?.fetches?.apps.first

    #expect(alone?.requests.first?.obstacles == alone?.obstacles)
    #expect(beside?.requests.first?.obstacles.map(\.code) == [.inForeground, .earliestBegin])
    #expect(beside?.obstacles.map(\.code) == [.inForeground])
  }

  @Test func `is warned five seconds before its end, and then suspended`() {
    var (bench, _) = Bench.withTaskUnderWay()

    let warning = bench.pass(.seconds(536)).messages
    let end = bench.pass(.seconds(10)).suspensions

    #expect(warning == [.expireRequestedTask(number: 1)])
    #expect(end == [farm])
  }

  @Test func `comes to its end when a person begins to use the device, and is not blamed for it`() {
    var (bench, _) = Bench.withTaskUnderWay()

    bench.useAfterLock()
    let warnings = bench.deeds.messages.filter { $0 == .expireRequestedTask(number: 1) }
    let later = bench.pass(.seconds(6))

    #expect(warnings.count == 1)
    #expect(later.suspensions == [farm])
    #expect(!later.messages.contains(.expireRequestedTask(number: 1)))
    #expect(bench.rows.memory.fetches[0].taskBackOff == BackOff())
  }

  @Test(arguments: [
    Conditions(power: .battery, battery: 80), Conditions(isLowPower: true),
  ])
  func `comes to its end when what it needs is gone, and is not blamed for it`(conditions: Conditions) {
    let request = BackgroundRequest(identifier: "clean", kind: .processing, needsNetwork: true, needsPower: true)
    var (bench, _) = Bench.withTaskUnderWay(request)

    bench.send(.sensed(conditions))
    let warnings = bench.deeds.messages.filter { $0 == .expireRequestedTask(number: 1) }
    let later = bench.pass(.seconds(6))

    #expect(warnings.count == 1)
    #expect(later.suspensions == [farm])
    #expect(later.notes.contains { $0.contains("when what it needs was gone") }, "\(later.notes)")
    #expect(bench.rows.memory.fetches[0].taskBackOff == BackOff())
  }

  @Test(arguments: [false, true])
  func `goes on without power that it has not asked for, and without a network in any case`(needsNetwork: Bool) {
    let request = BackgroundRequest(identifier: "clean", kind: .processing, needsNetwork: needsNetwork)
    var (bench, _) = Bench.withTaskUnderWay(request)

    bench.send(.sensed(Conditions(network: .none, power: .battery, battery: 80)))

    #expect(!bench.deeds.messages.contains(.expireRequestedTask(number: 1)))
  }

  @Test func `that a person has come to wait for goes on while the device is used`() {
    var (bench, _) = Bench.withTaskUnderWay()
    bench.order(.fetchNow(farm, request: "clean"))

    bench.useAfterLock()

    #expect(!bench.deeds.messages.contains(.expireRequestedTask(number: 1)))
  }

  @Test(arguments: [Conditions(battery: 50, isCharging: true), Conditions(battery: 100)])
  func `goes on while a person uses the device, if that is on its charger`(charging: Conditions) {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    bench.send(.sensed(charging))
    bench.ask(.submit(Bench.clean), as: client)
    bench.suspend(client)
    bench.pass(.minutes(1))

    bench.useAfterLock(charging)
    let messages = bench.deeds.messages + bench.pass(.minutes(1)).messages

    #expect(bench.begun.map(\.outcome) == [nil])
    #expect(!messages.contains(.expireRequestedTask(number: 1)))
  }

  @Test func `that a person has asked for goes on while the device is used`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    bench.ask(.submit(Bench.clean), as: client)
    bench.suspend(client)
    bench.order(.fetchNow(farm, request: "clean"))

    bench.pass(.minutes(1))
    bench.useAfterLock()

    #expect(bench.begun.map(\.outcome) == [nil])
    #expect(!bench.deeds.messages.contains(.expireRequestedTask(number: 1)))
  }
}

extension Bench {
  /// The device is unlocked by somebody.
  fileprivate mutating func useAfterLock(_ conditions: Conditions = Conditions()) {
    var locked = conditions
    locked.lock = true
    send(.sensed(locked))
    send(.sensed(conditions))
  }

  /// Memory is short, and the app is what has to go.
  fileprivate mutating func endForMemory(_ client: Client) {
    send(.pressed(.urgent))
    let footprints = [AppLifeID(client.app, life: 1): Int64(500) << 20]
    let reading = MemoryReading(pressure: .urgent, total: 1000 << 20, footprints: footprints)
    send(.measured(question: supervisor.shortage.question, reading))
  }

  static let clean = BackgroundRequest(identifier: "clean", kind: .processing)

  /// The app was told to run a task that it had asked for, as number 1.
  static func withTaskUnderWay(
    _ request: BackgroundRequest = clean, on device: Conditions = Conditions()
  ) -> (Bench, Client) {
    var (bench, client) = withRefreshableAppInForeground()
    bench.send(.sensed(device))
    bench.ask(.submit(request), as: client)
    bench.suspend(client)
    bench.pass(.minutes(16))
    return (bench, client)
  }
}
