import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `An app that is refreshed by tasks alone` {
  private let news = BackgroundRequest(identifier: "news", kind: .refresh)

  @Test func `has its share of the budget for as long as it asks, over a restart, and once`() {
    var bench = Bench.withRefreshableApp()
    var second = otherApp
    second.modes = ["fetch"]
    bench.send(.installed(second, nil))

    bench.ask(.submit(news), as: Client(farm))
    bench.ask(.submit(news), as: Client(other))
    bench.ask(.setFetchInterval(.zero), as: Client(other))
    let both = bench.fetchesPerDay
    bench.restart()
    let restarted = bench.fetchesPerDay
    bench.ask(.cancelRequests(nil), as: Client(farm))
    bench.ask(.submit(Bench.clean), as: Client(farm))
    bench.ask(.cancelRequests(nil), as: Client(other))
    let one = bench.fetchesPerDay

    #expect([both, restarted, one] == [16, 16, 8])
  }

  @Test func `is refreshed for a task that may run, whatever another waits for`() {
    var limits = Limits()
    limits.refreshRequestsMax = 2
    var bench = Bench(limits: limits)
    bench.send(.installed(Bench.refreshable, nil))
    let tomorrow = Timestamp(seconds: bench.wall.seconds + 86_400)
    let later = BackgroundRequest(identifier: "later", kind: .refresh, earliestBegin: tomorrow)
    bench.ask(.submit(later), as: Client(farm))

    bench.ask(.submit(news), as: Client(farm))
    let obstacles = bench.order(.listFetches(farm))?.fetches?.apps.first?.obstacles

    #expect(obstacles?.map(\.code).contains(.earliestBegin) == false)
  }

  @Test(arguments: [false, true])
  func `is not refreshed when a person has just seen it, wherever it asks first`(hasLeft: Bool) {
    var (bench, client) = Bench.withRefreshableAppInForeground()

    if hasLeft {
      bench.order(.leave)
      bench.ask(.submit(news), as: client)
    } else {
      bench.ask(.submit(news), as: client)
      bench.order(.leave)
    }

    #expect(bench.begun == [])
    #expect(bench.rows.memory.fetches.map(\.freshAt) == [.zero])
    #expect(bench.order(.listFetches(farm))?.fetches?.apps.first?.weight?.age == .zero)
  }

  @Test func `is known to have been seen where it asks in the foreground, though nobody has seen it leave`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    bench.passWithWall(.minutes(3))

    bench.ask(.submit(news), as: client)
    bench.restart(boot: BootID("second"))

    #expect(bench.rows.memory.fetches.map(\.freshAt) == [Age(.minutes(3))])
    #expect(bench.begun == [])
  }

  @Test func `is no fresher for a person who has seen it without a network`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()
    bench.ask(.submit(news), as: client)
    bench.send(.sensed(Conditions(isOnline: false)))

    bench.passWithWall(.minutes(3))
    bench.suspend(client)

    #expect(bench.rows.memory.fetches.map(\.freshAt) == [.zero])
  }

  @Test(arguments: [false, true])
  func `is known to have been seen before it asks, if it declares that it may`(mayAsk: Bool) {
    var (bench, client) = mayAsk ? Bench.withRefreshableAppInForeground() : Bench.withRunningApp()

    bench.passWithWall(.minutes(3))
    bench.suspend(client)

    let expected: [Age?] = mayAsk ? [Age(.minutes(3))] : []
    #expect(bench.rows.memory.fetches.map(\.freshAt) == expected)
  }
}

extension Bench {
  /// How many fetches all apps together are granted in a day.
  var fetchesPerDay: Double? {
    mutating get { order(.listFetches(nil))?.fetches?.budget.fetches.perDay }
  }
}
