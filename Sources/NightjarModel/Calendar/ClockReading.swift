/// What a clock on a wall shows, wherever that wall is: a date and a time of day without a time zone.
public struct ClockReading: Hashable, Comparable, Sendable {
  /// Milliseconds since the clock showed 1 January 1970, 0:00, if nobody ever set it.
  public let milliseconds: Int64

  /// A reading so long after 1 January 1970, 0:00.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// A reading on a day.
  public init(_ date: CalendarDay, millisecondsOfDay: Int64 = 0) {
    milliseconds = date.number * Self.dayLength + millisecondsOfDay
  }

  /// The day that it is.
  public var date: CalendarDay { CalendarDay(number: dayNumber) }

  /// The number of that day, which is found faster than its parts.
  public var dayNumber: Int64 { parts.quotient }

  /// Milliseconds until the next day begins; at least 1.
  public var restOfDay: Int64 { Self.dayLength - parts.remainder }

  /// The reading so many units later. Months and years keep the day of the month, or take the last of a shorter month.
  public func adding(_ count: Int64, _ unit: CalendarUnit) -> ClockReading {
    switch unit.length {
    case .milliseconds(let length): ClockReading(milliseconds: milliseconds + count * length)
    case .months(let months):
      ClockReading(date.adding(months: count * months), millisecondsOfDay: parts.remainder)
    }
  }

  /// The same time of another day.
  public func moved(toDay number: Int64) -> ClockReading {
    ClockReading(milliseconds: number * Self.dayLength + parts.remainder)
  }

  public static func < (a: ClockReading, b: ClockReading) -> Bool { a.milliseconds < b.milliseconds }

  private var parts: (quotient: Int64, remainder: Int64) {
    milliseconds.quotientAndRemainder(flooredBy: Self.dayLength)
  }

  private static let dayLength: Int64 = 86_400_000
}

/// The interval after which something is repeated.
public enum CalendarUnit: String, CaseIterable, Hashable, Sendable {
  /// A second, a minute or an hour, however clocks are set meanwhile.
  case second, minute, hour
  /// The same time of the next day.
  case day
  /// The same time, seven days later.
  case week
  /// The same day of the next month; the last day of a shorter one.
  case month
  /// The same day, three months later.
  case quarter
  /// The same day of the next year; 28 February for a leap day where there is none.
  case year

  /// How long it is: by the clock, or by the calendar.
  enum Length {
    case milliseconds(Int64)
    case months(Int64)
  }

  var length: Length {
    switch self {
    case .second: .milliseconds(1000)
    case .minute: .milliseconds(60_000)
    case .hour: .milliseconds(3_600_000)
    case .day: .milliseconds(86_400_000)
    case .week: .milliseconds(604_800_000)
    case .month: .months(1)
    case .quarter: .months(3)
    case .year: .months(12)
    }
  }

  /// Whether it is a span of time rather than a step on the calendar, so that daylight saving does not concern it.
  var isSpan: Bool {
    switch self {
    case .second, .minute, .hour: true
    case .day, .week, .month, .quarter, .year: false
    }
  }
}
