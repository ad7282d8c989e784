import NightjarModel
import Testing

@testable import NightjarCore

struct MeasureTests {
  private func metrics(_ redirects: Int) -> TransferMetrics { TransferMetrics(redirects: redirects) }

  @Test func `the oldest goes when there is no room`() {
    var measures = Measures(limit: 3)

    for number in 1...5 { measures.keep(metrics(number), of: TransferID(Int64(number))) }

    #expect((1...5).map { measures[TransferID($0)]?.redirects } == [nil, nil, 3, 4, 5])
  }

  @Test func `what is measured again counts, and is as young as its last time`() {
    var measures = Measures(limit: 2)
    measures.keep(metrics(1), of: TransferID(1))
    measures.keep(metrics(2), of: TransferID(2))
    measures.keep(metrics(3), of: TransferID(1))

    measures.keep(metrics(4), of: TransferID(3))

    #expect(measures[TransferID(1)]?.redirects == 3)
    #expect(measures[TransferID(2)] == nil)
  }

  @Test func `what is forgotten leaves room, however often`() {
    var measures = Measures(limit: 2)
    measures.keep(metrics(0), of: TransferID(0))

    for number in 1...1000 as ClosedRange<Int64> {
      measures.keep(metrics(Int(number)), of: TransferID(number))
      measures.forget(TransferID(number))
    }

    #expect(measures[TransferID(0)]?.redirects == 0)
    #expect(measures[TransferID(1000)] == nil)
  }
}

@Suite struct `What was measured` {
  @Test func `goes out with the end of its task`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    let metrics = TransferMetrics(redirects: 7)

    bench.send(.transfer(TransferID(1), attempt: 1, .measured(metrics)))
    bench.finish(1)

    let told = bench.deeds.messages.compactMap { if case .ended(let ended) = $0 { ended.metrics } else { nil } }
    #expect(told == [metrics])
  }

  @Test func `of an attempt that is over counts no more`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    bench.send(.transfer(TransferID(1), attempt: 9, .measured(TransferMetrics(redirects: 7))))
    bench.finish(1)

    let told = bench.deeds.messages.compactMap { if case .ended(let ended) = $0 { ended.metrics } else { nil } }
    #expect(told.isEmpty)
  }
}
