import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A fetch that the rule has chosen and its app was not told of` {
  @Test(arguments: ["off", "removed"])
  func `is given back to the budget, and nobody has failed, if a person does not want it`(reason: String) {
    var bench = Bench.withUntoldFetch()
    let before = bench.fetchesLeft

    bench.order(reason == "off" ? .changeSettings(farm, SettingsChange(refreshes: false)) : .removeFromSwitcher(farm))
    let returned = bench.fetchesLeft - before

    #expect((returned - 1).magnitude < 1e-6)
    #expect(bench.begun.map(\.outcome) == [.failed])
    #expect(bench.rows.memory.fetches.map(\.backOff) == [BackOff()])
  }

  @Test(arguments: [false, true])
  func `is withdrawn once a person has opened the app, unless somebody waits for it`(isAwaited: Bool) {
    var bench = Bench.withUntoldFetch()
    if isAwaited { bench.fetch() }
    let before = bench.fetchesLeft

    bench.order(.launch(farm, arguments: []))
    let returned = bench.fetchesLeft - before
    _ = bench.attachInBackground(life: 2, connection: 2)

    let isTold = bench.deeds.messages.contains { if case .performFetch = $0 { true } else { false } }
    #expect(isTold == isAwaited && bench.begun.map(\.outcome) == [isAwaited ? nil : .failed])
    #expect((returned - (isAwaited ? 0 : 1)).magnitude < 1e-6)
    #expect(bench.rows.memory.fetches.map(\.backOff) == [BackOff()])
  }

  @Test func `is given back if the app did not come up, which is left alone for a while`() {
    var bench = Bench.withUntoldFetch()
    let before = bench.fetchesLeft

    bench.send(.app(farm, life: 2, .exited(status: "was killed by signal 9", isCrash: true)))
    let returned = bench.fetchesLeft - before

    #expect((returned - 1).magnitude < 1e-6)
    #expect(bench.rows.memory.fetches.map(\.backOff.failures) == [1])
  }
}

extension Bench {
  /// Fetches are so cheap that the rule chooses one of the app, which does not run and is launched for it.
  fileprivate static func withUntoldFetch() -> Bench {
    var bench = withWishfulApp()
    let accounts = FetchBudget.Good.allCases.map { _ in FetchBudget.Account(perDay: 8, left: 2, price: -9) }
    bench.rows.memory.budget = FetchBudget(accounts: accounts, days: 9, at: Age(.zero))
    bench.restart()
    for _ in 1...90 where bench.begun.isEmpty { bench.passWithWall(.seconds(20)) }
    return bench
  }

  /// How many fetches may still be made.
  fileprivate var fetchesLeft: Double {
    mutating get { order(.listFetches(nil))?.fetches?.budget.fetches.left ?? .nan }
  }
}
