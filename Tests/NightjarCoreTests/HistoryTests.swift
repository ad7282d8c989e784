import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `An app's history` {
  @Test func `tells of a whole life, in the commits of the changes themselves`() {
    var (bench, client) = Bench.withRunningApp()

    bench.order(.leave)
    bench.ask(.entered(1), as: client)
    bench.send(.app(farm, life: 1, .suspended(stint: 1, true)))
    bench.order(.launch(farm, arguments: []))
    bench.order(.terminate(farm))
    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    let history = bench.rows.memory.history
    #expect(history.map(\.kind) == [.launched, .background, .suspended, .foreground, .terminated, .exited])
    #expect(history.map(\.sentence).first == "is launched by a person")
    #expect(history.map(\.id.number) == [1, 2, 3, 4, 5, 6])
    #expect(history.allSatisfy { $0.life == 1 && $0.at == bench.wall })
    #expect(bench.order(.listHistory(farm, limit: 2)) == .history(history.suffix(2)))
  }

  @Test func `tells what an app was woken for`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.order(.leave)
    bench.ask(.entered(1), as: client)
    bench.send(.app(farm, life: 1, .suspended(stint: 1, true)))

    bench.finish(1)

    #expect(bench.rows.memory.history.last?.sentence == "is woken, to be told of session 'main'")
    #expect(bench.rows.memory.history.last?.kind == .resumed)
  }

  @Test func `names the deadline that an app was killed for, and so does why`() {
    var (bench, _) = Bench.withRunningApp()
    bench.order(.leave)
    bench.pass(.seconds(6))

    bench.send(.app(farm, life: 1, .exited(status: "was killed by signal 9", isCrash: false)))

    let history = bench.rows.memory.history
    #expect(history.map(\.kind) == [.launched, .background, .overdue, .exited])
    #expect(bench.view(farm)?.lastEnd == "was killed by signal 9")
    #expect(bench.view(farm)?.endReason == "is killed: it did not return from didEnterBackground within 5 s")
  }

  @Test func `tells how long an app is not launched again that crashes whenever it is`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)

    for life in 2...3 {
      _ = bench.attachInBackground(life: life, connection: UInt64(life))
      bench.send(.detached(ConnectionID(UInt64(life))))
      bench.send(.app(farm, life: life, .exited(status: "was killed by signal 11", isCrash: true)))
      bench.pass(.seconds(1))
    }

    let last = bench.rows.memory.history.suffix(3)
    #expect(last.map(\.kind) == [.launched, .crashed, .delayed])
    #expect(last.last?.sentence.hasPrefix("is not launched again for 2 s: 2 times in a row") == true)
  }

  @Test(arguments: [nil, BootID("second")])
  func `outlives the daemon, and tells of the end that nobody saw`(boot: BootID?) {
    var (bench, _) = Bench.withRunningApp()

    bench.restart(boot: boot)

    let history = bench.rows.memory.history
    #expect(history.map(\.kind) == [.launched, .lost])
    #expect(bench.view(farm)?.lastEnd == history.last?.sentence)
    #expect(history.last?.sentence.contains("machine") == (boot != nil))
  }

  @Test func `is not closed by a daemon that finds the app alive, nor twice by one that does not`() {
    var (bench, _) = Bench.withRunningApp()

    bench.restart(adopting: [(farm, life: 1, pid: 42)])
    let adopted = bench.rows.memory.history.map(\.kind)
    bench.restart()
    bench.restart()

    #expect(adopted == [.launched])
    #expect(bench.rows.memory.history.map(\.kind) == [.launched, .lost])
  }

  @Test(arguments: [false, true])
  func `does not take an app for lost that had ended, or never run, when it was removed from the switcher`(
    hasRun: Bool
  ) {
    var (bench, _) = Bench.withRunningApp()
    if hasRun {
      bench.send(.app(farm, life: 1, .exited(status: "crashed", isCrash: true)))
    } else {
      bench = Bench()
      bench.send(.installed(farmApp, nil))
    }
    bench.order(.removeFromSwitcher(farm))

    bench.restart()

    #expect(bench.rows.memory.history.map(\.kind) == (hasRun ? [.launched, .crashed, .terminated] : [.terminated]))
    #expect(bench.view(farm)?.hasCrashed == hasRun)
  }

  @Test func `tells of a suspension once, though the app is told once more when a new daemon finds it`() {
    var (bench, client) = Bench.withSuspendedApp()

    bench.restart(adopting: [(farm, life: 1, pid: client.pid)], frozen: true)
    let again = bench.view(farm)?.state
    bench.send(.app(farm, life: 1, .suspended(stint: 1, true)))

    #expect(again == .suspended)
    #expect(bench.rows.memory.history.map(\.kind) == [.launched, .background, .suspended])
  }

  @Test func `names the shared file with whose lock an app would have been suspended`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.leave)
    bench.ask(.entered(1), as: client)

    bench.send(.app(farm, life: 1, .locked(stint: 1, path: "/groups/one/db")))
    let ends = bench.deeds.ends
    bench.send(.app(farm, life: 1, .exited(status: "was killed by signal 9", isCrash: false)))

    #expect(ends == [false])
    #expect(bench.rows.memory.history.suffix(2).map(\.kind) == [.locked, .exited])
    #expect(bench.view(farm)?.endReason?.contains("/groups/one/db") == true)
  }

  @Test func `is bounded: the oldest entries go`() {
    var limits = Limits()
    limits.historyPerAppMax = 3
    var (bench, _) = Bench.withRunningApp(limits: limits)

    for _ in 0..<4 {
      bench.order(.leave)
      bench.order(.launch(farm, arguments: []))
    }

    #expect(bench.rows.memory.history.map(\.id.number) == [7, 8, 9])
    bench.restart()
    #expect(bench.order(.listHistory(farm, limit: 500)) == .history(bench.rows.memory.history))
  }

  @Test func `goes with the app`() {
    var (bench, _) = Bench.withRunningApp()
    bench.order(.uninstall(farm))

    bench.send(.app(farm, life: 1, .exited(status: "was killed by signal 9", isCrash: false)))

    #expect(bench.rows.memory.history == [])
    #expect(bench.order(.listHistory(farm, limit: 5)) == .refused(.noSuchApp(farm)))
  }
}
