import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A resource timeout` {
  @Test func `adds up over reboots and daemons, and counts only while the device is on`() {
    var bench = Bench()
    bench.queue(1, timeout: .hours(3))

    bench.send(.sensed(Conditions(isOnline: false)))
    bench.pass(.hours(2))
    bench.queue(2)  // The clock is saved with the commits.
    bench.restart(boot: BootID("second"))
    bench.send(.sensed(Conditions(isOnline: false)))
    bench.pass(.minutes(50))
    let early = bench.failure(1)
    bench.pass(.minutes(15))

    #expect(early != .resourceTimedOut)
    #expect(bench.failure(1) == .resourceTimedOut)
  }

  @Test(arguments: [50, -50] as [Int64])
  func `does not pass because the wall clock jumps`(years: Int64) {
    var bench = Bench()
    bench.queue(1, timeout: .hours(3))

    bench.wall = Timestamp(seconds: bench.wall.seconds + years * 31_557_600)
    bench.pass(.minutes(1))

    #expect(bench.failure(1) != .resourceTimedOut)
  }

  @Test func `ends the attempt that is under way`() {
    var bench = Bench()
    bench.queue(1, timeout: .seconds(100))

    let done = bench.pass(.seconds(101))
    bench.send(.transfer(TransferID(1), attempt: 1, .stopped))

    #expect(done.contains(.stop(TransferID(1), attempt: 1)))
    #expect(bench.deeds.contains(.discard(TransferID(1))))
    #expect(bench.deeds.starts.isEmpty)
    #expect(bench.failure(1) == .resourceTimedOut)
  }

  @Test(
    arguments: [(.milliseconds(1), "1 s"), (.days(7), "7 d"), (.seconds(5400), "1 h 30 min")] as [(Duration, String)])
  func `is told in words, and is never none`(timeout: Duration, words: String) {
    var bench = Bench()
    bench.send(.sensed(Conditions(isOnline: false)))
    bench.queue(1, timeout: timeout)

    bench.pass(timeout + .seconds(1))

    #expect(
      bench.view(TransferID(1))?.failure?.detail.hasPrefix("not finished within its resource timeout of \(words)")
        == true)
  }

  @Test func `ends nothing whose end has come already, and was only not heard yet`() {
    var bench = Bench()
    bench.queue(1, timeout: .seconds(100))
    bench.queue(2)

    bench.boot += .seconds(200)
    bench.send(
      .transfer(TransferID(2), attempt: 1, .progressed(count: 1, expected: nil)),
      .transfer(TransferID(1), attempt: 1, .finished(ok, oneFile)))

    #expect(bench.view(TransferID(1))?.state == .succeeded)
  }

  @Test func `ends an attempt though the engine says nothing to that`() {
    var bench = Bench()
    bench.queue(1, timeout: .seconds(100))

    bench.pass(.seconds(101) + bench.limits.answerTimeout)

    #expect(bench.failure(1) == .resourceTimedOut)
  }

  @Test func `ends an attempt that says for ever that it goes on`() {
    var bench = Bench()
    bench.queue(1, timeout: .seconds(100))

    bench.pass(.seconds(101))
    for _ in 0...(bench.limits.answerTimeout.wholeSeconds / 60) {
      bench.send(.transfer(TransferID(1), attempt: 1, .progressed(count: 0, expected: nil)))
      bench.pass(.seconds(60))
    }

    #expect(bench.failure(1) == .resourceTimedOut)
  }
}
