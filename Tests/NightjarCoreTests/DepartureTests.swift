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
