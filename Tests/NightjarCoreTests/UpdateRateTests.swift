import NightjarCore
import NightjarModel
import Testing

@Suite struct UpdateRateTests {
  @Test func `content that is always old slows down, and content that is always new speeds up`() {
    var (old, new) = (UpdateRate(), UpdateRate())

    for _ in 0..<20 {
      old.learn(isNew: false, after: .hours(2))
      new.learn(isNew: true, after: .hours(2))
    }

    #expect(old.perHour < UpdateRate().perHour / 4)
    #expect(new.perHour > UpdateRate().perHour * 4)
  }

  /// Content changes at even distances, and is asked for at others.
  @Test(arguments: [0.1, 0.5, 2.0]) func `the rate at which content changes is learned`(perHour: Double) {
    var rate = UpdateRate()

    var time = 0.0
    for number in 0..<400 {
      let pause = 0.5 + Double(number * 7 % 11) / 8
      let changes = ((time + pause) * perHour).rounded(.down) - (time * perHour).rounded(.down)
      rate.learn(isNew: changes > 0, after: .seconds(pause * 3600))
      time += pause
    }

    #expect((0.6...1.8).contains(rate.perHour / perHour))
  }

  @Test func `a device that was off for a year, or whose clock was wrong, does not unteach what was learned`() {
    var rate = UpdateRate()
    for _ in 0..<100 { rate.learn(isNew: true, after: .hours(1)) }
    let before = rate.perHour

    rate.learn(isNew: false, after: .hours(24 * 365))

    #expect(rate.perHour > before / 5)
  }

  @Test func `confidence grows with every fetch`() {
    var rate = UpdateRate()
    #expect(rate.confidence == 0)

    rate.learn(isNew: true, after: .hours(1))
    let once = rate.confidence
    rate.learn(isNew: false, after: .hours(1))

    #expect(once > 0 && rate.confidence > once && rate.confidence < 1)
  }

  @Test func `an app that says for ever that there is something new is believed within bounds`() {
    var rate = UpdateRate()

    for _ in 0..<10_000 { rate.learn(isNew: true, after: .zero) }

    #expect(rate.perHour <= 60)
    #expect(rate.isNew(after: 1) <= 1)
  }

  @Test func `what was saved is gone on with, and rubbish is refused`() {
    var rate = UpdateRate()
    rate.learn(isNew: true, after: .minutes(50))

    #expect(UpdateRate(changes: rate.changes, hours: rate.hours, observations: rate.observations) == rate)
    #expect(UpdateRate(changes: .nan, hours: 1, observations: 0) == nil)
    #expect(UpdateRate(changes: -1, hours: 1, observations: 0) == nil)
    #expect(UpdateRate(changes: 1, hours: 0, observations: 0) == nil)
    #expect(UpdateRate(changes: 1, hours: 1, observations: .infinity) == nil)
  }
}
