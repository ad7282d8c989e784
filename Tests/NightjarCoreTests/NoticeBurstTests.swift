import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A burst of local notifications` {
  @Test func `has the screen show the newest, and take off it only what it was asked to show`() {
    var bench = Bench.withApp()
    let requests = (1...4096).map { NoticeRequest.immediate(UInt64($0), of: bench) }

    bench.ask(.schedule(requests, replaces: false), as: Client(farm))
    let (shown, retracted) = (bench.deeds.banners.map(\.id), bench.deeds.retractions)
    bench.schedule(.immediate(5000, of: bench))

    #expect(shown == (3997...4096).map { NoticeID($0) } && retracted == [])
    #expect(bench.deeds.banners.map(\.id) == [NoticeID(4097)])
    #expect(bench.deeds.retractions == [NoticeID(3997)])
  }

  @Test func `takes off the screen what an earlier daemon may have shown there`() {
    var bench = Bench.withApp()
    bench.limits.shownNoticesPerAppMax = 1
    bench.schedule(.immediate(1, of: bench))
    bench.schedule(.made(2, in: 60, of: bench))
    bench.wall = Timestamp(seconds: bench.wall.seconds + 61)

    bench.restart()

    #expect(bench.deeds.contains(.restore(seen: [], unseen: [NoticeID(1)])))
    #expect(bench.deeds.retractions == [NoticeID(1)])
    #expect(bench.rows.memory.notices.map(\.id) == [NoticeID(2)])
  }
}

extension [Deed] {
  fileprivate var retractions: [NoticeID] { compactMap { if case .retract(let id) = $0 { id } else { nil } } }
}
