public import Foundation

/// A request to notify a person (Apple's `UNNotificationRequest`): what is said, when, and under which name.
///
/// Scheduling one cancels the app's earlier ones of that name, and takes them off the screen.
///
/// ```swift
/// let content = UNMutableNotificationContent()
/// content.title = "Kitchen"
/// content.body = "Tea is ready"
/// let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 180, repeats: false)
/// try await UNUserNotificationCenter.current().add(
///   UNNotificationRequest(identifier: "tea", content: content, trigger: trigger))
/// ```
// Unchecked: its properties never change, and its content is a copy that cannot be changed.
open class UNNotificationRequest: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The app's name for the notification.
  public let identifier: String
  /// What it says.
  public let content: UNNotificationContent
  /// What fires it; nil to fire it at once.
  public let trigger: UNNotificationTrigger?

  /// Creates a request with a copy of the content.
  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    (self.identifier, self.trigger) = (identifier, trigger)
    self.content = content.copy() as? UNNotificationContent ?? content
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  open class var supportsSecureCoding: Bool { true }

  /// Creates a request from an archive; nil if the archive cannot be read.
  public required init?(coder: NSCoder) {
    guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier"),
      let content = coder.decodeObject(of: UNNotificationContent.self, forKey: "content")
    else { return nil }
    (self.identifier, self.content) = ("\(identifier)", content)
    let kinds = [UNTimeIntervalNotificationTrigger.self, UNCalendarNotificationTrigger.self]
    trigger = coder.decodeObject(of: kinds, forKey: "trigger") as? UNNotificationTrigger
  }

  open func encode(with coder: NSCoder) {
    coder.encode(identifier as NSString, forKey: "identifier")
    coder.encode(content, forKey: "content")
    coder.encode(trigger, forKey: "trigger")
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationRequest else { return false }
    return other.identifier == identifier && other.content == content && other.trigger == trigger
  }

  open override var hash: Int { identifier.hashValue }
}
