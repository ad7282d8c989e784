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
    (wire.body, wire.action, wire.hasAction) = (alertBody, alertAction, hasAction)
    (wire.launchImage, wire.sound) = (alertLaunchImage, soundName)
    wire.badge = Int64(applicationIconBadgeNumber)
    wire.info = Self.text(of: infoWithNames)
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
    repeatInterval = wire.interval.flatMap { unit in Self.units.first { $0.wire == unit }?.apple } ?? []
    repeatCalendar = wire.calendar.flatMap { name in
      Self.calendars.first { "\($0)" == name }.map { Calendar(identifier: $0) }
    }
    (alertBody, alertAction, hasAction) = (wire.body, wire.action, wire.hasAction ?? true)
    (alertLaunchImage, soundName) = (wire.launchImage, wire.sound)
    applicationIconBadgeNumber = Int(wire.badge ?? 0)
    userInfo = wire.info.flatMap { Data(base64Encoded: $0) }.flatMap { data in
      try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    }
    takeNames()
  }

  /// A date in milliseconds since 1970. A date that is not a number becomes `distantFuture`, and an infinite one is
  /// clamped; the daemon refuses such dates with a reason.
  private static func milliseconds(of date: Date) -> Int64 {
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

  // The daemon uses neither title nor category, so they travel in the user info.

  /// The user info, with the title and the category.
  private var infoWithNames: [AnyHashable: Any] {
    var info = userInfo ?? [:]
    if let alertTitle { info[Self.titleKey] = alertTitle }
    if let category { info[Self.categoryKey] = category }
    return info
  }

  /// Takes the title and the category out of the user info.
  private func takeNames() {
    alertTitle = userInfo?.removeValue(forKey: Self.titleKey) as? String
    category = userInfo?.removeValue(forKey: Self.categoryKey) as? String
    if userInfo?.isEmpty == true { userInfo = nil }
  }

  private static let titleKey = "dev.nightjar.alertTitle"
  private static let categoryKey = "dev.nightjar.category"

  private static func text(of info: [AnyHashable: Any]) -> String? {
    guard !info.isEmpty else { return nil }
    // XML sorts the entries of a dictionary, so that equal ones make equal texts.
    guard let plain = info as? [String: Any], PropertyListSerialization.propertyList(plain, isValidFor: .xml),
      let data = try? PropertyListSerialization.data(fromPropertyList: plain, format: .xml, options: 0)
    else { Misuse.userInfo.happened() }
    return data.base64EncodedString()
  }
}
