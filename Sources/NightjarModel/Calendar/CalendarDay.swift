/// A day of the Gregorian calendar, as if it had always been in use.
public struct CalendarDay: Hashable, Comparable, Sendable {
  /// The year; 0 is the one before 1.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, from 1.
  public let day: Int

  /// A day by its parts. A day that the month does not have becomes its last.
  public init(year: Int, month: Int, day: Int) {
    (self.year, self.month) = (year, month)
    self.day = min(day, Self.days(ofMonth: month, year: year))
  }

  /// The day of this number; 1 January 1970 is number 0.
  public init(number: Int64) {
    // Years begin in March here, so that the leap day is their last.
    let shifted = number + Self.daysToEpoch
    let (era, dayOfEra) = shifted.quotientAndRemainder(flooredBy: Self.daysPerEra)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = Int(dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100))
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
  }

  /// How many days after 1 January 1970 it is.
  public var number: Int64 {
    let yearFromMarch = Int64(month <= 2 ? year - 1 : year)
    let (era, yearOfEra) = yearFromMarch.quotientAndRemainder(flooredBy: 400)
    let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysPerEra + dayOfEra - Self.daysToEpoch
  }

  /// The same day so many months later; the last day of a month that is too short.
  public func adding(months: Int64) -> CalendarDay {
    let (years, month) = (monthNumber + months).quotientAndRemainder(flooredBy: 12)
    return CalendarDay(year: Int(years), month: Int(month) + 1, day: day)
  }

  /// How many months after January of the year 0 it is.
  public var monthNumber: Int64 { Int64(year) * 12 + Int64(month) - 1 }

  /// How many days a month has.
  public static func days(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  public static func < (a: CalendarDay, b: CalendarDay) -> Bool { (a.year, a.month, a.day) < (b.year, b.month, b.day) }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// The days that calendars here cover, as numbers.
  public static let numbersOnCalendar: ClosedRange<Int64> =
    Timestamp.onCalendar.lowerBound.seconds / 86_400...Timestamp.onCalendar.upperBound.seconds / 86_400

  /// Days of 400 years, after which the calendar repeats itself.
  private static let daysPerEra: Int64 = 146_097
  /// Days from 1 March of the year 0 to 1 January 1970.
  private static let daysToEpoch: Int64 = 719_468
}

extension Int64 {
  /// The quotient rounded down, and what is left, which is never negative.
  func quotientAndRemainder(flooredBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
