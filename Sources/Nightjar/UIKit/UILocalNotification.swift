public import Foundation
import NightjarWire

/// The name of the default sound of notifications.
public let UILocalNotificationDefaultSoundName = "UILocalNotificationDefaultSoundName"

/// A notification that is shown to the person at a time, whether the app runs or not (Apple's `UILocalNotification`).
/// ``UNUserNotificationCenter`` does the same under later names.
///
/// Scheduling copies it: later changes affect only the next scheduling. It stays scheduled after the end of the app, a
/// crash of the daemon, and a reboot.
///
/// ```swift
/// let tea = UILocalNotification()
/// tea.fireDate = Date(timeIntervalSinceNow: 180)
/// tea.alertBody = "Tea is ready"
/// UIApplication.shared.scheduleLocalNotification(tea)
/// ```
open class UILocalNotification: NSObject, NSCopying, NSSecureCoding {
  /// When it is due; at once if nil or past.
  open var fireDate: Date?
  /// The time zone in which `fireDate` is read as a time on the clock. The notification is due when the clock shows
  /// that time wherever the device is, so 8 o'clock stays 8 o'clock on a journey and over daylight saving.
  ///
  /// If nil, `fireDate` is a moment, as for a countdown, and repetitions are counted in UTC.
  open var timeZone: TimeZone?
  /// The interval of repetitions, one unit of the calendar; empty for none. An era cannot be waited for.
  open var repeatInterval: NSCalendar.Unit = []
  /// The calendar in which repetitions are counted; the Gregorian if nil. In a calendar with other months, the first
  /// 240 repetitions by months, quarters or years are computed when the notification is scheduled, and then it ends.
  open var repeatCalendar: Calendar?
  /// The text that is shown; if nil, nothing is shown.
  open var alertBody: String?
  /// The title, which is shown above the text. Without a text, nothing is shown.
  open var alertTitle: String?
  /// Whether there is a button that opens the app.
  open var hasAction = true
  /// The title of the button; "Open" if nil.
  open var alertAction: String?
  /// The launch image. Kept but not shown: there is no picture while an app starts.
  open var alertLaunchImage: String?
  /// The sound: a file of that name in the app's bundle, or the desktop's own sound if there is none. No sound if nil.
  open var soundName: String?
  /// The number on the app's icon from then on; 0 leaves it unchanged.
  open var applicationIconBadgeNumber = 0
  /// The category of its actions. Kept but not used: the only action opens the app.
  open var category: String?
  /// The app's own data: property list types, with strings as keys.
  open var userInfo: [AnyHashable: Any]?

  /// The keys under which the daemon knows it.
  var keys: [String] = []
  /// The contents that it had under these keys.
  var scheduled: AppInterface.Notification?
  /// The daemon's form of the notification; nil if the app has made it.
  var listed: AppInterface.Notification?

  public override init() { super.init() }

  open class var supportsSecureCoding: Bool { true }

  /// Creates a notification from an archive; nil if the archive cannot be read.
  public required init?(coder: NSCoder) {
    super.init()
    let data = coder.decodeObject(of: NSData.self, forKey: Self.archiveKey).map { Data(referencing: $0) }
    guard let data, let archive = try? PropertyListDecoder().decode(Archive.self, from: data) else { return nil }
    take(archive.notification)
    (keys, scheduled, listed) = (archive.keys, archive.scheduled, nil)
  }

  /// Encodes the notification as the daemon would receive it.
  open func encode(with coder: NSCoder) {
    let archive = Archive(notification: wire(key: ""), keys: keys, scheduled: scheduled)
    guard let data = try? PropertyListEncoder().encode(archive) else { return }
    coder.encode(data as NSData, forKey: Self.archiveKey)
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = UILocalNotification()
    (copy.fireDate, copy.timeZone) = (fireDate, timeZone)
    (copy.repeatInterval, copy.repeatCalendar) = (repeatInterval, repeatCalendar)
    (copy.alertBody, copy.hasAction, copy.alertAction) = (alertBody, hasAction, alertAction)
    (copy.alertLaunchImage, copy.soundName) = (alertLaunchImage, soundName)
    (copy.alertTitle, copy.category) = (alertTitle, category)
    (copy.applicationIconBadgeNumber, copy.userInfo) = (applicationIconBadgeNumber, userInfo)
    (copy.keys, copy.scheduled, copy.listed) = (keys, scheduled, listed)
    return copy
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UILocalNotification else { return false }
    return wire(key: "") == other.wire(key: "")
  }

  open override var hash: Int { (alertBody ?? "").hashValue }

  private static let archiveKey = "notification"

  /// The contents of an archive.
  private struct Archive: Codable {
    var notification: AppInterface.Notification
    var keys: [String]
    var scheduled: AppInterface.Notification?
  }
}
