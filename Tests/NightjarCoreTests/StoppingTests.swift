import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A daemon that is asked to stop before it has begun` {
  @Test func `starts no transfer, launches no app and never looks again`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    bench.queue(2)

    bench.restart(thenFinding: [.stopping])
    let begun = bench.deeds
    let next = bench.supervisor.nextLook
    bench.restart()

    #expect(begun == [])
    #expect(next == nil)
    #expect(bench.deeds.starts.map(\.id) == [TransferID(2)])
    #expect(bench.deeds.launches.map(\.app) == [farmApp])
  }
}
