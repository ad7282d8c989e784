public import Foundation

/// What Apple calls protected data. Nightjar encrypts nothing: an app has to put away its secrets itself when the
/// device is locked.
extension UIApplication {
  /// Posted on the main thread when the device is being locked; in an app that was suspended, when it runs again, if
  /// the device is still locked.
  public nonisolated static let protectedDataWillBecomeUnavailableNotification = Notification.Name(
    "UIApplicationProtectedDataWillBecomeUnavailable")
  /// Posted on the main thread when the device was unlocked; in an app that was suspended, when it runs again.
  public nonisolated static let protectedDataDidBecomeAvailableNotification = Notification.Name(
    "UIApplicationProtectedDataDidBecomeAvailable")

  /// Whether the device is unlocked, as last known. True if that is not known, as without a daemon. Files can be read
  /// either way.
  public var isProtectedDataAvailable: Bool { !isLocked }

  /// Notes whether the device is locked, and tells the delegate and observers of a change.
  func noteLock(_ isLockedNow: Bool) {
    guard isLockedNow != isLocked else { return }
    if isLockedNow {
      announce(Self.protectedDataWillBecomeUnavailableNotification) {
        $0.applicationProtectedDataWillBecomeUnavailable(self)
      }
      isLocked = true
    } else {
      isLocked = false
      announce(Self.protectedDataDidBecomeAvailableNotification) { $0.applicationProtectedDataDidBecomeAvailable(self) }
    }
  }
}
