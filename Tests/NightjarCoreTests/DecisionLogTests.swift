import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `The log of decisions` {
  private let apps = (0..<3).map { AppID("dev.example.App\($0)") }

  private func decision(_ number: Int64) -> FetchDecision {
    let app = apps[Int(number % 3)]
    return FetchDecision(number: number, app: app, at: Timestamp(seconds: number), verdict: .fetch)
  }

  /// Of each app the newest twenty, but for numbers that were never given out.
  private func filled() -> (log: DecisionLog, model: [FetchDecision]) {
    var (log, model) = (DecisionLog(), [FetchDecision]())
    for number in Int64(1)...200 where number % 5 > 0 {
      let gone = log.enter(decision(number), max: 20)
      model = model.filter { !gone.contains($0.number) } + [decision(number)]
    }
    return (log, model)
  }

  @Test func `keeps the newest of each app, and says which have gone`() {
    let (log, model) = filled()

    #expect(log.all == model)
    for app in apps {
      #expect(log.entries(of: app, after: nil, limit: .max).count == min(20, model.count { $0.app == app }))
    }
    #expect(log.entries(of: AppID("dev.example.Other"), after: nil, limit: 9) == [])
  }

  @Test func `gives those between two numbers, the first of them or the last`() {
    let (log, model) = filled()
    for app in apps.map(Optional.some) + [nil] {
      let own = model.filter { app == nil || $0.app == app }
      for (after, before) in [(40, 150), (90, 91), (150, 100), (0, Int64.max)] as [(Int64, Int64)] {
        let between = own.filter { $0.number > after && $0.number < before }
        #expect(log.entries(of: app, after: after, before: before, limit: 7) == Array(between.suffix(7)))
        #expect(log.entries(of: app, after: after, limit: 7) == Array(own.filter { $0.number > after }.prefix(7)))
      }
    }
  }

  @Test func `replaces a decision of which something has come`() throws {
    var (log, model) = filled()
    var ended = try #require(model.first)
    ended.outcome = .noData

    let gone = log.enter(ended, max: 20)

    #expect(gone == [])
    #expect(log.decision(ended.number, of: ended.app) == ended)
    #expect(log.decision(ended.number, of: AppID("dev.example.Other")) == nil)
    #expect(log.decision(5, of: ended.app) == nil)
    #expect(log.all.count == model.count)
    model[0] = ended
    #expect(log.all == model)
  }

  @Test(arguments: [1, 2, 7, 20])
  func `keeps half of its room for what was fetched, however often the reasons to wait change`(max: Int) {
    var log = DecisionLog()
    var kept: Set<Int64> = []
    for number in Int64(1)...200 {
      var next = decision(3 * number)
      if number > 100 { next.verdict = .waits }
      let gone = log.enter(next, max: max)
      kept = kept.union([next.number]).subtracting(gone)
      #expect(log.entries(of: apps[0], after: nil, limit: .max).last == next)
    }

    let all = log.all
    #expect(all.count == max && Set(all.map(\.number)) == kept)
    #expect(all.count { $0.verdict == .waits } == Swift.max(max / 2, 1))
    #expect(all.map(\.number) == all.map(\.number).sorted())
  }
}
