import NightjarHabits
import NightjarModel
import TestThreads
import Testing

@testable import NightjarCore

@Suite(.computing) struct `The daemon, of its own accord,` {
  @Test func `never looks while no app wants to be refreshed`() {
    var (bench, _) = Bench.withSuspendedApp()

    bench.send(.located(.summer(of: 1234, after: bench.wall)))

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

  @Test(arguments: ["off", "removed", "undeclared"])
  func `gives others no share of what is granted for an app that may not be refreshed`(reason: String) {
    var bench = Bench.withWishfulApp()
    var second = otherApp
    second.modes = ["fetch"]
    bench.send(.installed(second, nil))
    bench.ask(.setFetchInterval(.zero), as: Client(other))
    let before = bench.fetchesPerDay

    switch reason {
    case "off": bench.order(.changeSettings(farm, SettingsChange(refreshes: false)))
    case "removed": bench.order(.removeFromSwitcher(farm))
    default: bench.send(.installed(farmApp, nil))
    }
    let without = bench.fetchesPerDay
    bench.restart()
    let restarted = bench.fetchesPerDay
    switch reason {
    case "off": bench.order(.changeSettings(farm, SettingsChange(refreshes: true)))
    case "removed": bench.order(.launch(farm, arguments: []))
    default: bench.send(.installed(Bench.refreshable, nil))
    }

    #expect([before, without, restarted, bench.fetchesPerDay] == [16, 8, 8, 16])
  }

  @Test func `tries again when the network is back, whatever it had waited for`() {
    var bench = Bench.withWishfulApp()
    bench.live(days: 8)
    bench.rows.memory.fetches[0].backOff = BackOff(failures: 4, notBefore: Age(.days(1000)))
    bench.restart()
    bench.send(.sensed(Conditions(isOnline: false)))

    bench.send(.sensed(Conditions()))

    #expect(bench.rows.memory.fetches[0].backOff == BackOff(failures: 4))
  }

  @Test func `lets no app starve that is hardly ever used`() {
    var bench = Bench.withWishfulApp()
    bench.live(days: 2)
    let before = bench.begun.count

    bench.passAnswering(.days(30))

    #expect(bench.begun.count > before)
  }

  @Test func `says when an app is refreshed only since its content is old, and of no other fetch`() {
    var bench = Bench.withWishfulApp()
    bench.live(days: 12)
    let worthy = bench.begun
    let accounts = FetchBudget.Good.allCases.map { _ in FetchBudget.Account(perDay: 8, left: 7, price: 9) }
    bench.rows.memory.budget = FetchBudget(accounts: accounts, days: 9, at: Age(.zero))
    bench.restart()

    bench.passAnswering(.hours(60))
    let waiting = bench.order(.listFetches(farm))?.fetches?.apps.first
    bench.passAnswering(.hours(14))
    let refreshed = bench.order(.listFetches(farm))?.fetches?.apps.first

    #expect(!worthy.isEmpty && worthy.allSatisfy { !$0.isForNeglect })
    #expect(waiting?.obstacles == [FetchObstacle(.belowThreshold)] && waiting?.isNeglected == true)
    #expect(waiting?.latest?.number == worthy.last?.number)
    #expect(refreshed?.latest?.verdict == .fetch && refreshed?.latest?.isForNeglect == true)
    #expect(refreshed?.latest?.weight.map { $0.age >= .hours(72) } == true)
  }

  /// A clock without a battery begins anew with each boot, and is set once there is a network.
  @Test(arguments: [false, true])
  func `lets no app starve since a clock was set by years`(isAtBoot: Bool) {
    var bench = Bench.withWishfulApp()
    bench.live(days: 3)
    let accounts = FetchBudget.Good.allCases.map { _ in FetchBudget.Account(perDay: 8, left: 7, price: 9) }
    bench.rows.memory.budget = FetchBudget(accounts: accounts, days: 9, at: Age(.zero))
    bench.restart()
    let right = bench.wall

    bench.wall = Timestamp(seconds: isAtBoot ? 60 : right.seconds + 100_000_000)
    if isAtBoot { bench.restart(boot: BootID("second")) } else { bench.send(.awoke) }
    (bench.boot, bench.wall) = (bench.boot + .seconds(30), Timestamp(seconds: right.seconds + 30))
    bench.send(.awoke)
    bench.restart()
    let before = bench.begun.count
    bench.passAnswering(.hours(74))

    #expect(bench.begun.count > before)
  }

  @Test func `can say until when an app waits, however far away that is and whatever the clock shows`() {
    var bench = Bench.withWishfulApp(interval: .seconds(3_155_760_000))
    bench.wall = Timestamp(seconds: 7_200_000_000)

    bench.order(.fetchNow(farm, request: nil))
    bench.passAnswering(.minutes(1))
    let obstacles = bench.order(.listFetches(nil))?.fetches?.apps.first?.obstacles ?? []

    #expect(obstacles.map(\.code).contains(.belowMinimumInterval))
  }

  @Test func `foresees no fetch before the time for which the app has asked`() {
    var bench = Bench.withWishfulApp()
    bench.live(days: 8)
    let client = Client(farm, pid: 500, connection: 500)
    let begin = Timestamp(seconds: bench.wall.seconds + 6 * 3600)
    bench.ask(.setFetchInterval(nil), as: client)

    bench.ask(.submit(BackgroundRequest(identifier: "news", kind: .refresh, earliestBegin: begin)), as: client)
    let view = bench.order(.listFetches(farm))?.fetches

    #expect(view?.apps.first?.obstacles.map(\.code).contains(.earliestBegin) == true)
    #expect(view?.apps.first?.windows.first.map { $0 >= begin } == true)
    #expect(view?.nextLook.map { $0 <= begin } == true)
  }

  @Test(arguments: [
    Conditions(isOnline: false), Conditions(isConstrained: true), Conditions(isLowPower: true),
    Conditions(power: .battery, battery: 1),
  ])
  func `foresees no fetch while the device forbids them all, and does again once it does not`(device: Conditions) {
    var bench = Bench.withWishfulApp()
    bench.live(days: 8)
    func windows() -> [Timestamp]? { bench.order(.listFetches(farm))?.fetches?.apps.first?.windows }

    let before = windows()
    bench.send(.sensed(device))
    let meanwhile = windows()
    bench.send(.sensed(Conditions()))

    #expect(before?.isEmpty == false && meanwhile == [] && windows()?.isEmpty == false)
  }

  @Test func `says what is spent when that is what an app waits for`() {
    var bench = Bench.withWishfulApp()
    let accounts = [7, -2, 7].map { FetchBudget.Account(perDay: 8, left: $0, price: 0) }
    bench.rows.memory.budget = FetchBudget(accounts: accounts, days: 9, at: Age(.zero))
    bench.rows.memory.apps[0].paidUntil = Age(.days(30))
    bench.restart()
    bench.send(.sensed(Conditions(power: .battery, battery: 80)))

    let obstacles = bench.order(.listFetches(farm))?.fetches?.apps.first?.obstacles ?? []

    #expect(obstacles.first { $0.code == .budgetSpent }?.spent == .joules)
    #expect(obstacles.first { $0.code == .backOff }?.spent == .launches)
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

  @Test func `decides anew when clocks are set forward for the summer, and when they are set back`() {
    var bench = Bench.withWishfulApp()
    let accounts = FetchBudget.Good.allCases.map { _ in FetchBudget.Account(perDay: 8, left: 7, price: 9) }
    bench.rows.memory.budget = FetchBudget(accounts: accounts, days: 9, at: Age(.zero))
    bench.restart()
    let start = bench.boot
    bench.send(.located(.summer(of: 1234, after: bench.wall)))

    let forward = bench.supervisor.nextLook
    bench.passWithWall(.seconds(1300))
    let (asked, back) = (bench.supervisor.plan.askedAt, bench.supervisor.nextLook)
    bench.passWithWall(.seconds(1300))

    #expect(forward == start + .seconds(1234) && back == start + .seconds(2468))
    #expect(asked == Age(.seconds(1234)) && bench.supervisor.plan.askedAt == Age(.seconds(2468)))
  }

  @Test(arguments: [(3600, false), (7200, true)] as [(Int64, Bool)])
  func `looks anew at every app once clocks go by another offset, and not before`(offset: Int64, isNew: Bool) {
    let moment = Bench().moment
    var plan = FetchPlan(Limits(), habits: Habits(), budget: nil, at: .zero)
    plan.see(moment, LocalTime(seconds: moment.wall.seconds, offset: 3600))
    plan.isDisturbed = false
    plan.prospects.entries = [Prospects.Entry(farm)]
    plan.prospects.entries[0].isSettled = true

    plan.see(moment, LocalTime(seconds: moment.wall.seconds, offset: offset))

    #expect(plan.isDisturbed == isNew)
    #expect(plan.prospects.entries.map(\.isSettled) == [!isNew])
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

  @Test func `refreshes an app that was left in front of a screen that is locked since`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    bench.ask(.setFetchInterval(.zero), as: client)

    let found = [false, true, false].map { isLocked in
      bench.send(.sensed(Conditions(isLocked: isLocked)))
      return bench.supervisor.plan.prospects.entries.first?.prospect?.candidate.blockers
    }

    #expect(found == [[.inForeground], [], [.inForeground]])
  }

  @Test func `looks anew at an app that may not be refreshed when something happens to it, and not before`() {
    var bench = Bench.withWishfulApp()

    bench.order(.removeFromSwitcher(farm))
    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    bench.send(.sensed(Conditions(network: .cellular)))
    let removed = bench.supervisor.plan.prospects.entries.first
    bench.order(.launch(farm, arguments: []))
    bench.order(.changeSettings(nil, SettingsChange(refreshes: false)))
    let launched = bench.supervisor.plan.prospects.entries.first
    bench.order(.changeSettings(nil, SettingsChange(refreshes: true)))
    let allowed = bench.supervisor.plan.prospects.entries.first

    #expect(removed?.prospect?.candidate.blockers == [.removedFromSwitcher])
    #expect(removed?.isSettled == true)
    #expect(launched?.prospect?.candidate.blockers == [.backgroundRefreshOff, .inForeground])
    #expect(allowed?.prospect?.candidate.blockers == [.inForeground])
  }

  @Test(arguments: [false, true])
  func `decides anew when somebody uses the device, but of many taps at a few only`(isTransferring: Bool) {
    var (bench, _) = Bench.withRefreshableAppInForeground()
    if isTransferring { bench.queue(1) }

    let isDecided = [60, 5, 5, 5, 13, 14].map { bench.tap(after: .seconds($0)) }

    #expect(isDecided == [true, false, false, true, false, true])
  }

  @Test func `tells the newest decisions, and those before them`() {
    var bench = Bench.withWishfulApp()
    bench.live(days: 3)
    let all = bench.order(.listDecisions(farm, after: nil, limit: 500))?.decisions?.map(\.number) ?? []

    let newest = bench.order(.listDecisions(farm, after: nil, before: .max, limit: 2))?.decisions?.map(\.number) ?? []
    let next = bench.order(.listDecisions(nil, after: nil, before: newest.first, limit: 2))?.decisions?.map(\.number)
    let between = bench.order(.listDecisions(farm, after: all[0], before: all[2], limit: 9))?.decisions?.map(\.number)

    #expect(all.count > 4)
    #expect(newest == all.suffix(2))
    #expect(next == all.dropLast(2).suffix(2))
    #expect(between == [all[1]])
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

extension ZoneRules {
  /// Clocks that are set forward so many seconds after a time, and back as many seconds later.
  fileprivate static func summer(of seconds: Int64, after time: Timestamp) -> ZoneRules {
    let begin = Change(at: time.seconds + seconds, offset: 7200)
    let end = Change(at: time.seconds + 2 * seconds, offset: 3600)
    return ZoneRules(name: "North", offset: 3600, changes: [begin, end])
  }
}

extension Answer {
  var fetches: FetchesView? { if case .fetches(let view) = self { view } else { nil } }
  fileprivate var decisions: [FetchDecision]? { if case .decisions(let all) = self { all } else { nil } }
  fileprivate var habits: HabitsView? { if case .habits(let view) = self { view } else { nil } }
}
