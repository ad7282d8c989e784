import Computing
import NightjarModel
import Testing

@testable import NightjarCore

@Suite(.computing) struct `The daemon, of its own accord,` {
  @Test func `never looks while no app wants to be refreshed`() {
    var (bench, _) = Bench.withSuspendedApp()

    #expect(bench.supervisor.nextLook == nil)
    #expect(bench.order(.listFetches(nil))?.fetches?.apps.first?.obstacles.contains(FetchObstacle(.never)) == true)
  }

  @Test func `refreshes an app before it is used, once it has seen when that is`() {
    var bench = Bench.withWishfulApp()
    bench.live(days: 12)

    let begun = bench.morningFetches(days: 5)

    #expect(begun >= 4)
  }

  @Test func `keeps to the interval that an app asks for, and to the daemon's own`() {
    var bench = Bench.withWishfulApp(interval: .zero)
    bench.limits.fetchIntervalMin = .minutes(15)

    bench.live(days: 12)

    let ends = bench.begun.sorted { $0.at < $1.at }
    #expect(ends.count > 10)
    #expect(zip(ends, ends.dropFirst()).allSatisfy { $1.at - $0.at >= .minutes(15) })
  }

  @Test(arguments: ["off", "off for all", "removed", "never", "offline", "undeclared"])
  func `refreshes nothing that it may not`(reason: String) {
    var bench = Bench.withWishfulApp()
    bench.live(days: 5)
    let client = Client(farm, pid: 500, connection: 500)
    switch reason {
    case "off": bench.order(.changeSettings(farm, SettingsChange(refreshes: false)))
    case "off for all": bench.order(.changeSettings(nil, SettingsChange(refreshes: false)))
    case "removed": bench.order(.removeFromSwitcher(farm))
    case "offline": bench.send(.sensed(Conditions(isOnline: false)))
    case "undeclared": bench.send(.installed(farmApp, nil))
    default: bench.ask(.setFetchInterval(nil), as: client)
    }
    let before = bench.begun.count

    bench.passWithWall(.days(3))

    #expect(bench.begun.count == before)
  }

  @Test func `tries again when the network is back, whatever it had waited for`() {
    var bench = Bench.withWishfulApp()
    bench.live(days: 8)
    bench.rows.memory.fetches[0].failures = 4
    bench.rows.memory.fetches[0].notBefore = Age(.days(1000))
    bench.restart()
    bench.send(.sensed(Conditions(isOnline: false)))

    bench.send(.sensed(Conditions()))

    #expect(bench.rows.memory.fetches[0].notBefore == nil)
  }

  @Test func `lets no app starve that is hardly ever used`() {
    var bench = Bench.withWishfulApp()
    bench.live(days: 2)
    let before = bench.begun.count

    bench.passAnswering(.days(30))

    #expect(bench.begun.count > before)
  }

  @Test func `says why an app waits, once for each reason`() {
    var bench = Bench.withWishfulApp()
    bench.live(days: 3)
    bench.send(.sensed(Conditions(isOnline: false)))
    let first = bench.order(.listDecisions(farm, after: nil, limit: 500))?.decisions ?? []

    for _ in 0..<5 { bench.order(.changeSettings(farm, SettingsChange(alerts: false))) }
    for _ in 0..<5 { bench.order(.changeSettings(farm, SettingsChange(alerts: true))) }

    #expect(first.last?.obstacles.map(\.code).contains(.noNetwork) == true)
    #expect(bench.order(.listDecisions(farm, after: nil, limit: 500))?.decisions?.count == first.count)
  }

  @Test(arguments: [false, true])
  func `takes an app that ends on a locked device for one that nobody uses`(isLocked: Bool) {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    bench.ask(.setFetchInterval(.zero), as: client)
    bench.send(.sensed(Conditions(isLocked: isLocked)))
    bench.passWithWall(.hours(2))
    let before = (bench.rows.memory.fetches[0].freshAt, bench.rows.memory.habits)

    bench.send(.app(farm, life: 1, .exited(status: "was killed by signal 9", isCrash: true)))

    let isFresh = bench.rows.memory.fetches[0].freshAt != before.0
    #expect(isFresh == !isLocked)
    #expect((bench.rows.memory.habits == before.1) == isLocked)
  }

