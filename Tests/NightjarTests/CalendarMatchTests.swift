import Foundation
import NightjarWire
import Testing

@testable import Nightjar

/// How calendar triggers become dates and repetitions of the daemon's.
@Suite struct CalendarMatchTests {
  /// Sunday, 17 March 2030, 17:46:40 UTC.
  private static let now = Date(timeIntervalSince1970: 1_900_000_000)

  private func wire(
    _ components: DateComponents, repeats: Bool = true, here: TimeZone = .current, after now: Date = now
  ) throws -> AppInterface.Notification {
    var wire = AppInterface.Notification(key: "")
    var gregorian = components
    gregorian.calendar = components.calendar ?? Calendar(identifier: .gregorian)
    try CalendarMatch(gregorian, here: here).write(into: &wire, repeats: repeats, after: now)
    return wire
  }

  /// The moment that a wire form names, as the clock reads here.
  private func reading(_ wire: AppInterface.Notification) throws -> DateComponents {
    let date = Date(timeIntervalSince1970: Double(try #require(wire.at)) / 1000)
    return Calendar(identifier: .gregorian).dateComponents(
      [.month, .day, .weekday, .hour, .minute, .second], from: date)
  }

  @Test(
    arguments: [
      (DateComponents(hour: 8, minute: 30), .day), (DateComponents(hour: 8), .day), (DateComponents(minute: 30), .hour),
      (DateComponents(minute: 30, second: 5), .hour), (DateComponents(second: 5), .minute),
      (DateComponents(hour: 8, minute: 30, weekday: 2), .week), (DateComponents(weekday: 2), .week),
      (DateComponents(day: 28, hour: 8), .month), (DateComponents(month: 5, day: 31, hour: 8), .year),
      (DateComponents(month: 5), .year),
    ] as [(DateComponents, AppInterface.Notification.Interval)])
  func `a repeated trigger recurs each smallest unit above its components`(
    components: DateComponents, interval: AppInterface.Notification.Interval
  ) throws {
    let wire = try wire(components)

    #expect(wire.interval == interval && wire.days == nil && wire.every == nil)
    #expect(wire.zone == TimeZone.current.identifier && wire.offset != nil)
    let found = try reading(wire)
    for unit in [Calendar.Component.month, .day, .weekday, .hour, .minute, .second] {
      #expect(components.value(for: unit) == nil || components.value(for: unit) == found.value(for: unit))
    }
  }

  @Test func `days that no plain repetition hits are told the daemon one by one, and only those`() throws {
    let last = try wire(DateComponents(day: 31, hour: 12))
    let leap = try wire(DateComponents(month: 2, day: 29, hour: 12))
    let second = try wire(DateComponents(hour: 12, weekday: 3, weekdayOrdinal: 2))

    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let read = { (wire: AppInterface.Notification) in
      (wire.days ?? []).map {
        calendar.dateComponents(
          [.year, .month, .day, .weekday, .weekdayOrdinal], from: Date(timeIntervalSince1970: Double($0) * 86_400))
      }
    }
    #expect(last.interval == .month && read(last).count == 240 && read(last).allSatisfy { $0.day == 31 })
    #expect(leap.interval == .year && read(leap).allSatisfy { $0.month == 2 && $0.day == 29 })
    #expect(read(leap).map(\.year).starts(with: [2036, 2040]) && read(leap).last?.year == 2196)
    #expect(read(second).count == 240 && read(second).allSatisfy { $0.weekday == 3 && $0.weekdayOrdinal == 2 })
    #expect(try reading(second).weekday == 3)
  }

  @Test func `a day of the year comes once a year`() throws {
    var components = DateComponents(hour: 12)
    components.dayOfYear = 100

    let wire = try wire(components)

    #expect(wire.interval != .day && wire.days?.count ?? 0 > 100)
    #expect(zip(wire.days ?? [], (wire.days ?? []).dropFirst()).allSatisfy { (365...366).contains($1 - $0) })
  }

  @Test(arguments: [
    DateComponents(), DateComponents(minute: 5, weekday: 2), DateComponents(hour: 5, second: 2),
    DateComponents(day: 1, second: 0), DateComponents(month: 2, day: 30, hour: 8), DateComponents(year: 2029, hour: 8),
    DateComponents(year: 2300),
  ])
  func `what never matches, or cannot be said so, is an error`(components: DateComponents) {
    let error = #expect(throws: UNError.self) { try wire(components) }

    #expect(error?.code == .notificationInvalidNoDate)
  }

  @Test func `a date without a time zone goes with the device, and one with another zone is a moment`() throws {
    let date = DateComponents(year: 2031, month: 5, day: 1, hour: 8)
    var elsewhere = date
    elsewhere.timeZone = TimeZone(secondsFromGMT: 34_200)

    let (floating, moment) = (try wire(date, repeats: false), try wire(elsewhere, repeats: false))

    #expect(floating.zone == TimeZone.current.identifier && floating.interval == nil)
    #expect(try reading(floating).hour == 8)
    #expect(moment.zone == nil && moment.offset == nil && moment.interval == nil)
    #expect(moment.at == 1_935_354_600_000)
  }

  @Test func `a time that the clock passes over is the next that it shows, and itself on the days after`() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let eve = Date(timeIntervalSince1970: 1_901_145_600)  // 31 March 2030, midnight in UTC, an hour before the change.

    let wire = try wire(DateComponents(hour: 2, minute: 30), here: berlin, after: eve)

    #expect(wire.at == 1_901_149_200_000 && wire.interval == .day)  // At three o'clock.
    #expect(wire.offset == 5400)  // The daemon reads half past two.
  }

  @Test func `repetitions in the device's own time zone go with it, named or not`() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))

    let named = try wire(DateComponents(timeZone: berlin, hour: 8), here: berlin)
    let elsewhere = try wire(DateComponents(timeZone: .gmt, hour: 8), here: berlin)

    #expect(named == (try wire(DateComponents(hour: 8), here: berlin)) && named.zone == "Europe/Berlin")
    #expect(elsewhere.zone == nil && elsewhere.interval == .day)
  }

  @Test func `repetitions by the month in another time zone are days in UTC`() throws {
    let wire = try wire(DateComponents(timeZone: TimeZone(secondsFromGMT: 32_400), day: 1, hour: 1))

    let first = Date(timeIntervalSince1970: Double(try #require(wire.days?.first)) * 86_400)
    #expect(wire.zone == nil && wire.interval == .month)
    #expect(wire.at == 1_901_203_200_000 && first == Date(timeIntervalSince1970: 1_903_737_600))
  }

  @Test func `repetitions by the months of another calendar are days of that calendar`() throws {
    let calendar = Calendar(identifier: .hebrew)
    let wire = try wire(DateComponents(calendar: calendar, month: 1, day: 10, hour: 12))

    let days = try #require(wire.days)
    let found = days.map { day in
      calendar.dateComponents([.month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400 + 43_200))
    }
    #expect(wire.interval == .year && found.allSatisfy { $0.month == 1 && $0.day == 10 })
  }

  @Test func `a date that comes but once is not repeated`() throws {
    let wire = try wire(DateComponents(year: 2031, month: 5, day: 1, hour: 8))

    #expect(wire.interval == nil && wire.days == nil)
  }

  @Test func `triggers tell when they would fire next`() throws {
    let calendar = UNCalendarNotificationTrigger(dateMatching: DateComponents(month: 2, day: 29), repeats: true)
    let interval = UNTimeIntervalNotificationTrigger(timeInterval: 600, repeats: false)
    let never = UNCalendarNotificationTrigger(dateMatching: DateComponents(year: 2020), repeats: false)

    let next = try #require(calendar.nextTriggerDate())

    #expect(Calendar.current.dateComponents([.month, .day], from: next) == DateComponents(month: 2, day: 29))
    #expect(try #require(interval.nextTriggerDate()) > .now && never.nextTriggerDate() == nil)
  }
}
