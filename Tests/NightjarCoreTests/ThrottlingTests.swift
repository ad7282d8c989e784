import NightjarModel
import Testing

@testable import NightjarCore

extension Bench {
  /// A bench whose hosts have one place, with transfers 1 and 2 of the command line, 1 under way.
  fileprivate static func withTwo(limits: Limits = Limits()) -> Bench {
    var limits = limits
    limits.runningPerHostMax = 1
    var bench = Bench(limits: limits)
    bench.queue(1)
    bench.queue(2)
    return bench
  }

  /// The host of the first transfer asks to be left alone, and its attempt fails.
  @discardableResult
  fileprivate mutating func throttle(for wish: Duration) -> [Deed] {
    let failure = TransferFailure(.serverBusy, "a.example answered 429")
    return send(
      .transfer(TransferID(1), attempt: 1, .throttled(for: wish)),
      .transfer(TransferID(1), attempt: 1, .failed(failure, retryAfter: wish)))
  }
}

@Suite struct `A host that asks for fewer requests` {
  @Test func `gets none of what the app has queued for it until its time is over, and that is said`() {
    var bench = Bench.withTwo()

    let begun = bench.throttle(for: .seconds(60))
    let verdict = bench.view(TransferID(2))?.verdict
    let early = bench.pass(.seconds(59))
    let late = bench.pass(.seconds(1))

    #expect(begun.starts.isEmpty && early.starts.isEmpty)
    #expect(verdict == .waits(.throttled(host: "a.example"), atMost: .seconds(60)))
    #expect(late.starts.map(\.id) == [TransferID(2)])
  }

  @Test func `is asked by all others first before it is asked again by the one that it refused`() {
    var bench = Bench.withTwo()
    bench.queue(3)
    bench.throttle(for: .minutes(10))

    var (orders, asked) = (bench.pass(.minutes(10)).starts, [Int64]())
    while let order = orders.popLast() {
      asked.append(order.id.rawValue)
      let failure = TransferFailure(.badURL, "made up")
      orders += bench.send(.transfer(order.id, attempt: order.attempt, .failed(failure, retryAfter: nil))).starts
    }
    let again = bench.pass(.seconds(2)).starts

    #expect(asked == [2, 3])
    #expect(again.map(\.id) == [TransferID(1)])
  }

  @Test func `is left alone for a while only, whatever it wishes, and no shorter for a lesser wish that comes later`() {
    var limits = Limits()
    limits.throttleMax = .minutes(5)
    var bench = Bench.withTwo(limits: limits)
    bench.send(.transfer(TransferID(1), attempt: 1, .throttled(for: .hours(24))))

    bench.throttle(for: .seconds(1))
    let early = bench.pass(.seconds(299))
    let late = bench.pass(.seconds(1))

    #expect(early.starts.isEmpty)
    #expect(late.starts.count == 1)
  }

  @Test func `is not left alone at all if that is turned off`() {
    var limits = Limits()
    limits.throttleMax = .zero
    var bench = Bench.withTwo(limits: limits)

    #expect(bench.throttle(for: .seconds(60)).starts.map(\.id) == [TransferID(2)])
  }

  @Test func `holds up no other app, and none of the app's other hosts`() {
    var (bench, client) = Bench.withRunningApp()
    bench.queue(1)
    bench.throttle(for: .seconds(60))

    bench.ask(.enqueue(.made(2), isSuspended: false), as: client)
    let ofOther = bench.deeds.starts.count
    bench.order(.enqueue(.made(3, app: .commandLine, session: nil, host: "b.example")))
    let atOther = bench.deeds.starts.count

    #expect(ofOther == 1 && atOther == 1)
  }

  @Test func `goes on with what is under way`() {
    var bench = Bench()
    bench.queue(1)
    bench.queue(2)

    bench.throttle(for: .seconds(60))

    #expect(bench.deeds.isEmpty)
    #expect(bench.phase(2) == .running)
  }

  @Test func `is asked again at once for a transfer that a person lets go on`() {
    var bench = Bench.withTwo()
    bench.throttle(for: .hours(1))

    bench.order(.resume(TransferID(2)))

    #expect(bench.deeds.starts.map(\.id) == [TransferID(2)])
  }

  @Test func `is asked once more by a daemon that starts anew`() {
    var bench = Bench.withTwo()
    bench.throttle(for: .hours(1))

    bench.restart(thenFinding: [])

    #expect(bench.deeds.starts.map(\.id) == [TransferID(2)])
  }
}
