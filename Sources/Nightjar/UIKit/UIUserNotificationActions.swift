public import Foundation

// Groups of actions, which apps make and register. They are kept, and no more: a notification has one action here, which opens
// the app.

/// Where an action would be done (Apple's `UIUserNotificationActivationMode`).
public enum UIUserNotificationActivationMode: UInt, Sendable {
  /// In the foreground.
  case foreground
  /// In the background.
  case background
}

/// How much room there would be for actions (Apple's `UIUserNotificationActionContext`).
public enum UIUserNotificationActionContext: UInt, Sendable {
  /// As much as it takes.
  case `default`
  /// Little: for two.
  case minimal
}

/// Something that could be done about a notification (Apple's `UIUserNotificationAction`).
open class UIUserNotificationAction: NSObject {
  /// Its name for the app.
  open internal(set) var identifier: String?
  /// Its name for people.
  open internal(set) var title: String?
  /// Where it would be done.
  open internal(set) var activationMode = UIUserNotificationActivationMode.foreground
  /// Whether the device would have to be unlocked.
  open internal(set) var isAuthenticationRequired = false
  /// Whether something is lost by it.
  open internal(set) var isDestructive = false
}

/// An action in the making (Apple's `UIMutableUserNotificationAction`).
open class UIMutableUserNotificationAction: UIUserNotificationAction {
  open override var identifier: String? {
    get { super.identifier }
    set { super.identifier = newValue }
  }
  open override var title: String? {
    get { super.title }
    set { super.title = newValue }
  }
  open override var activationMode: UIUserNotificationActivationMode {
    get { super.activationMode }
    set { super.activationMode = newValue }
  }
  open override var isAuthenticationRequired: Bool {
    get { super.isAuthenticationRequired }
    set { super.isAuthenticationRequired = newValue }
  }
  open override var isDestructive: Bool {
    get { super.isDestructive }
    set { super.isDestructive = newValue }
  }
}

/// A group of actions (Apple's `UIUserNotificationCategory`). Notifications that name it have none of its actions here.
open class UIUserNotificationCategory: NSObject {
  /// What notifications call it.
  open internal(set) var identifier: String?
  fileprivate var actions: [UIUserNotificationActionContext: [UIUserNotificationAction]] = [:]

  /// Its actions where there is so much room; nil if none were set.
  open func actions(for context: UIUserNotificationActionContext) -> [UIUserNotificationAction]? { actions[context] }
}

/// A group of actions in the making (Apple's `UIMutableUserNotificationCategory`).
open class UIMutableUserNotificationCategory: UIUserNotificationCategory {
  open override var identifier: String? {
    get { super.identifier }
    set { super.identifier = newValue }
  }

  /// Says which actions there are where there is so much room.
  open func setActions(_ actions: [UIUserNotificationAction]?, for context: UIUserNotificationActionContext) {
    self.actions[context] = actions
  }
}
