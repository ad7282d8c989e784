import NightjarModel
import Testing

@testable import NightjarCore

extension Bench {
  /// The newest attempt at the first transfer fails so often, each time as soon as it is made.
  fileprivate mutating func fail(_ code: TransferFailure.Code, times: Int) {
    for _ in 0..<times {
      let attempt = view(TransferID(1))?.attempts ?? 0
      send(.transfer(TransferID(1), attempt: attempt, .failed(TransferFailure(code, "made up"), retryAfter: nil)))
      if let wait { pass(wait) }
    }
  }

  /// How long the first transfer still waits.
  fileprivate var wait: Duration? {
    guard case .waits(.backOff, let wait) = view(TransferID(1))?.verdict else { return nil }
    return wait
  }

  /// The newest attempt at the first transfer fails; how long it waits for the next.
  fileprivate mutating func waitAfter(_ code: TransferFailure.Code) -> Duration? {
    let attempt = view(TransferID(1))?.attempts ?? 0
    send(.transfer(TransferID(1), attempt: attempt, .failed(TransferFailure(code, "made up"), retryAfter: nil)))
    return wait
  }

  fileprivate var firstWait: Duration { limits.retry.delay(afterFailures: 1, entropy: 1 << 63) }
  fileprivate var longestWait: Duration { limits.retry.delay(afterFailures: 20, entropy: 1 << 63) }
}

@Suite struct `What transfers lack` {
  @Test func `is forgiven with another network: an attempt that comes too early waits as after a first failure`() {
    var bench = Bench()
    bench.queue(1)
    bench.fail(.connectionLost, times: 12)
    let long = bench.waitAfter(.connectionLost)

    bench.send(.sensed(Conditions(network: .metered)))
    let starts = bench.deeds.starts
    let short = bench.waitAfter(.cannotFindHost)

    #expect(long == bench.longestWait)
    #expect(starts.map(\.attempt) == [14])
    #expect(short == bench.firstWait)
  }

  @Test func `is forgiven to one whose wait ended while there was no network`() {
    var bench = Bench()
    bench.queue(1)
    bench.fail(.connectionLost, times: 12)
    let long = bench.waitAfter(.connectionLost)
    bench.send(.sensed(Conditions(isOnline: false)))
    let idle = bench.pass(.hours(1)).starts

    bench.send(.sensed(Conditions(isOnline: true)))
    let starts = bench.deeds.starts
    let short = bench.waitAfter(.cannotFindHost)

    #expect(long == bench.longestWait)
    #expect(idle.isEmpty)
    #expect(starts.map(\.attempt) == [14])
    #expect(short == bench.firstWait)
  }

  @Test func `is nothing that a network could mend after the answer of a busy server`() {
    var bench = Bench()
    bench.queue(1)
    bench.fail(.serverBusy, times: 12)
    let long = bench.waitAfter(.serverBusy)

    bench.send(.sensed(Conditions(network: .metered)))

    #expect(long == bench.longestWait)
    #expect(bench.deeds.starts.isEmpty)
    #expect(bench.wait == long)
  }
}
