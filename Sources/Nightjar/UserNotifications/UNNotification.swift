public import Foundation

/// A notification that was fired (Apple's `UNNotification`).
// Unchecked: its properties never change.
open class UNNotification: NSObject, NSCopying, @unchecked Sendable {
  /// When it was fired, in the notification centre to the millisecond. For the delegate: when it was due, or the
  /// present if it has no trigger or repeats.
  public let date: Date
  /// The request that it was made by.
  public let request: UNNotificationRequest

  init(_ request: UNNotificationRequest, date: Date) { (self.request, self.date) = (request, date) }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotification else { return false }
    return other.date == date && other.request == request
  }

  open override var hash: Int { request.hash }
}

/// What a person has done with a notification (Apple's `UNNotificationResponse`). Here that is always to open the app.
// Unchecked: its properties never change.
open class UNNotificationResponse: NSObject, NSCopying, @unchecked Sendable {
  /// The notification.
  public let notification: UNNotification
  /// The action; always ``UNNotificationDefaultActionIdentifier``.
  public let actionIdentifier = UNNotificationDefaultActionIdentifier

  init(_ notification: UNNotification) { self.notification = notification }

  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// What a person has typed into a notification (Apple's `UNTextInputNotificationResponse`). There are none here.
open class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
  /// What was typed.
  public let userText = ""
}

/// How a notification is shown that was fired in the foreground (Apple's `UNNotificationPresentationOptions`).
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Sets the number on the app's icon; it is set in any case.
  public static let badge = UNNotificationPresentationOptions(rawValue: 1 << 0)
  /// Plays the sound of a notification that is shown.
  public static let sound = UNNotificationPresentationOptions(rawValue: 1 << 1)
  /// Shows it; the earlier name.
  public static let alert = UNNotificationPresentationOptions(rawValue: 1 << 2)
  /// Shows it. The notification centre and the desktop are not told apart: ``banner`` and ``list`` do the same.
  public static let list = UNNotificationPresentationOptions(rawValue: 1 << 3)
  /// Shows it; the same as ``list``.
  public static let banner = UNNotificationPresentationOptions(rawValue: 1 << 4)
}