  @Test func `remembers over a restart what it has learned, until it is told to forget`() {
    var bench = Bench.withWishfulApp()
    bench.live(days: 3)

    bench.restart()
    let kept = bench.order(.showHabits(farm))?.habits?.apps.first?.launches
    bench.order(.forgetHabits(nil))
    bench.restart()

    #expect(kept == 4)
    #expect(bench.order(.showHabits(nil))?.habits?.apps == [])
  }
}

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
    bench.leaveAndRest(client)

    let early = bench.pass(.hours(1)).messages
    bench.send(.sensed(Conditions()))
    let told = bench.deeds.messages
    bench.ask(.finishTask(1, success: true), as: client)

    #expect(early == [])
    #expect(
      told == [
        .performTask(number: 1, kind: .processing, identifier: "clean", remaining: .minutes(10)),
        .standing(Standing(settings: AppSettings(), badge: 0)),
      ])
    #expect(bench.rows.memory.requests == [])
    #expect(bench.deeds.suspensions == [farm])
  }

  @Test func `waits for the time before which it must not begin, on the wall clock`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    let begin = Timestamp(seconds: bench.wall.seconds + 7200)
    bench.ask(.submit(BackgroundRequest(identifier: "clean", kind: .processing, earliestBegin: begin)), as: client)
    bench.leaveAndRest(client)

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
    #expect(again == [.performTask(number: 2, kind: .processing, identifier: "clean", remaining: .minutes(10))])
  }

  @Test func `is not run again if the app tells a later daemon that it is done`() {
    var (bench, client) = Bench.withTaskUnderWay()
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])
    bench.attach(client)

    bench.ask(.finishTask(1, success: true), as: client)

    #expect(bench.rows.memory.requests == [])
    #expect(bench.pass(.hours(1)).messages == [])
  }

  @Test func `asked for anew while it runs is pending, and outlives the end of the one that runs`() {
    var (bench, client) = Bench.withTaskUnderWay()
    var next = Bench.clean
    next.earliestBegin = Timestamp(seconds: bench.wall.seconds + 86_400)

    bench.ask(.submit(next), as: client)
    let meanwhile = bench.ask(.listRequests, as: client)
    bench.ask(.finishTask(1, success: true), as: client)

    #expect(meanwhile == .requests([next]))
    #expect(bench.rows.memory.requests == [RequestRecord(app: farm, request: next)])
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
    #expect(bench.deeds.messages.contains { if case .performTask = $0 { true } else { false } } == false)
    #expect(bench.rows.memory.requests.map(\.request) == (isReplaced ? [later] : []))
    #expect(bench.rows.memory.decisions.last?.outcome == .failed)
  }

  @Test func `that fails keeps the app's tasks waiting and not its fetches, until one succeeds`() {
    var (bench, client) = Bench.withTaskUnderWay()
    bench.ask(.finishTask(1, success: false), as: client)
    let failed = bench.rows.memory.fetches[0]
    bench.stand()

    bench.ask(.submit(Bench.clean), as: client)
    let early = bench.pass(.minutes(11)).messages
    bench.pass(.minutes(5))
    bench.ask(.finishTask(2, success: true), as: client)

    #expect((failed.failures, failed.notBefore) == (0, nil))
    #expect(failed.taskFailures == 1 && failed.tasksNotBefore != nil)
    #expect(early == [])
    #expect((bench.rows.memory.fetches[0].taskFailures, bench.rows.memory.fetches[0].tasksNotBefore) == (0, nil))
  }

  @Test func `is charged with the radio's energy for its bytes alone, and not to the budget of fetches`() {
    var (bench, client) = Bench.withTaskUnderWay(on: Conditions(power: .battery, battery: 80))
    let before = bench.order(.listFetches(nil))?.fetches?.budget.joules.left
    bench.send(.app(farm, life: 1, .metered(errand: 1, cpu: nil, received: 1_000, sent: 0)))
    bench.pass(.minutes(9))
    bench.ask(.finishTask(1, success: true), as: client)

    bench.send(.app(farm, life: 1, .metered(errand: 1, cpu: nil, received: 101_000, sent: 0)))

    let cost = bench.rows.memory.fetches[0].cost
    let after = bench.order(.listFetches(nil))?.fetches?.budget.joules.left
    #expect((0.01...1).contains(cost.joules))
    #expect(cost.received == 100_000 && cost.wall >= .minutes(9))
    #expect(after ?? 0 >= before ?? .infinity)  // More has come in meanwhile.
  }

  @Test func `is warned five seconds before its end, and then suspended`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    bench.ask(.submit(BackgroundRequest(identifier: "clean", kind: .processing)), as: client)
    bench.leaveAndRest(client)
    bench.pass(.minutes(16))

    let warning = bench.pass(.seconds(536)).messages
    let end = bench.pass(.seconds(10)).suspensions

    #expect(warning == [.expireTask(number: 1)])
    #expect(end == [farm])
  }
}

