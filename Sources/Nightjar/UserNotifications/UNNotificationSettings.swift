public import Foundation
import NightjarWire

/// The ways in which an app wants to notify a person (Apple's `UNAuthorizationOptions`).
public struct UNAuthorizationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// A number on its icon.
  public static let badge = UNAuthorizationOptions(rawValue: 1 << 0)
  /// A sound.
  public static let sound = UNAuthorizationOptions(rawValue: 1 << 1)
  /// A text.
  public static let alert = UNAuthorizationOptions(rawValue: 1 << 2)
  /// In a car. Has no effect.
  public static let carPlay = UNAuthorizationOptions(rawValue: 1 << 3)
  /// Over a silent device. Has no effect.
  public static let criticalAlert = UNAuthorizationOptions(rawValue: 1 << 4)
  /// The app has a page with settings of its own. Has no effect.
  public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 1 << 5)
  /// Quietly, without asking. Has no effect: nobody is asked.
  public static let provisional = UNAuthorizationOptions(rawValue: 1 << 6)
}

/// Whether an app may notify a person (Apple's `UNAuthorizationStatus`). Only `denied` and `authorized` occur here.
public enum UNAuthorizationStatus: Int, Sendable {
  /// The person has not been asked.
  case notDetermined
  /// The person has turned alerts off.
  case denied
  /// The app may notify.
  case authorized
  /// The app may notify quietly.
  case provisional
  /// The app may notify for a while.
  case ephemeral
}

/// A person's setting of one way to notify (Apple's `UNNotificationSetting`).
public enum UNNotificationSetting: Int, Sendable {
  /// There is no such way here.
  case notSupported
  /// Turned off.
  case disabled
  /// Turned on.
  case enabled

  fileprivate init(_ isOn: Bool) { self = isOn ? .enabled : .disabled }
}

/// How alerts are shown (Apple's `UNAlertStyle`).
public enum UNAlertStyle: Int, Sendable {
  /// They are not.
  case none
  /// As a banner that goes away.
  case banner
  /// As a window that stays.
  case alert
}

/// When the texts of notifications are shown (Apple's `UNShowPreviewsSetting`).
public enum UNShowPreviewsSetting: Int, Sendable {
  /// Always.
  case always
  /// While the device is unlocked.
  case whenAuthenticated
  /// Never.
  case never
}

/// What a person allows an app (Apple's `UNNotificationSettings`). `nightjar settings` shows and changes it.
// Unchecked: its one property never changes.
open class UNNotificationSettings: NSObject, NSCopying, @unchecked Sendable {
  private let standing: AppInterface.Standing

  init(_ standing: AppInterface.Standing) { self.standing = standing }

  /// `authorized`, or `denied` if the person has turned alerts off.
  open var authorizationStatus: UNAuthorizationStatus { standing.alerts ? .authorized : .denied }
  /// Whether the app may play sounds.
  open var soundSetting: UNNotificationSetting { UNNotificationSetting(standing.sounds) }
  /// Whether the app may have a number on its icon.
  open var badgeSetting: UNNotificationSetting { UNNotificationSetting(standing.badges) }
  /// Whether the app may show texts.
  open var alertSetting: UNNotificationSetting { UNNotificationSetting(standing.alerts) }
  /// Whether the app's notifications lie in the notification centre; as ``alertSetting``.
  open var notificationCenterSetting: UNNotificationSetting { alertSetting }
  /// Whether the app's notifications are shown while the device is locked; as ``alertSetting``.
  open var lockScreenSetting: UNNotificationSetting { alertSetting }
  /// There is no car here.
  open var carPlaySetting: UNNotificationSetting { .notSupported }
  /// There are no critical alerts here.
  open var criticalAlertSetting: UNNotificationSetting { .notSupported }
  /// Notifications are not read out here.
  open var announcementSetting: UNNotificationSetting { .notSupported }
  /// There is no focus here that a notification could break through.
  open var timeSensitiveSetting: UNNotificationSetting { .notSupported }
  /// There are no summaries here.
  open var scheduledDeliverySetting: UNNotificationSetting { .notSupported }
  /// There are no messages of persons here.
  open var directMessagesSetting: UNNotificationSetting { .notSupported }
  /// How alerts are shown: as a banner, if at all.
  open var alertStyle: UNAlertStyle { standing.alerts ? .banner : .none }
  /// Texts are always shown.
  open var showPreviewsSetting: UNShowPreviewsSetting { .always }
  /// There is no button for an app's own settings.
  open var providesAppNotificationSettings: Bool { false }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = (object as? UNNotificationSettings)?.standing else { return false }
    return (other.alerts, other.sounds, other.badges) == (standing.alerts, standing.sounds, standing.badges)
  }

  open override var hash: Int { authorizationStatus.hashValue }
}
