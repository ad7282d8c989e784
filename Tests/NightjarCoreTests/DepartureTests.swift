import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `An app that was removed` {
  private static func removed() -> Bench {
    var bench = Bench()
    bench.send(.installed(farmApp, nil))
    bench.order(.uninstall(farm))
    return bench
  }

  @Test func `goes at the next start if the daemon died before it could remove the bundle`() {
    var bench = Self.removed()

    bench.restart()
    let found = bench.send(.installed(farmApp, nil))
    let known = bench.view(farm)
    bench.send(.uninstalled(farm))
    let remembered = bench.rows.memory.departed

    #expect(found == [.uninstall(farm)])
    #expect(known == nil)
    #expect(remembered.isEmpty)
  }

  @Test func `goes with its process if that is found after the bundle was missed`() {
    var (bench, client) = Bench.withRunningApp()

    bench.restart(thenFinding: [.uninstalled(farm), .adopted(farm, life: 1, pid: client.pid, isFrozen: false)])
    let state = bench.view(farm)?.state
    bench.send(.app(farm, life: 1, .exited(status: "was killed by signal 9", isCrash: false)))

    #expect(state == .ending)
    #expect(bench.view(farm) == nil)
  }

  @Test(arguments: [false, true])
  func `goes at the next start if the daemon died before its process had ended`(isFound: Bool) {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.order(.uninstall(farm))
    let found: [Event] = [
      .adopted(farm, life: 1, pid: client.pid, isFrozen: false),
      .app(farm, life: 1, .exited(status: "was killed by signal 9", isCrash: false)),
    ]

    bench.restart(thenFinding: [.installed(farmApp, nil)] + (isFound ? found : []))

    #expect(bench.deeds.contains(.uninstall(farm)) && bench.deeds.starts.isEmpty)
    #expect(bench.view(farm) == nil)
    #expect(bench.rows.memory.departed == [farm] && bench.rows.memory.history.isEmpty)
  }

  @Test func `is ended by the next daemon that finds its process, and goes then`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.uninstall(farm))

    bench.restart(thenFinding: [
      .installed(farmApp, nil), .adopted(farm, life: 1, pid: client.pid, isFrozen: false),
    ])
    let state = bench.view(farm)?.state
    bench.send(.app(farm, life: 1, .exited(status: "was killed by signal 9", isCrash: false)))

    #expect(state == .ending)
    #expect(bench.deeds.contains(.uninstall(farm)))
  }

  @Test func `by hand and put back is left alone`() {
    var (bench, client) = Bench.withRunningApp()
    let found = Event.adopted(farm, life: 1, pid: client.pid, isFrozen: false)
    bench.restart(thenFinding: [.uninstalled(farm), found])

    bench.restart(thenFinding: [.installed(farmApp, nil), found])
    bench.send(.app(farm, life: 1, .exited(status: "was killed by signal 9", isCrash: false)))

    #expect(!bench.deeds.contains(.uninstall(farm)))
    #expect(bench.view(farm)?.state == .notRunning)
  }

  @Test func `may be installed again before its old bundle is gone, and stays then`() {
    var bench = Self.removed()

    bench.send(.installed(farmApp, bench.ticket()))
    bench.restart()
    let found = bench.send(.installed(farmApp, nil))

    #expect(found.isEmpty)
    #expect(bench.view(farm)?.installed == farmApp)
    #expect(bench.rows.memory.departed.isEmpty)
  }
}
