import NightjarHabits
import NightjarModel
import TestThreads
import Testing

/// Clocks are set, zones change, devices are off: habits take no harm.
@Suite(.computing) struct ClockTests {
  private static let threeWeeks = Habits.ofThree(days: 21)

  @Test func `it makes no difference how often time is told`() {
    var often = Self.threeWeeks
    var seldom = often

    for minute in Int64(1)...2000 { often.advance(to: .day(21).later(by: minute * 60)) }
    seldom.advance(to: .day(21).later(by: 120_000))

    #expect(often == seldom)
  }

  @Test(arguments: [Int64.min, -86_400 * 400, -3600, -1, 0, 1, 86_400 * 4000, .max])
  func `a clock that jumps harms what was learned by no more than some idle days`(jump: Int64) {
    var habits = Self.threeWeeks
    let before = habits.day(of: .mail, isWeekend: false)

    habits.advance(to: LocalTime(seconds: jump == .min || jump == .max ? jump : LocalTime.day(21).seconds + jump))
    habits.advance(to: .day(21, hour: 1))

    for (now, then) in zip(habits.day(of: .mail, isWeekend: false), before) { #expect(now > then * 0.7 - 0.01) }
    #expect(habits.known.count == 3)
  }

  @Test(arguments: [-86_400 * 20_000, -61, 61, 86_400 * 20_000] as [Int64])
  func `what a clock is set by has not passed`(leap: Int64) {
    var habits = Self.threeWeeks
    let sinceUse = habits.sinceUse(of: .news, at: .day(21, hour: 2))

    habits.clockSet(from: .day(21, hour: 1), to: .day(21, hour: 1).later(by: leap))

    #expect(habits.sinceUse(of: .news, at: .day(21, hour: 2).later(by: leap)) == sinceUse)
  }

  @Test func `a device that was off for a month goes on as before`() {
    var habits = Self.threeWeeks
    let before = habits.forecast(.mail, at: .day(21, hour: 9)).histogram

    habits.advance(to: .day(54))
    let after = habits.forecast(.mail, at: .day(56, hour: 9)).histogram

    #expect(after > before * 0.7)
  }

  @Test func `habits go with the clock on the wall into another zone`() {
    var habits = Self.threeWeeks
    let east = 8 * 3600 as Int64

    habits.advance(to: LocalTime(seconds: LocalTime.day(21).seconds, offset: east))
    let atNineThere = LocalTime(seconds: LocalTime.day(21, hour: 9).seconds - east + 86_400, offset: east)
    let atNineHere = LocalTime(seconds: LocalTime.day(22, hour: 9).seconds, offset: east)

    let (there, here) = (habits.forecast(.mail, at: atNineThere), habits.forecast(.mail, at: atNineHere))
    #expect(there.histogram > 5 * here.histogram)
  }

  @Test func `daylight saving neither doubles nor loses an hour`() {
    var habits = Self.threeWeeks
    let atThree = LocalTime.day(21, hour: 3).seconds

    for minute in Int64(0)..<240 {
      habits.advance(to: LocalTime(seconds: atThree - 7200 + minute * 60, offset: minute < 120 ? 0 : 3600))
    }
    for minute in Int64(240)..<480 {
      habits.advance(to: LocalTime(seconds: atThree - 7200 + minute * 60, offset: minute < 360 ? 3600 : 0))
    }

    let otherwise = Self.threeWeeks.forecast(.mail, at: .day(22, hour: 9)).histogram
    #expect(habits.forecast(.mail, at: .day(22, hour: 9)).histogram > 0.95 * otherwise)
    #expect(habits.sinceUse(of: .news, at: LocalTime(seconds: atThree + 21_600)) < .hours(14))
  }

  @Test(arguments: 0..<UInt64(20)) func `calls in any order with any times do no harm`(seed: UInt64) {
    var dice = Dice(seed: seed)
    var habits = Habits()

    for _ in 0..<60 {
      let far = dice.roll(10) == 0 ? Int64(dice.roll(1 << 40)) * (dice.roll(2) == 0 ? 1 : -1) : 0
      let time = LocalTime(
        seconds: LocalTime.day(3).seconds + Int64(dice.roll(500_000)) + far, offset: Int64(dice.roll(100_000)) - 50_000)
      let app = [AppID.mail, .news, .game][dice.roll(3)]
      switch dice.roll(5) {
      case 4: habits.lost(app, at: time)
      case 0: habits.opened(app, at: time)
      case 1: habits.left(app, at: time)
      case 2: habits.noticed(at: time)
      default: habits.advance(to: time)
      }
      #expect((0...1).contains(habits.forecast(app, at: time).probability))
    }

    #expect((try? Habits(saved: habits.saved)) == habits)
  }
}
