import Foundation
import NightjarWire

/// The dates that match the components of a calendar trigger, and how the daemon is told of them.
struct CalendarMatch {
  /// The components, without calendar and time zone.
  let components: DateComponents
  /// The calendar in which they are looked for, in the time zone in which they are read.
  let calendar: Calendar
  /// Whether the clock counts wherever the device is.
  private let isFloating: Bool
  /// Whether the device is in that time zone.
  private let isHere: Bool

  /// - Parameter here: The time zone of the device.
  init(_ asked: DateComponents, here: TimeZone) {
    var (components, calendar) = (asked, asked.calendar ?? .current)
    calendar.timeZone = asked.timeZone ?? here
    (components.calendar, components.timeZone) = (nil, nil)
    (self.components, self.calendar) = (components, calendar)
    isFloating = asked.timeZone == nil
    isHere = calendar.timeZone.identifier == here.identifier
  }

  /// The first matching date after a moment; nil if there is none before the year 2200.
  func date(after moment: Date) -> Date? {
    guard !dayUnits.isEmpty || !timeUnits.isEmpty else { return nil }
    var last = moment
    for _ in 0..<Self.missesMax {
      guard let next = calendar.nextDate(after: last, matching: components, matchingPolicy: .nextTime),
        UILocalNotification.day(next, in: calendar.timeZone) <= UILocalNotification.lastDay
      else { return nil }
      if isOnItsDay(next) { return next }
      last = next
    }
    return nil
  }

  /// Foundation gives the day after for one that is missing, such as 29 February.
  private func isOnItsDay(_ date: Date) -> Bool {
    let found = calendar.dateComponents(Set(dayUnits), from: date)
    return dayUnits.allSatisfy { found.value(for: $0) == components.value(for: $0) }
  }

  /// How often in a row a day may be missing: a 29 February from 1896 to 1904, and one of a leap month.
  private static let missesMax = 64

  /// The components that choose a day.
  private var dayUnits: [Calendar.Component] { Self.dayUnits.filter { components.value(for: $0) != nil } }
  /// The components that choose a time of the day.
  private var timeUnits: [Calendar.Component] { Self.timeUnits.filter { components.value(for: $0) != nil } }

  private static let dayUnits: [Calendar.Component] = [
    .era, .year, .yearForWeekOfYear, .quarter, .month, .weekOfYear, .weekOfMonth, .weekdayOrdinal, .weekday, .day,
    .dayOfYear,
  ]
  private static let timeUnits: [Calendar.Component] = [.hour, .minute, .second]
}

extension CalendarMatch {
  /// Writes into a notification when it is due.
  ///
  /// - Throws: ``UNError`` if it never is, or at times that the daemon cannot keep.
  func write(into wire: inout AppInterface.Notification, repeats: Bool, after now: Date) throws(UNError) {
    guard let first = date(after: now) else {
      throw UNError(.notificationInvalidNoDate, "no date after now matches \(components)")
    }
    wire.at = UILocalNotification.milliseconds(of: first)
    let repetition = repeats ? try repetition : nil
    if isFloating || (repeats && isHere) {
      wire.zone = calendar.timeZone.identifier
      wire.offset = Int64(calendar.timeZone.secondsFromGMT(for: first) - skipped(at: first))
    }
    wire.interval = repetition?.interval
    guard let repetition, !repetition.isEven(calendar, wire.zone == nil) else { return }
    wire.days = days(after: first, in: wire.zone == nil ? .gmt : calendar.timeZone)
    if wire.days == [] { (wire.interval, wire.days) = (nil, nil) }
  }

  /// How many seconds the clock has passed over that lie between the time asked for and the date found for it: the
  /// repetitions are to be at the time asked for.
  private func skipped(at date: Date) -> Int {
    guard let hour = components.hour ?? (timeUnits.isEmpty ? 0 : nil) else { return 0 }
    let found = calendar.dateComponents([.hour, .minute, .second], from: date)
    let asked = (hour * 60 + (components.minute ?? 0)) * 60 + (components.second ?? 0)
    return ((found.hour ?? 0) * 60 + (found.minute ?? 0)) * 60 + (found.second ?? 0) - asked
  }

  /// The days of the repetitions, as many as the daemon takes.
  private func days(after first: Date, in zone: TimeZone) -> [Int64] {
    var (last, days) = (first, [UILocalNotification.day(first, in: zone)])
    while days.count <= UILocalNotification.daysMax, let next = date(after: last) {
      let day = UILocalNotification.day(next, in: zone)
      if day > days[days.count - 1] { days.append(day) }
      last = next
    }
    return Array(days.dropFirst())
  }

  /// The repetitions in the daemon's terms.
  private struct Repetition {
    let interval: AppInterface.Notification.Interval
    /// Whether each interval of the Gregorian calendar has exactly one matching date.
    var isRegular = true

    /// Whether the daemon can count the repetitions itself: days of a month only in a calendar with the same months,
    /// and in its own time zone.
    func isEven(_ calendar: Calendar, _ isInUTC: Bool) -> Bool {
      switch interval {
      case .second, .minute, .hour, .day, .week: isRegular
      case .month, .quarter, .year: isRegular && !isInUTC && UILocalNotification.countsAsGregorian(calendar)
      }
    }
  }

  /// The smallest unit above the components; for days that no unit yields, they are counted one by one.
  private var repetition: Repetition {
    get throws(UNError) {
      let isWhole = timeUnits == Array(Self.timeUnits.drop { $0 != timeUnits.first }.prefix(timeUnits.count))
      guard isWhole, dayUnits.isEmpty || timeUnits.isEmpty || timeUnits.first == .hour else {
        throw UNError(.notificationInvalidNoDate, Self.advice)
      }
      switch (dayUnits, timeUnits.first) {
      case ([], .hour): return Repetition(interval: .day)
      case ([], .minute): return Repetition(interval: .hour)
      case ([], _): return Repetition(interval: .minute)
      case ([.weekday], _): return Repetition(interval: .week)
      case ([.day], _): return Repetition(interval: .month, isRegular: components.day ?? 0 <= 28)
      case ([.month], _): return Repetition(interval: .year)
      case ([.month, .day], _):
        return Repetition(interval: .year, isRegular: components.month != 2 || components.day ?? 0 <= 28)
      default: return Repetition(interval: components.month == nil ? .month : .year, isRegular: false)
      }
    }
  }

  private static let advice =
    "a repeated notification with a day, or with seconds, also needs the units between: "
    + "the hour of the day, and the minute of the hour"
}
