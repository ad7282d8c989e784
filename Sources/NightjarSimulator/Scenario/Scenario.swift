public import NightjarModel

/// Days of use of a device, in sentences: which apps it has, when they are opened, and what the network, the battery
/// and the clocks do meanwhile.
///
/// It describes what happens as a rule; a seed decides on the minutes.
///
///     let week = try Scenario("""
///       Mail changes every 40 min
///       opens Mail at 09:00 on weekdays, give or take 20 min
///       network lost on Tuesday 10:00-12:00
///       """)
public struct Scenario: Hashable, Sendable {
  /// Its name.
  public var name = "scenario"
  /// Its purpose, in a sentence.
  public var about = ""
  /// How many days it has.
  public var days = 7
  /// Its first day, which is day 1.
  public var start = CalendarDay(year: 2026, month: 1, day: 5)
  /// How many seconds the clocks are ahead of UTC at its beginning.
  public var offset: Int64 = 0
  /// Its apps, in the order in which they are first named.
  public var apps: [MadeUpApp] = []
  /// When a person opens apps.
  public var visits: [Visits] = []
  /// Stretches of time in which the device's conditions differ.
  public var stretches: [Stretch] = []
  /// What is done at a time of day, once or repeatedly.
  public var acts: [Act] = []
  /// How long the battery lasts without a charger, in minutes; nil for a device that is never without one.
  public var batteryLasts: Int?
  /// How long it takes to charge it, in minutes.
  public var batteryCharges = 120

  /// A week in which nothing happens.
  public init() {}

  /// The most days that a scenario may have: ten years.
  public static let daysMax = 3660
  /// The most apps that a scenario may have.
  public static let appsMax = 1000
  /// The most lines that a scenario may have.
  public static let linesMax = 10_000

  /// Adds an app unless it is known, and returns its place.
  mutating func mention(_ name: String) -> Int {
    if let index = apps.firstIndex(where: { $0.name == name }) { return index }
    apps.append(MadeUpApp(name: name))
    return apps.count - 1
  }

  /// An app that exists nowhere else.
  public struct MadeUpApp: Hashable, Sendable {
    /// Its name for people.
    public var name: String
    /// The average time between changes of its content on its server, in seconds; nil for never.
    public var changesEvery: Int64? = 3600
    /// The interval between fetches that it asks for, in seconds; nil for none, 0 for the system's minimum.
    public var fetchInterval: Int64? = 0
    /// How long one fetch takes, in milliseconds.
    public var fetchTakes: Int64 = 3000
    /// How many bytes one fetch receives.
    public var fetchReceives: Int64 = 100_000
    /// The percentage of fetches that fail although there is a network.
    public var failsPercent = 0

    /// An app that fetches whenever the system lets it, from a server that changes each hour.
    public init(name: String) { self.name = name }

    /// The name that the supervisor knows it by.
    public var id: AppID { AppID(Self.idPrefix + name.utf8.map(Self.plain).joined()) }

    private static let idPrefix = "dev.example."

    /// Letters and digits stay; all else becomes a hyphen and two digits, so that different names stay different.
    private static func plain(_ byte: UInt8) -> String {
      let scalar = Character(Unicode.Scalar(byte))
      guard byte >= 128 || !(scalar.isLetter || scalar.isNumber) else { return String(scalar) }
      return (byte < 16 ? "-0" : "-") + String(byte, radix: 16)
    }
  }

  /// Days of the week, or of the scenario.
  public struct Days: Hashable, Sendable {
    /// The days of the week, Monday the lowest bit.
    public var ofWeek: UInt8
    /// The days of the scenario, counted from 1; nil for all.
    public var numbers: ClosedRange<Int>?

    /// These days of the week.
    public init(ofWeek: UInt8, numbers: ClosedRange<Int>? = nil) { (self.ofWeek, self.numbers) = (ofWeek, numbers) }

    /// All days.
    public static let every = Days(ofWeek: 0b111_1111)
    /// Monday to Friday.
    public static let weekdays = Days(ofWeek: 0b001_1111)
    /// Saturday and Sunday.
    public static let weekends = Days(ofWeek: 0b110_0000)

    /// Whether a day is among them.
    public func contains(number: Int, _ day: CalendarDay) -> Bool {
      ofWeek & (1 << UInt8(day.weekday)) != 0 && numbers?.contains(number) != false
    }
  }

  /// When a person opens an app.
  public struct Visits: Hashable, Sendable {
    /// How often, on each of the days.
    public enum Times: Hashable, Sendable {
      /// At this minute of the day, give or take this number of seconds.
      case at(minute: Int, giveOrTake: Int)
      /// This number of times, at random moments between two minutes of the day; the second may lie on the next day.
      case count(Int, from: Int, to: Int)
    }

    /// Which app, by its place among the apps.
    public var app: Int
    /// On which days.
    public var days: Days
    /// How often.
    public var times: Times
    /// How long it stays open, in seconds, give or take a half.
    public var lasts: Int64

    /// Visits to an app.
    public init(app: Int, days: Days, times: Times, lasts: Int64) {
      (self.app, self.days, self.times, self.lasts) = (app, days, times, lasts)
    }
  }

  /// A condition of the device from one minute of a day to another, which may lie on the next day.
  public struct Stretch: Hashable, Sendable {
    /// The condition that differs.
    public enum Kind: Hashable, Sendable {
      /// The network is not the usual one, which costs nothing.
      case network(Conditions.Network)
      /// The network comes and goes, every few minutes.
      case flaky
      /// The charger is plugged in.
      case charging
      /// The person saves power, or data.
      case lowPower, lowData
      /// The machine sleeps: neither the person nor an app does anything.
      case asleep
    }

    /// What is different.
    public var kind: Kind
    /// On which days it begins.
    public var days: Days
    /// The minutes of the day.
    public var from: Int, to: Int

    /// A stretch of each of the days.
    public init(_ kind: Kind, days: Days, from: Int, to: Int) {
      (self.kind, self.days, self.from, self.to) = (kind, days, from, to)
    }
  }

  /// Something that is done at a time of day.
  public struct Act: Hashable, Sendable {
    /// What is done.
    public enum Kind: Hashable, Sendable {
      /// The person removes an app from the switcher.
      case removes(app: Int)
      /// The person has an app refreshed at once, whatever the rule says.
      case fetch(app: Int)
      /// The person forbids or allows an app, or all of them, to refresh in the background.
      case refresh(app: Int?, Bool)
      /// The device is taken to a place where clocks are this number of seconds ahead of UTC.
      case zone(Int64)
      /// Clocks are put forward or back by this number of seconds, for daylight saving.
      case clocks(Int64)
    }

    /// What is done.
    public var kind: Kind
    /// On which days.
    public var days: Days
    /// At which minute of the day.
    public var minute: Int

    /// Something done at a time of day.
    public init(_ kind: Kind, days: Days, minute: Int) { (self.kind, self.days, self.minute) = (kind, days, minute) }
  }
}

extension CalendarDay {
  /// The day of the week, Monday being 0.
  var weekday: Int { Int(((number + 3) % 7 + 7) % 7) }
}
