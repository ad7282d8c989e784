import NightjarCore
import Testing

/// What radios spend.
@Suite struct RadioTests {
  @Test func `a small fetch by itself spends most on the tail`() {
    let joules = Radio.lte.joules(apart: 2, received: 100_000, sent: 10_000)

    #expect((15.2...15.3).contains(joules))
    #expect((0.80...0.82).contains(Radio.lte.tailJoules() / joules))
    #expect((6.9...7.1).contains(Radio.umts.tailJoules()))
    #expect(Radio.wifi.joules(apart: 2, received: 100_000, sent: 10_000) < 0.5)
  }

  @Test(arguments: [Radio.lte, .umts, .wifi])
  func `what is apart costs what it costs alone`(radio: Radio) {
    var meter = RadioMeter(radio)
    for number in 0..<5 { meter.count(begin: Double(number) * 100, seconds: 2, received: 50_000, sent: 1000) }

    let alone = radio.joules(apart: 2, received: 50_000, sent: 1000)

    #expect((meter.joules - 5 * alone).magnitude < 1e-9)
  }

  @Test(arguments: [Radio.lte, .umts, .wifi])
  func `the closer two transfers are the less they cost`(radio: Radio) {
    let costs = [100, radio.tailSeconds, radio.tailSeconds / 2, 0.01, 0].map { pause in
      var meter = RadioMeter(radio)
      meter.count(begin: 0, seconds: 2)
      meter.count(begin: 2 + pause, seconds: 2)
      return meter.joules
    }

    #expect(zip(costs, costs.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(costs[0] > costs[4])
  }

  @Test func `what overlaps keeps the radio active once`() {
    var (both, one) = (RadioMeter(.lte), RadioMeter(.lte))
    both.count(begin: 0, seconds: 10, received: 1_000_000)
    both.count(begin: 3, seconds: 2, received: 1_000_000)

    one.count(begin: 0, seconds: 10, received: 2_000_000)

    #expect((both.joules - one.joules).magnitude < 1e-9)
  }

  @Test func `nothing costs nothing`() {
    #expect(RadioMeter(.lte).joules == 0)
  }
}
