public import Foundation
import NightjarWire

/// Whether an app may be launched to refresh its content (Apple's `UIBackgroundRefreshStatus`).
public enum UIBackgroundRefreshStatus: Int, Sendable {
  /// Whoever looks after the machine forbids it, whatever the person wants (the daemon's setting
  /// `background.refresh.restricted`).
  case restricted
  /// The person has turned it off, for this app or for all.
  case denied
  /// It may.
  case available

  init(_ standing: AppInterface.Standing) {
    self = standing.refreshRestricted == true ? .restricted : standing.backgroundRefresh ? .available : .denied
  }
}

/// How an app may tell a person something (Apple's `UIUserNotificationType`).
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

/// The ways in which an app wants to, or may, tell a person something (Apple's `UIUserNotificationSettings`).
open class UIUserNotificationSettings: NSObject {
  /// The ways.
  public let types: UIUserNotificationType
  /// The groups of actions that were given; none of them is shown.
  public let categories: Set<UIUserNotificationCategory>?

  /// Settings of these ways.
  public init(types: UIUserNotificationType, categories: Set<UIUserNotificationCategory>?) {
    (self.types, self.categories) = (types, categories)
  }
}

extension UIApplication {
  /// The status in ``backgroundRefreshStatus`` has changed. Posted on the main thread; in an app that was suspended, when
  /// it runs again.
  public nonisolated static let backgroundRefreshStatusDidChangeNotification = Notification.Name(
    "UIApplicationBackgroundRefreshStatusDidChangeNotification")

  /// Whether the person lets the app refresh its content in the background: `nightjar settings` shows and changes it.
  public var backgroundRefreshStatus: UIBackgroundRefreshStatus {
    UIBackgroundRefreshStatus(Link.shared.standing)
  }

  /// Says how the app wants to tell a person something. Nobody has to be asked: everything is allowed until the person turns
  /// it off with `nightjar settings`, as on iOS 7. The delegate is told what is.
  public func registerUserNotificationSettings(_ notificationSettings: UIUserNotificationSettings) {
    categories = notificationSettings.categories
    let allowed = Link.shared.standing.types
    DispatchQueue.main.async {
      let granted = UIUserNotificationSettings(
        types: notificationSettings.types.intersection(allowed), categories: notificationSettings.categories)
      self.delegate?.application(self, didRegister: granted)
    }
  }

  /// How the app may tell a person something, with the groups of actions that it has registered in this life.
  public var currentUserNotificationSettings: UIUserNotificationSettings? {
    UIUserNotificationSettings(types: Link.shared.standing.types, categories: categories)
  }

  /// The daemon says what a person allows: observers learn of a change that they can see.
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
  /// The app is being launched: this is how things stand, and no change.
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
