public import Foundation
import NightjarWire

/// The name of the sound that a notification makes by default.
public let UILocalNotificationDefaultSoundName = "UILocalNotificationDefaultSoundName"

/// Something to tell the person at a time, whether the app runs or not (Apple's `UILocalNotification`).
///
/// Scheduling copies it: later changes concern the next scheduling only. It stays scheduled over the end of the app, a
/// crash of the daemon and a reboot.
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
  /// With a time zone it is the reading of the clock that counts, which `fireDate` is there: it is due when the clock shows
  /// that wherever the device is, so 8 o'clock stays 8 o'clock on a journey and over daylight saving. Without one, the
  /// moment itself counts, as for a countdown; repetitions are reckoned in UTC then.
  open var timeZone: TimeZone?
  /// After what it is repeated: one unit of the calendar; empty for once. An era is not a unit that can be waited for.
  open var repeatInterval: NSCalendar.Unit = []
  /// In which calendar repetitions are counted; the Gregorian if nil. In one whose months are others, the first 240
  /// repetitions by months, quarters or years are foreseen when it is scheduled, and then it ends.
  open var repeatCalendar: Calendar?
  /// The text that is shown; without one, nothing is.
  open var alertBody: String?
  /// Kept; above the text stands the app's name.
  open var alertTitle: String?
  /// Whether there is a button that opens the app.
  open var hasAction = true
  /// What the button says; "Open" if nil.
  open var alertAction: String?
  /// Kept; there is no picture while an app starts.
  open var alertLaunchImage: String?
  /// Whether it makes a sound: any other name makes the desktop's own.
  open var soundName: String?
  /// The number on the app's icon from then on; 0 leaves it as it is.
  open var applicationIconBadgeNumber = 0
  /// Which group of actions it has. Kept; there is one action here.
  open var category: String?
  /// What the app wants to find in it again: property list types, with texts as keys.
  open var userInfo: [AnyHashable: Any]?

  /// Under which names the daemon knows it.
  var keys: [String] = []
  /// As what the daemon has told of it; nil if the app has made it.
  var listed: AppInterface.Notification?

  public override init() { super.init() }

  open class var supportsSecureCoding: Bool { true }

  /// The notification as it was written down; nil if that cannot be read.
  public required init?(coder: NSCoder) {
    super.init()
    let data = coder.decodeObject(of: NSData.self, forKey: Self.archiveKey).map { Data(referencing: $0) }
    guard let data, let archive = try? PropertyListDecoder().decode(Archive.self, from: data) else { return nil }
    take(archive.notification)
    (keys, listed) = (archive.keys, nil)
  }

  /// Writes down what the daemon would be told of it.
  open func encode(with coder: NSCoder) {
    let archive = Archive(notification: wire(key: ""), keys: keys)
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
    (copy.keys, copy.listed) = (keys, listed)
    return copy
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UILocalNotification else { return false }
    return wire(key: "") == other.wire(key: "")
  }

  open override var hash: Int { (alertBody ?? "").hashValue }

  private static let archiveKey = "notification"

  /// What an archive has of it.
  private struct Archive: Codable {
    var notification: AppInterface.Notification
    var keys: [String]
  }
}
