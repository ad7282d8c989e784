import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A fetch that a person asks for in vain` {
  @Test func `of an app that is never told is given up`() {
    var bench = Bench.withRefreshableApp()
    bench.limits.attachTimeout = .seconds(30)
    let ticket = bench.fetch()

    bench.pass(.minutes(2))
    let answer = bench.answer(to: ticket)
    bench.send(.app(farm, life: 1, .exited(status: "was killed by signal 9", isCrash: false)))

    #expect(bench.deeds.launches == [])
    #expect(bench.rows.memory.decisions.map(\.outcome) == [.failed])
    #expect(answer?.code == "notTold" && bench.answer(to: ticket) == nil, "it was answered when it was given up")
  }

  @Test func `of an app that runs and never attaches is refused, and says so`() {
    var bench = Bench.withRefreshableApp()
    bench.order(.launch(farm, arguments: []))
    bench.send(.app(farm, life: 1, .launched(pid: 42)))
    let ticket = bench.fetch()

    bench.pass(bench.limits.attachTimeout + bench.limits.endTimeout)

    let seconds = Int((bench.limits.attachTimeout + bench.limits.endTimeout).inSeconds)
    let reason = "it could not be told within \(seconds) s: it did not attach"
    #expect(bench.answer(to: ticket) == .refused(.fetchRefused(farm, code: "notTold", reason: reason)))
    #expect(bench.rows.memory.decisions.map(\.outcome) == [.failed])
  }

  @Test func `of an app that is ended meanwhile is refused with the reason for that`() {
    var (bench, client) = Bench.withSuspendedApp()
    let killed = Event.app(farm, life: 1, .exited(status: "was killed by signal 9", isCrash: false))
    let removal = bench.fetch()
    var terminated = bench
    let termination = terminated.fetch()

    bench.order(.removeFromSwitcher(farm))
    bench.send(.detached(client.connection), killed)
    terminated.order(.terminate(farm))
    terminated.send(.detached(client.connection), killed)

    let first = "it ended first: it is removed from the switcher by a person; it was killed by signal 9"
    let second = "it ended first: it is ended by a person; it was killed by signal 9"
    #expect(
      bench.answer(to: removal) == .refused(.fetchRefused(farm, code: "removedFromSwitcher", reason: first)))
    #expect(terminated.answer(to: termination) == .refused(.fetchRefused(farm, code: "ended", reason: second)))
  }
}

@Suite struct `A launch due to a background fetch` {
  @Test func `is answered when the app runs, which is then told`() {
    var bench = Bench.withRefreshableApp()
    let ticket = bench.ticket()
    bench.send(.ordered(.launchToFetch(farm), ticket))

    let client = bench.attachInBackground(life: 1, connection: 1)
    let messages = bench.deeds.messages
    bench.ask(.finishFetch(1, .newData), as: client)

    #expect(messages == [.performFetch(number: 1, remaining: .seconds(30))])
    #expect(bench.deeds.suspensions == [farm])
  }

  @Test func `is refused while the app runs`() {
    var (bench, _) = Bench.withRefreshableAppInForeground()

    #expect(bench.order(.launchToFetch(farm))?.code == "running")
  }
}

@Suite struct `An app's wish for fetches` {
  @Test func `is remembered over a restart`() {
    var (bench, client) = Bench.withRefreshableAppInForeground()

    bench.ask(.setFetchInterval(.hours(1)), as: client)
    bench.restart()

    #expect(bench.rows.memory.fetches.map(\.interval) == [.hours(1)])
  }

  @Test func `is refused without the background mode, though it may always say that it wants none`() {
    var (bench, client) = Bench.withRunningApp()

    let refused = bench.ask(.setFetchInterval(.zero), as: client)
    let never = bench.ask(.setFetchInterval(nil), as: client)

    #expect(refused == .refused(.notDeclared(farm, mode: "fetch")))
    #expect(never == .done)
  }
}
