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

  @Test(arguments: [Radio.lte, .umts, .wifi])
  func `three that begin together cost less than three apart, by what they share`(radio: Radio) {
    var (together, apart) = (RadioMeter(radio), RadioMeter(radio))

    for number in 0..<3 {
      together.count(begin: 1000, seconds: 2, received: 100_000, sent: 10_000)
      apart.count(begin: 1000 + Double(number) * 100, seconds: 2, received: 100_000, sent: 10_000)
    }

    let shared = 2 * (radio.promotion.joules + radio.tailJoules() + radio.joules(joining: 2, received: 0, sent: 0))
    #expect((apart.joules - together.joules - shared).magnitude < 1e-9)
  }

  @Test(arguments: [Radio.lte, .umts, .wifi])
  func `one that begins within another's tail pays for what is over of that, and no promotion`(radio: Radio) {
    var meter = RadioMeter(radio)
    let pause = radio.tailSeconds / 3
    let first = meter.count(begin: 0, seconds: 2, received: 100_000, sent: 10_000)

    let second = meter.count(begin: 2 + pause, seconds: 2, received: 100_000, sent: 10_000)

    let expected = radio.tailJoules(first: pause) + radio.joules(joining: 2, received: 100_000, sent: 10_000)
    #expect((first - radio.joules(apart: 2, received: 100_000, sent: 10_000)).magnitude < 1e-9)
    #expect((second - expected).magnitude < 1e-9)
  }

  @Test(arguments: [Radio.lte, .umts, .wifi])
  func `what transfers cost together does not hang on the order in which they are told`(radio: Radio) {
    let transfers: [(begin: Double, seconds: Double)] = [
      (0, 30), (20, 2), (25, 12), (31, 4), (45, 1), (46, 0.5), (60, 5), (64.9, 20), (200, 1),
    ]

    let costs = (0..<9).flatMap { place in
      let order = Array(transfers[place...] + transfers[..<place])
      return [Self.joules(order, radio), Self.joules(order.reversed(), radio)]
    }

    #expect(costs.allSatisfy { ($0 - costs[0]).magnitude < 1e-9 })
  }

  @Test func `a transfer that is told long after others costs as much as if nothing had been before`() {
    var meter = RadioMeter(.lte)
    for number in 0..<1000 { meter.count(begin: Double(number) * 100, seconds: 2) }

    let late = meter.count(begin: 100, seconds: 2, received: 100_000, sent: 10_000)

    #expect((late - Radio.lte.joules(apart: 2, received: 100_000, sent: 10_000)).magnitude < 1e-9)
  }

  @Test func `nothing costs nothing`() {
    #expect(RadioMeter(.lte).joules == 0)
  }

  /// What transfers of 1 kB add, in that order.
  private static func joules(_ transfers: [(begin: Double, seconds: Double)], _ radio: Radio) -> Double {
    var meter = RadioMeter(radio)
    let added = transfers.reduce(0) { $0 + meter.count(begin: $1.begin, seconds: $1.seconds, received: 1000) }
    #expect((added - meter.joules).magnitude < 1e-9)
    return added
  }
}
