import NightjarHabits
import NightjarModel
import TestThreads
import Testing

@Suite(.computing) struct ForecastTests {
  private static let threeWeeks = Habits.ofThree(days: 21)

  @Test func `an app is expected at the time at which it is used`() {
    let habits = Self.threeWeeks

    let atNine = habits.forecast(.mail, at: .day(21, hour: 8, minute: 50)).probability
    let atFour = habits.forecast(.mail, at: .day(21, hour: 4)).probability

    #expect(atNine > 0.2)
    #expect(atFour < 0.02)
  }

  @Test func `the weekend is told from the week`() {
    let habits = Self.threeWeeks

    let onMonday = habits.day(of: .mail, isWeekend: false)
    let onSaturday = habits.day(of: .mail, isWeekend: true)

    #expect(onMonday.count == 48)
    #expect(onMonday[18] > 2 * onSaturday[18])
    #expect(onMonday.allSatisfy { (0...1).contains($0) })
  }

  @Test func `two days are enough to be of use`() {
    let habits = Habits.ofThree(days: 2)

    let atNine = habits.forecast(.mail, at: .day(2, hour: 8, minute: 45)).probability
    let atFour = habits.forecast(.mail, at: .day(2, hour: 4)).probability

    #expect(atNine > 3 * atFour)
  }

  @Test func `a habit that is given up is forgotten in weeks`() {
    var habits = Self.threeWeeks
    let before = habits.day(of: .mail, isWeekend: false)[18]

    for day in Int64(21)..<63 { habits.visit(.news, at: .day(day, hour: 19, minute: 30)) }

    #expect(habits.day(of: .mail, isWeekend: false)[18] < before / 3)
  }

  @Test func `an app that ends by itself has been used until then, and the device is no more in use for that`() {
    var habits = Self.threeWeeks
    habits.opened(.mail, at: .day(21, hour: 4))
    habits.left(.mail, at: .day(21, hour: 4, minute: 5))
    habits.opened(.news, at: .day(21, hour: 4, minute: 10))
    habits.lost(.news, at: .day(21, hour: 4, minute: 12))
    let later = LocalTime.day(21, hour: 8)
    var untouched = habits
    untouched.advance(to: later)
    habits.lost(.mail, at: later)

    #expect(untouched.sinceUse(of: .news, at: later) == .minutes(228))
    #expect(habits == untouched)
  }

  @Test func `nothing is expected of an app that nobody has opened`() {
    let habits = Self.threeWeeks

    #expect(habits.forecast(AppID("dev.example.other"), at: .day(21)).probability < 0.001)
    #expect(habits.day(of: AppID("dev.example.other"), isWeekend: false).isEmpty)
    #expect(!habits.knows(AppID("dev.example.other")))
  }

  @Test func `the parts of a forecast make up the whole`() {
    let forecast = Self.threeWeeks.forecast(.mail, at: .day(21, hour: 8, minute: 50))

    #expect(forecast.probability == forecast.histogram * forecast.hazard * forecast.activity)
  }

  @Test func `a return within ten minutes is no launch of its own`() {
    var habits = Habits()

    habits.visit(.mail, at: .day(0, hour: 9))
    habits.visit(.mail, at: .day(0, hour: 9, minute: 8))
    habits.visit(.mail, at: .day(0, hour: 10))

    #expect(habits.launches(of: .mail) == 2)
  }

  @Test func `a visit of which no end is told ends by itself`() {
    var habits = Habits()

    habits.opened(.mail, at: .day(0, hour: 9))
    habits.advance(to: .day(0, hour: 12))

    #expect(habits.sinceUse(of: .mail, at: .day(0, hour: 12)) >= .hours(2))
  }

  @Test func `a long visit lasts until its end is told`() {
    var habits = Habits()

    habits.opened(.mail, at: .day(0, hour: 20))
    habits.left(.mail, at: .day(0, hour: 22))
    #expect(habits.sinceUse(of: .mail, at: .day(0, hour: 22)) == .zero)

    habits.visit(.mail, at: .day(0, hour: 22, minute: 5))
    #expect(habits.launches(of: .mail) == 1)
  }