extension Bench {
  static let clean = BackgroundRequest(identifier: "clean", kind: .processing)

  /// The app was told to run a task that it had asked for, as number 1.
  static func withTaskUnderWay(on device: Conditions = Conditions()) -> (Bench, Client) {
    var (bench, client) = withRefreshableAppInForeground()
    bench.send(.sensed(device))
    bench.ask(.submit(clean), as: client)
    bench.leaveAndRest(client)
    bench.pass(.minutes(16))
    return (bench, client)
  }

  /// The app that answers `newData` to every fetch at once, was used once, and stands still.
  static func withWishfulApp(interval: Duration = .zero) -> Bench {
    var (bench, client) = withRefreshableAppInForeground()
    bench.ask(.setFetchInterval(interval), as: client)
    bench.order(.leave)
    bench.rest()
    return bench
  }

  /// The app confirms that it is in the background, and stands still once it is told to.
  mutating func rest() {
    for case .tell(_, .enterBackground(let number, _)) in deeds {
      ask(.entered(number), as: Client(farm))
    }
    stand()
  }

  mutating func leaveAndRest(_ client: Client) {
    order(.leave)
    rest()
  }

  mutating func stand() {
    for case .suspend(let app, let life, let stint) in deeds {
      send(.app(app, life: life, .suspended(stint: stint, true)))
    }
  }

  /// Time passes; every fetch that the app is told of brings something.
  mutating func passAnswering(_ span: Duration) {
    let end = boot + span
    while boot < end {
      let next = min(supervisor.nextLook ?? end, end)
      let seconds = next > boot ? next - boot : .zero
      wall = Timestamp(nanoseconds: wall.nanoseconds + seconds.wholeMilliseconds * 1_000_000)
      boot = next
      send(.awoke)
      answerAll()
    }
  }

  private mutating func answerAll() {
    for case .performFetch(let number, _) in deeds.messages {
      ask(.finishFetch(number, .newData), as: Client(farm))
      stand()
    }
  }

  /// Days in each of which the app is used at nine in the morning, for five minutes.
  mutating func live(days: Int) {
    for _ in 0..<days {
      let day = (wall.seconds - 32_400) / 86_400 + 1
      passAnswering(.seconds(day * 86_400 + 32_400 - wall.seconds))
      order(.launch(farm, arguments: []))
      passAnswering(.minutes(5))
      order(.leave)
      rest()
    }
  }

  /// On how many of the coming mornings the app is refreshed in the hour and a half before nine.
  mutating func morningFetches(days: Int) -> Int {
    let last = begun.last?.number ?? 0
    live(days: days)
    let seconds = begun.filter { $0.number > last }.map { ($0.at.seconds % 86_400, $0.at.seconds / 86_400) }
    return Set(seconds.filter { (27_000...32_400).contains($0.0) }.map(\.1)).count
  }

  /// Decisions to fetch, oldest first.
  var begun: [FetchDecision] { rows.memory.decisions.filter { $0.verdict != .waits }.sorted { $0.number < $1.number } }
}

extension Answer {
  fileprivate var fetches: FetchesView? { if case .fetches(let view) = self { view } else { nil } }
  fileprivate var decisions: [FetchDecision]? { if case .decisions(let all) = self { all } else { nil } }
  fileprivate var habits: HabitsView? { if case .habits(let view) = self { view } else { nil } }
}
