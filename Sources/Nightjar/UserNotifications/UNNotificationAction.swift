public import Foundation

// Actions, which apps create and register in categories. They are kept but not shown: a notification has one action
// here, which opens the app.

/// The action identifier of a response by which a person has opened the app, by tapping the notification.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The action identifier of a response by which a person has put the notification away. Not used: an app is not told
/// of that.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// How an action would be carried out (Apple's `UNNotificationActionOptions`).
public struct UNNotificationActionOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The device would have to be unlocked.
  public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1 << 0)
  /// It destroys something.
  public static let destructive = UNNotificationActionOptions(rawValue: 1 << 1)
  /// It would bring the app to the foreground.
  public static let foreground = UNNotificationActionOptions(rawValue: 1 << 2)
}

/// An action that a person could take on a notification (Apple's `UNNotificationAction`). It is not shown here.
// Unchecked: its properties never change.
open class UNNotificationAction: NSObject, NSCopying, @unchecked Sendable {
  /// The app's name for the action.
  public let identifier: String
  /// The title that people would see.
  public let title: String
  /// How it would be carried out.
  public let options: UNNotificationActionOptions

  /// Creates an action.
  public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    (self.identifier, self.title, self.options) = (identifier, title, options)
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationAction, type(of: other) == type(of: self) else { return false }
    return (other.identifier, other.title, other.options) == (identifier, title, options)
  }

  open override var hash: Int { identifier.hashValue }
}

/// An action with a text that a person could type (Apple's `UNTextInputNotificationAction`). It is not shown here.
open class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
  /// The title of the button beside the text.
  public let textInputButtonTitle: String
  /// What stands in the empty field.
  public let textInputPlaceholder: String

  /// Creates an action.
  public init(
    identifier: String, title: String, options: UNNotificationActionOptions = [], textInputButtonTitle: String,
    textInputPlaceholder: String
  ) {
    (self.textInputButtonTitle, self.textInputPlaceholder) = (textInputButtonTitle, textInputPlaceholder)
    super.init(identifier: identifier, title: title, options: options)
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard super.isEqual(object), let other = object as? UNTextInputNotificationAction else { return false }
    return other.textInputButtonTitle == textInputButtonTitle && other.textInputPlaceholder == textInputPlaceholder
  }
}
