public import Foundation

// Categories of actions, which apps create and register. They are kept but not used: a notification has one action
// here, which opens the app.

/// Where an action would run (Apple's `UIUserNotificationActivationMode`).
public enum UIUserNotificationActivationMode: UInt, Sendable {
  /// In the foreground.
  case foreground
  /// In the background.
  case background
}

/// The space that there would be for actions (Apple's `UIUserNotificationActionContext`).
public enum UIUserNotificationActionContext: UInt, Sendable {
  /// Space for all actions.
  case `default`
  /// Space for two actions.
  case minimal
}

/// An action that a person could take on a notification (Apple's `UIUserNotificationAction`).
open class UIUserNotificationAction: NSObject {
  /// The app's name for the action.
  open internal(set) var identifier: String?
  /// The title that people would see.
  open internal(set) var title: String?
  /// Where the action would run.
  open internal(set) var activationMode = UIUserNotificationActivationMode.foreground
  /// Whether the device would have to be unlocked.
  open internal(set) var isAuthenticationRequired = false
  /// Whether the action destroys something.
  open internal(set) var isDestructive = false
}

/// An action that can be changed (Apple's `UIMutableUserNotificationAction`).
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

/// A category of actions (Apple's `UIUserNotificationCategory`). Notifications of the category do not show its actions
/// here.
open class UIUserNotificationCategory: NSObject {
  /// The name by which notifications refer to the category.
  open internal(set) var identifier: String?
  fileprivate var actions: [UIUserNotificationActionContext: [UIUserNotificationAction]] = [:]

  /// The actions for a context; nil if none were set.
  open func actions(for context: UIUserNotificationActionContext) -> [UIUserNotificationAction]? { actions[context] }
}

/// A category that can be changed (Apple's `UIMutableUserNotificationCategory`).
open class UIMutableUserNotificationCategory: UIUserNotificationCategory {
  open override var identifier: String? {
    get { super.identifier }
    set { super.identifier = newValue }
  }

  /// Sets the actions for a context.
  open func setActions(_ actions: [UIUserNotificationAction]?, for context: UIUserNotificationActionContext) {
    self.actions[context] = actions
  }
}
