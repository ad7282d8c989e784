public import Foundation

// The async forms are the main actor's, so that delegates of the main actor can implement them, and those of no actor,
// too. Without an isolation they would be nonisolated(nonsending) in this module, which a witness inherits.

/// Methods that the notification centre calls (Apple's `UNUserNotificationCenterDelegate`), on the main thread. Each of
/// the two with a completion handler has an async form; implement one of the two.
///
/// They are called for notifications that were made by a ``UNNotificationRequest``, if the center has a delegate.
/// Otherwise the app's delegate is told with `application(_:didReceive:)`.
@preconcurrency
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
  /// A notification was fired while the app is in the foreground. Call the handler with how to show it, from any
  /// thread; without options it is not shown. If the process ends or is suspended before, it is shown all the same.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)

  /// The async form: returns how to show a notification that was fired in the foreground.
  @MainActor
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions

  /// A person has tapped a notification. The application's state is `inactive` meanwhile. Call the handler when it is
  /// dealt with, from any thread. If the process ends before, it goes back to the notification centre.
  ///
  /// An app that was launched by it is told once `didFinishLaunching` has returned: set the center's delegate there.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void)

  /// The async form: a person has tapped a notification. It is dealt with when this returns.
  @MainActor
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async

  /// A person wants to see the app's own settings for notifications. Never called: there is no button for that.
  func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

extension UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) {
    let delegate = CarriedDelegate(value: self)
    Task.immediate { @MainActor in  // At once, while the application's state is still that of the call.
      completionHandler(await delegate.value.userNotificationCenter(center, willPresent: notification))
    }
  }

  @MainActor
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { [] }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) {
    let delegate = CarriedDelegate(value: self)
    Task.immediate { @MainActor in
      await delegate.value.userNotificationCenter(center, didReceive: response)
      completionHandler()
    }
  }

  @MainActor
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {}

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) {}
}

/// Carries a delegate into a task of the main actor.
// Unchecked: the delegate is called on the main thread, as always.
private struct CarriedDelegate<Delegate>: @unchecked Sendable {
  let value: Delegate
}
