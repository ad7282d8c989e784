import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `What is learned of habits` {
  @Test func `is not written down at each visit, but within the hour`() {
    var (bench, client) = Bench.withSuspendedApp()
    let first = bench.rows.memory.habits

    bench.visit(client, after: .minutes(20))
    bench.visit(client, after: .minutes(20))
    let soon = bench.rows.memory.habits
    bench.visit(client, after: .minutes(20))

    #expect(first != nil)
    #expect(soon == first)
    #expect(bench.rows.memory.habits != first)
  }

  @Test func `is written down within the hour, too, if no app was opened and the device only used`() {
    var (bench, _) = Bench.withRefreshableAppInForeground()
    let first = bench.rows.memory.habits

    bench.passWithWall(.minutes(40))
    bench.order(.act(farm, ViewAction("buy")))
    let soon = bench.rows.memory.habits
    bench.passWithWall(.minutes(20))

    #expect(soon == first)
    #expect(bench.rows.memory.habits != first)
  }

  @Test func `is written down when the daemon stops`() {
    var (bench, client) = Bench.withSuspendedApp()
    bench.visit(client, after: .minutes(20))
    let before = bench.rows.memory.habits

    bench.send(.stopping)

    #expect(bench.rows.memory.habits != before)
  }

  @Test func `is written down at once when a part of it is forgotten`() {
    var (bench, client) = Bench.withSuspendedApp()
    bench.visit(client, after: .minutes(20))
    let before = bench.rows.memory.habits

    bench.order(.forgetHabits(farm))

    #expect(bench.rows.memory.habits != before)
  }

  @Test(arguments: [farm, nil])
  func `is forgotten in the log of decisions, too, and the app goes on to be refreshed`(app: AppID?) {
    var bench = Bench.withWishfulApp()
    bench.live(days: 5)
    let last = bench.rows.memory.decisions.map(\.number).max() ?? 0

    bench.order(.forgetHabits(app))
    let left = bench.rows.memory.decisions.map(\.number)
    let obstacles = bench.order(.listFetches(farm))?.fetches?.apps.first?.obstacles.map(\.code)
    bench.passAnswering(.days(4))

    #expect(last > 0 && left.allSatisfy { $0 > last })
    #expect(obstacles?.contains(.neverOpened) == false)
    #expect(!bench.begun.isEmpty)
  }
}

extension Bench {
  /// Some time later a person opens the app for a minute.
  fileprivate mutating func visit(_ client: Client, after pause: Duration) {
    passWithWall(pause)
    order(.launch(client.app, arguments: []))
    passWithWall(.minutes(1))
    order(.leave)
    for case .tell(_, .enterBackground(let number, _)) in deeds { ask(.entered(number), as: client) }
    for case .suspend(let app, let life, let stint) in deeds {
      send(.app(app, life: life, .suspended(stint: stint, true)))
    }
  }
}
