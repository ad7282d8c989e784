public import Foundation
import NightjarWire

/// Whether an app may be launched to refresh its content (Apple's `UIBackgroundRefreshStatus`).
public enum UIBackgroundRefreshStatus: Int, Sendable {
  /// The machine's administrator forbids it, whatever the person wants (the daemon's setting
  /// `background.refresh.restricted`).
  case restricted
  /// The person has turned it off, for this app or for all.
  case denied
  /// The app may refresh in the background.
  case available

  init(_ standing: AppInterface.Standing) {
    self = standing.refreshRestricted == true ? .restricted : standing.backgroundRefresh ? .available : .denied
  }
}

/// The ways in which an app may notify a person (Apple's `UIUserNotificationType`).
public struct UIUserNotificationType: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// A number on its icon.
  public static let badge = UIUserNotificationType(rawValue: 1 << 0)
  /// A sound.
  public static let sound = UIUserNotificationType(rawValue: 1 << 1)
  /// A text.
  public static let alert = UIUserNotificationType(rawValue: 1 << 2)
}

/// The ways in which an app wants to, or may, notify a person (Apple's `UIUserNotificationSettings`).
open class UIUserNotificationSettings: NSObject {
  /// The ways in which the app notifies.
  public let types: UIUserNotificationType
  /// The categories of actions. Kept, but no action is shown.
  public let categories: Set<UIUserNotificationCategory>?

  /// Creates settings with these types and categories.
  public init(types: UIUserNotificationType, categories: Set<UIUserNotificationCategory>?) {
    (self.types, self.categories) = (types, categories)
  }
}

extension UIApplication {
  /// Posted on the main thread when ``backgroundRefreshStatus`` has changed; in an app that was suspended, when it runs
  /// again.
  public nonisolated static let backgroundRefreshStatusDidChangeNotification = Notification.Name(
    "UIApplicationBackgroundRefreshStatusDidChangeNotification")

  /// Whether the app may refresh its content in the background. `nightjar settings` shows and changes it.
  public var backgroundRefreshStatus: UIBackgroundRefreshStatus {
    UIBackgroundRefreshStatus(Link.shared.standing)
  }

  /// Registers the ways in which the app wants to notify a person. The person is not asked: everything is allowed until
  /// it is turned off with `nightjar settings`, as on iOS 7. The delegate is told what is allowed.
  public func registerUserNotificationSettings(_ notificationSettings: UIUserNotificationSettings) {
    categories = notificationSettings.categories
    let allowed = Link.shared.standing.types
    DispatchQueue.main.async {
      let granted = UIUserNotificationSettings(
        types: notificationSettings.types.intersection(allowed), categories: notificationSettings.categories)
      self.delegate?.application(self, didRegister: granted)
    }
  }

  /// The ways in which the app may notify a person, with the categories that it has registered in this life.
  public var currentUserNotificationSettings: UIUserNotificationSettings? {
    UIUserNotificationSettings(types: Link.shared.standing.types, categories: categories)
  }

  /// Notes the app's standing, and tells the delegate and observers of changes.
  func note(_ standing: AppInterface.Standing) {
    UIDevice.current.note(Battery(standing))
    notePower(standing.lowPower ?? false)
    if let isLocked = standing.locked { noteLock(isLocked) }
    let old = refreshStatus
    refreshStatus = UIBackgroundRefreshStatus(standing)
    guard refreshStatus != old else { return }
    NotificationCenter.default.post(name: Self.backgroundRefreshStatusDidChangeNotification, object: self)
  }
}

extension UIApplication {
  /// Takes the standing at launch as it is, without posting changes.
  func begin(_ standing: AppInterface.Standing) {
    (refreshStatus, savesPower) = (UIBackgroundRefreshStatus(standing), standing.lowPower ?? false)
    isLocked = standing.locked ?? false
    UIDevice.current.note(Battery(standing))
  }

  private func notePower(_ isLow: Bool) {
    guard isLow != savesPower else { return }
    savesPower = isLow
    NotificationCenter.default.post(name: .NSProcessInfoPowerStateDidChange, object: ProcessInfo.processInfo)
  }
}

extension AppInterface.Standing {
  fileprivate var types: UIUserNotificationType {
    var types: UIUserNotificationType = []
    if alerts { types.insert(.alert) }
    if sounds { types.insert(.sound) }
    if badges { types.insert(.badge) }
    return types
  }
}
