import Foundation
import NightjarWire

extension UILocalNotification {
  /// The notification in wire form.
  func wire(key: String, now: Bool = false) -> AppInterface.Notification {
    var wire = AppInterface.Notification(key: key)
    if !now, let fireDate {
      let at = Self.milliseconds(of: fireDate)
      let date = Date(timeIntervalSince1970: Double(at) / 1000)
      (wire.at, wire.zone) = (at, timeZone?.identifier)
      wire.offset = timeZone.map { Int64($0.secondsFromGMT(for: date)) }
      wire.interval = interval
      wire.days = interval.flatMap { days(of: $0, from: date) }
    }
    wire.calendar = repeatCalendar.map { "\($0.identifier)" }
    (wire.title, wire.body) = (alertTitle, alertBody)
    (wire.action, wire.hasAction) = (alertAction, hasAction)
    (wire.launchImage, wire.sound) = (alertLaunchImage, soundName)
    wire.badge = Int64(applicationIconBadgeNumber)
    wire.info = infoWithCategory.text
    return wire
  }

  /// Creates a notification from its wire form.
  convenience init(_ wire: AppInterface.Notification) {
    self.init()
    take(wire)
  }

  /// Takes all values of a wire form.
  func take(_ wire: AppInterface.Notification) {
    (keys, scheduled, listed) = ([wire.key], wire.contents, wire)
    fireDate = wire.at.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    timeZone = wire.zone.flatMap { TimeZone(identifier: $0) }
    // Several units are an interval that only requests have.
    let unit = (wire.every ?? 1) > 1 ? nil : wire.interval
    repeatInterval = unit.flatMap { unit in Self.units.first { $0.wire == unit }?.apple } ?? []
    repeatCalendar = wire.calendar.flatMap { name in
      Self.calendars.first { "\($0)" == name }.map { Calendar(identifier: $0) }
    }
    (alertBody, alertAction, hasAction) = (wire.body, wire.action, wire.hasAction ?? true)
    (alertLaunchImage, soundName) = (wire.launchImage, wire.sound)
    applicationIconBadgeNumber = Int(wire.badge ?? 0)
    takeInfo(of: wire)
  }

  /// Takes the user info, without what the library keeps in it: the category, a request of the notification center, and
  /// the title of a notification that was scheduled by an earlier version.
  private func takeInfo(of wire: AppInterface.Notification) {
    var info = NoticeInfo(wire.info)
    let oldTitle = info.takeText(at: Self.titleKey)
    alertTitle = wire.title ?? oldTitle
    category = info.takeText(at: Self.categoryKey)
    _ = info.takeText(at: UNNotificationRequest.infoKey)
    userInfo = info.entries.isEmpty ? nil : info.entries
  }

  /// A date in milliseconds since 1970. A date that is not a number becomes `distantFuture`, and an infinite one is
  /// clamped; the daemon refuses such dates with a reason.
  static func milliseconds(of date: Date) -> Int64 {
    let exact = (date.timeIntervalSince1970 * 1000).rounded()
    let farthest = (Date.distantFuture.timeIntervalSince1970 * 1000).rounded()
    return Int64(exact.isNaN ? farthest : min(max(exact, -farthest), farthest))
  }

  private var interval: AppInterface.Notification.Interval? {
    guard !repeatInterval.isEmpty else { return nil }
    if let found = Self.units.first(where: { $0.apple == repeatInterval }) { return found.wire }
    Console.warn("a notification cannot be repeated each \(repeatInterval); it is due once")
    return nil
  }

  /// Apple's units and the daemon's intervals. Of several units for one interval, the first is read back.
  private static let units: [(apple: NSCalendar.Unit, wire: AppInterface.Notification.Interval)] = [
    (.second, .second), (.minute, .minute), (.hour, .hour), (.day, .day), (.weekday, .day), (.weekOfYear, .week),
    (.weekOfMonth, .week), (.weekdayOrdinal, .week), (.month, .month), (.quarter, .quarter), (.year, .year),
  ]

  private static let calendars: [Calendar.Identifier] = [
    .gregorian, .iso8601, .buddhist, .chinese, .coptic, .ethiopicAmeteMihret, .ethiopicAmeteAlem, .hebrew, .indian,
    .islamic, .islamicCivil, .islamicTabular, .islamicUmmAlQura, .japanese, .persian, .republicOfChina,
  ]

  // The daemon does not use the category, so it travels in the user info.

  /// The user info, with the category.
  private var infoWithCategory: NoticeInfo {
    var info = NoticeInfo(userInfo ?? [:])
    info.putText(category, at: Self.categoryKey)
    return info
  }

  private static let titleKey = "dev.nightjar.alertTitle"
  private static let categoryKey = "dev.nightjar.category"

  /// A key for another scheduling of a notification.
  static func newKey() -> String { UUID().uuidString.replacing("-", with: "").lowercased() }
}
