import Foundation
import NightjarWire

// The daemon counts months and years of the Gregorian calendar only. For other calendars it is given the days of the
// repetitions.

extension UILocalNotification {
  /// The days of the repetitions, numbered since 1970; nil if the daemon can count them itself.
  func days(
    of interval: AppInterface.Notification.Interval, from first: Date, after now: Date = Date()
  ) -> [Int64]? {
    guard var calendar = repeatCalendar, !Self.countsAsGregorian(calendar) else { return nil }
    guard let step = Self.step(interval) else { return nil }
    calendar.timeZone = timeZone ?? .gmt
    let passed = calendar.dateComponents([step.unit], from: first, to: max(first, now)).value(for: step.unit) ?? 0
    let begin = passed / step.count + 1
    let dates = (begin..<begin + Self.daysMax).compactMap {
      calendar.date(byAdding: step.unit, value: $0 * step.count, to: first)
    }
    return dates.map { Self.day($0, in: calendar.timeZone) }.filter { $0 <= Self.lastDay }
  }

  /// The number of repetitions that are computed: twenty years of months.
  static let daysMax = 240
  /// The last day of the year 2199; nothing is due after it.
  static let lastDay: Int64 = 84_005

  /// An interval of months or years in the calendar's units; nil for shorter ones, which are the same in all calendars.
  private static func step(_ interval: AppInterface.Notification.Interval) -> (unit: Calendar.Component, count: Int)? {
    switch interval {
    case .second, .minute, .hour, .day, .week: nil
    case .month: (.month, 1)
    case .quarter: (.month, 3)
    case .year: (.year, 1)
    }
  }

  /// Whether the calendar has the Gregorian months, however it counts the years.
  static func countsAsGregorian(_ calendar: Calendar) -> Bool {
    [.gregorian, .iso8601, .buddhist, .japanese, .republicOfChina].contains(calendar.identifier)
  }

  /// The number of a day since 1970 in a time zone.
  static func day(_ date: Date, in zone: TimeZone) -> Int64 {
    let reading = date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))
    return Int64((reading / 86_400).rounded(.down))
  }
}
