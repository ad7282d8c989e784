import Foundation
import NightjarWire

extension UNNotificationRequest {
  /// The request in wire form, with a new key.
  ///
  /// - Throws: ``UNError`` if it would never be due, or at times that the daemon cannot keep.
  func wire(at now: Date) throws(UNError) -> AppInterface.Notification {
    var wire = AppInterface.Notification(key: UILocalNotification.newKey())
    wire.identifier = identifier
    try writeTime(into: &wire, now)
    let (values, lines) = (content.values, content.values.lines)
    if values.body.isEmpty { wire.body = lines } else { (wire.title, wire.body) = (lines, values.body) }
    (wire.sound, wire.badge) = (values.sound, values.badge.map { Int64(max($0, 0)) })
    wire.launchImage = values.launchImage.isEmpty ? nil : values.launchImage
    var info = NoticeInfo(content.userInfo)
    info.put(Kept(self), at: Self.infoKey)
    wire.info = info.text
    return wire
  }

  private func writeTime(into wire: inout AppInterface.Notification, _ now: Date) throws(UNError) {
    if let trigger = trigger as? UNTimeIntervalNotificationTrigger {
      let at = UILocalNotification.milliseconds(of: now.addingTimeInterval(trigger.timeInterval))
      guard at / 86_400_000 <= UILocalNotification.lastDay else {
        throw UNError(.notificationInvalidNoDate, "the trigger does not fire before the year 2200")
      }
      wire.at = at
      guard trigger.repeats else { return }
      (wire.interval, wire.every) = (.second, Int64(trigger.timeInterval.rounded(.up)))
    } else if let trigger = trigger as? UNCalendarNotificationTrigger {
      try CalendarMatch(trigger.dateComponents, here: .current).write(into: &wire, repeats: trigger.repeats, after: now)
    }
  }

  /// Creates the request that a notification was made by; nil if it was made by none.
  convenience init?(_ wire: AppInterface.Notification) {
    var info = NoticeInfo(wire.info)
    guard let identifier = wire.identifier, let kept = info.take(Kept.self, at: Self.infoKey) else { return nil }
    let content = UNNotificationContent()
    (content.values, content.info) = (kept.values, info.entries)
    if kept.hasBody { content.values.body = wire.body ?? "" }
    self.init(identifier: identifier, content: content, trigger: kept.trigger?.trigger)
  }

  /// The key under which the request is kept in a notification's info.
  static let infoKey = "dev.nightjar.request"

  /// What is kept of a request, so that it comes back exactly: all but its name, its body and the app's own data.
  private struct Kept: Codable {
    var values: UNNotificationContent.Values
    var hasBody: Bool
    var trigger: UNNotificationTrigger.Form?

    init(_ request: UNNotificationRequest) {
      (values, trigger) = (request.content.values, request.trigger?.form)
      hasBody = !values.body.isEmpty
      values.body = ""
    }
  }
}

extension UNNotificationContent.Values {
  /// The lines above the text; nil without any.
  fileprivate var lines: String? {
    let lines = [title, subtitle].filter { !$0.isEmpty }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