  @Test(arguments: [56, 140, 270] as [Int64])
  func `of a new app as much is expected on an old device as on a young one`(age: Int64) {
    func expected(after days: Int64) -> Double {
      var habits = Habits.ofThree(days: days)
      habits.visit(AppID("dev.example.new"), at: .day(days, hour: 20))
      return habits.forecast(AppID("dev.example.new"), at: .day(days + 1, hour: 19, minute: 45)).probability
    }

    let (young, old) = (expected(after: 28), expected(after: age))

    #expect((young / 1.2...young * 1.2).contains(old), "\(old) after \(age) days, \(young) after 28")
  }

  @Test func `what is learned weighs the same whether its numbers have been made smaller or not`() {
    var habits = Habits.ofThree(days: 270)
    var before = habits.day(of: .mail, isWeekend: false)

    for day in Int64(270)..<290 {
      habits.live(days: day..<day + 1)
      let after = habits.day(of: .mail, isWeekend: false)
      for (old, new) in zip(before, after) { #expect(abs(old - new) < 0.03) }
      before = after
    }
  }

  @Test func `what is forgotten is gone, and nothing else`() {
    var habits = Self.threeWeeks
    let news = habits.forecast(.news, at: .day(21, hour: 19))

    habits.forget(.mail)
    #expect(habits.known == [.game, .news])
    #expect(habits.forecast(.news, at: .day(21, hour: 19)) == news)
    #expect(!habits.saved.contains(Array("mail".utf8)))
  }

  @Test(arguments: [AppID.mail, nil])
  func `what is learned anew begins as with an app that was just opened for the first time`(app: AppID?) {
    var (habits, other) = (Self.threeWeeks, app == nil ? Habits() : Self.threeWeeks)
    let now = LocalTime.day(21, hour: 4)

    habits.beginAnew(app, at: now)
    other.advance(to: now)
    other.forget(.mail)
    other.opened(.mail, at: now)

    let (anew, first) = (habits.day(of: .mail, isWeekend: false), other.day(of: .mail, isWeekend: false))
    #expect(anew == first && habits.launches(of: .mail) == 0)
    #expect((habits.launches(of: .news) == 0) == (app == nil))
    #expect(habits.knows(.mail) && habits.knows(.news))
  }

  @Test func `a visit goes on while what was learned is forgotten`() {
    var habits = Self.threeWeeks
    habits.opened(.mail, at: .day(21, hour: 9))

    habits.beginAnew(nil, at: .day(21, hour: 9, minute: 5))
    habits.left(.mail, at: .day(21, hour: 9, minute: 10))

    #expect(habits.sinceUse(of: .mail, at: .day(21, hour: 10)) == .minutes(50))
  }

  @Test func `an outlook says what forecasts will say, and when they change`() throws {
    let habits = Self.threeWeeks
    let outlook = habits.outlook(at: .day(21))
    let place = try #require(outlook.start.place(of: .mail))

    var until: Int64 = 0
    for seconds in stride(from: Int64(0), to: 86_400, by: 60) {
      let now = outlook.forecast(place, after: seconds)
      #expect(now.forecast == habits.forecast(.mail, at: .day(21).later(by: seconds)))
      if seconds < until { #expect(now.until == until) }
      until = now.until
    }
  }

  @Test func `no more apps are remembered than there is room for`() throws {
    var habits = Habits()

    for number in 0..<Int64(Habits.appsMax + 5) {
      habits.visit(AppID("app\(number)"), at: .day(0).later(by: number * 60))
    }

    #expect(habits.known.count == Habits.appsMax)
    #expect(!habits.knows(AppID("app0")))
    #expect(habits.knows(AppID("app\(Habits.appsMax)")))
    #expect(try Habits(saved: habits.saved) == habits)  // Each app is found where it has moved to.
  }
}
