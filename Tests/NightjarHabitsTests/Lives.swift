import NightjarHabits
import NightjarModel

/// Apps of a made-up person, who lives in UTC from a Monday on.
extension AppID {
  static let mail = AppID("dev.example.mail")
  static let news = AppID("dev.example.news")
  static let game = AppID("dev.example.game")
}

extension LocalTime {
  /// A time of a day that is counted from Monday, 5 January 1970.
  static func day(_ day: Int64, hour: Int64 = 0, minute: Int64 = 0) -> LocalTime {
    LocalTime(seconds: (day + 4) * 86_400 + hour * 3600 + minute * 60)
  }
}

extension Habits {
  /// Mail at nine and at half past one on weekdays, news at half past seven in the evening, a game on Saturdays.
  mutating func live(days: Range<Int64>) {
    for day in days {
      let isWeekend = LocalTime.day(day).isWeekend
      if !isWeekend { visit(.mail, at: .day(day, hour: 9, minute: day % 7)) }
      if !isWeekend { visit(.mail, at: .day(day, hour: 13, minute: 30 + day % 5)) }
      if day % 7 == 5 { visit(.game, at: .day(day, hour: 16)) }
      visit(.news, at: .day(day, hour: 19, minute: 30))
    }
    advance(to: .day(days.upperBound))
  }

  /// A visit of three minutes.
  mutating func visit(_ app: AppID, at time: LocalTime) {
    opened(app, at: time)
    left(app, at: time.later(by: 180))
  }

  /// The habits of the person after so many days.
  static func ofThree(days: Int64) -> Habits {
    var habits = Habits()
    habits.visit(.game, at: .day(0, hour: 1))
    habits.live(days: 0..<days)
    return habits
  }

  /// How long before a time an app was last in use.
  func sinceUse(of app: AppID, at time: LocalTime) -> Duration {
    let present = present(at: time)
    return present.sinceUse(present.place(of: app))
  }
}

/// Random numbers that are the same in every run (SplitMix64), and the sum that saved habits end with.
struct Dice {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func roll(_ sides: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((bits ^ (bits >> 31)) % UInt64(sides))
  }

  static func sum(_ bytes: [UInt8]) -> [UInt8] {
    let sum = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64($0 * 8)) }
  }
}
