public import Foundation

/// What fires a notification (Apple's `UNNotificationTrigger`). Create one of its subclasses; there are no triggers by
/// place here.
// Unchecked: its properties, and those of its subclasses, never change.
open class UNNotificationTrigger: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// Whether it fires again and again.
  public let repeats: Bool

  init(repeats: Bool) { self.repeats = repeats }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  open class var supportsSecureCoding: Bool { true }

  /// Creates a trigger from an archive; nil if the archive cannot be read.
  public required init?(coder: NSCoder) { repeats = coder.decodeBool(forKey: "repeats") }

  open func encode(with coder: NSCoder) { coder.encode(repeats, forKey: "repeats") }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationTrigger, type(of: other) == type(of: self) else { return false }
    return other.form == form
  }

  open override var hash: Int { form.hashValue }

  /// The trigger in the form in which it is kept.
  var form: Form { Form(repeats: repeats) }

  /// What a trigger of any kind says.
  struct Form: Codable, Hashable {
    var seconds: TimeInterval?
    var components: DateComponents?
    var repeats: Bool

    /// The trigger; nil if it is of no known kind.
    var trigger: UNNotificationTrigger? {
      if let seconds, UNTimeIntervalNotificationTrigger.allows(seconds, repeats: repeats) {
        return UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: repeats)
      }
      return components.map { UNCalendarNotificationTrigger(dateMatching: $0, repeats: repeats) }
    }
  }
}

/// The trigger of a notification that a server has sent (Apple's `UNPushNotificationTrigger`). There are none here.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}

/// Fires after a while (Apple's `UNTimeIntervalNotificationTrigger`), whatever becomes of the time zone.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// The seconds from the scheduling until it fires, and from then on between two repetitions, which are whole
  /// seconds apart: a fraction is rounded up.
  public let timeInterval: TimeInterval

  /// Creates a trigger. As on iOS, the process ends if the interval is not greater than 0, or less than 60 seconds if
  /// it repeats.
  public init(timeInterval: TimeInterval, repeats: Bool) {
    guard timeInterval > 0 else { Misuse.interval.happened() }
    guard !repeats || timeInterval >= 60 else { Misuse.shortInterval.happened() }
    self.timeInterval = timeInterval
    super.init(repeats: repeats)
  }

  public required init?(coder: NSCoder) {
    timeInterval = coder.decodeDouble(forKey: "timeInterval")
    super.init(coder: coder)
    guard Self.allows(timeInterval, repeats: repeats) else { return nil }
  }

  fileprivate static func allows(_ timeInterval: TimeInterval, repeats: Bool) -> Bool {
    timeInterval > 0 && (!repeats || timeInterval >= 60)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(timeInterval, forKey: "timeInterval")
  }

  /// When it would fire if it were scheduled now, as on iOS.
  open func nextTriggerDate() -> Date? { Link.shared.now.addingTimeInterval(timeInterval) }

  override var form: Form { Form(seconds: timeInterval, repeats: repeats) }
}

/// Fires when a calendar shows something (Apple's `UNCalendarNotificationTrigger`).
///
/// The date is looked for in the calendar of the components, the current one without. Without a time zone among the
/// components, the notification is due when the clock shows the time wherever the device is.
open class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// What the calendar is to show.
  public let dateComponents: DateComponents

  /// Creates a trigger.
  public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
    self.dateComponents = dateComponents
    super.init(repeats: repeats)
  }

  public required init?(coder: NSCoder) {
    let data = coder.decodeObject(of: NSData.self, forKey: "dateComponents").map { Data(referencing: $0) }
    guard let found = data.flatMap({ try? PropertyListDecoder().decode(DateComponents.self, from: $0) }) else {
      return nil
    }
    dateComponents = found
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    guard let data = try? PropertyListEncoder().encode(dateComponents) else { return }
    coder.encode(data as NSData, forKey: "dateComponents")
  }

  /// The next date that matches; nil if none does.
  ///
  /// A day that a month or a year lacks is passed over. A time that the clock passes over is the next that it shows.
  open func nextTriggerDate() -> Date? { CalendarMatch(dateComponents, here: .current).date(after: Link.shared.now) }

  override var form: Form { Form(components: dateComponents, repeats: repeats) }
}
