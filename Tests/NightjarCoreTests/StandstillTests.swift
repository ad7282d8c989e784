import NightjarModel
import Testing

@testable import NightjarCore

/// What becomes of deadlines when the database could not be written for a while, or the daemon was stopped.
@Suite struct `After a standstill` {
  /// An hour in which nothing is handled.
  private func stand(_ bench: inout Bench) {
    let start = bench.moment
    bench.boot += .hours(1)
    bench.supervisor.giveBack(from: start, to: bench.moment)
  }

  @Test func `an attempt is not taken for silent that has had nobody to tell`() {
    var bench = Bench()
    bench.queue(1)
    bench.queue(2)

    stand(&bench)
    let first = bench.send(.transfer(TransferID(1), attempt: 1, .progressed(count: 10, expected: nil)))
    let later = bench.pass(.minutes(1))

    #expect(first == [] && later == [])
    #expect(bench.view(TransferID(2))?.state == .running)
  }

  @Test func `one that had ended meanwhile is not begun again, though its end is heard last`() {
    var bench = Bench()
    bench.queue(1)
    bench.pass(.minutes(3))  // It was asked to stop.
    #expect(bench.phase(1) == .stopping)

    stand(&bench)
    let first = bench.send(.awoke)
    bench.finish(1)

    #expect(first == [])
    #expect(bench.view(TransferID(1))?.state == .succeeded)
  }

  @Test func `a delivery is not ordered again`() {
    var bench = Bench()
    bench.queue(1, to: "/home/file")
    bench.finish(1)

    stand(&bench)

    #expect(bench.send(.awoke).deliveries == [])
  }

  @Test func `an app has the time again that was lost, to do what it owes or to end`() {
    var (bench, _) = Bench.withRunningApp()
    bench.order(.leave)

    stand(&bench)
    let first = bench.send(.awoke).ends + bench.pass(.seconds(4)).ends
    bench.order(.terminate(farm))
    stand(&bench)

    #expect(first == [])
    #expect(bench.send(.awoke).ends == [])
  }

  @Test func `an app that handles events has its time again from then on, and no longer`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    _ = bench.attachInBackground(life: 2, connection: 2)

    stand(&bench)
    let early = bench.send(.awoke).ends + bench.pass(.seconds(29)).ends
    let late = bench.pass(.seconds(2)).ends

    #expect(early == [] && late == [false])
  }

  @Test func `however many there are, what is owed is due in the end`() {
    var (bench, _) = Bench.withRunningApp()
    bench.queue(1)
    bench.order(.leave)
    var deeds: [Deed] = []

    for _ in 0..<100 {
      stand(&bench)
      deeds += bench.send(.awoke) + bench.pass(.seconds(2))
    }

    #expect(deeds.ends.contains(false))
    #expect(bench.phase(1) == .stopping)
  }
}
