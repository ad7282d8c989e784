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

  @Test(arguments: [.diskFull, .cannotWrite] as [TransferFailure.Code])
  func `is looked for ever more rarely where it is room on the disk, or the disk itself`(code: TransferFailure.Code) {
    var bench = Bench()
    bench.queue(1)

    let first = bench.waitAfter(code)
    bench.pass(.minutes(1))
    bench.fail(code, times: 18)
    let twentieth = bench.waitAfter(code)

    #expect(first == .seconds(30))
    #expect(twentieth == bench.longestWait)
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

extension Challenge {
  /// The certificate of a server is not valid yet.
  fileprivate static let early = Challenge(
    space: ProtectionSpace(method: .serverTrust, host: "a.example", port: 443, isSecure: true), chain: [[1, 2, 3]],
    distrust: TransferFailure(.certificateNotYetValid, "it is not valid yet"))
}

extension Bench {
  /// Shows transfers the certificate that is not valid yet; which tasks their app is asked about because of that.
  fileprivate mutating func showEarly(to ids: ClosedRange<Int64>, attempt: Int) -> [Int] {
    var asked: [Int] = []
    for id in ids {
      asked += send(.transfer(TransferID(id), attempt: attempt, .asked(.challenge(.early)))).questions.map(\.task)
    }
    return asked
  }

  fileprivate mutating func setClock(forward span: Duration) -> [TransferOrder] {
    wall = Timestamp(seconds: wall.seconds + span.components.seconds)
    return send(.awoke).starts
  }
}

@Suite struct `A certificate that is not valid yet` {
  @Test func `is waited for, however often it is shown`() {
    var bench = Bench()
    bench.queue(1)

    bench.fail(.certificateNotYetValid, times: 20)
    let wait = bench.waitAfter(.certificateNotYetValid)

    #expect(wait == bench.longestWait)
  }

  @Test func `is tried again once the clock is set forward, and not when it is merely corrected`() {
    var bench = Bench()
    bench.queue(1)
    bench.fail(.certificateNotYetValid, times: 20)
    _ = bench.waitAfter(.certificateNotYetValid)

    let corrected = bench.setClock(forward: .seconds(30))
    let back = bench.setClock(forward: .hours(-1))
    let forward = bench.setClock(forward: .days(1000))
    let short = bench.waitAfter(.certificateNotYetValid)

    #expect(corrected.isEmpty && back.isEmpty)
    #expect(forward.map(\.attempt) == [22])
    #expect(short == bench.firstWait)
  }

  @Test func `is not looked at sooner because time passes on the clock`() {
    var bench = Bench()
    bench.queue(1)
    bench.fail(.certificateNotYetValid, times: 20)
    _ = bench.waitAfter(.certificateNotYetValid)

    let early = bench.passWithWall(bench.longestWait - .seconds(1))
    let late = bench.passWithWall(.seconds(2))

    #expect(early.starts.isEmpty)
    #expect(late.starts.map(\.attempt) == [22])
  }

  @Test func `is put to an app once, and waited for when the app leaves it to the system`() {
    var (bench, client) = Bench.withAskingApp(tasks: 2)
    let asked = bench.showEarly(to: 1...2, attempt: 1)
    bench.ask(.decide(1, .performDefault, asks: nil), as: client)
    let again = bench.deeds.starts.map(\.attempt)

    let askedAgain = bench.showEarly(to: 1...2, attempt: 2)
    let failures = [bench.failure(1), bench.failure(2)]
    let forward = bench.setClock(forward: .days(1000))

    #expect(asked == [1] && askedAgain.isEmpty)
    #expect(again == [2, 2])
    #expect(failures == [.certificateNotYetValid, .certificateNotYetValid])
    #expect(forward.map(\.attempt) == [3, 3])
  }

  @Test(arguments: [
    (Decision.use(.trust, isRemembered: true), nil as TransferFailure.Code?), (.reject, .certificateNotYetValid),
    (.cancel, .cancelled),
  ])
  func `is trusted, rejected or cancelled as its app says`(decision: Decision, failure: TransferFailure.Code?) {
    var (bench, client) = Bench.withAskingApp(tasks: 1)
    _ = bench.showEarly(to: 1...1, attempt: 1)

    bench.ask(.decide(1, decision, asks: nil), as: client)

    #expect(bench.failure(1) == failure)
    #expect(bench.deeds.starts.count == (failure == nil ? 1 : 0))
  }
}
