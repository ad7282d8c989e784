public import Foundation

/// What Apple calls protected data. Nightjar encrypts nothing: an app that keeps secrets on a locked device puts them away itself.
extension UIApplication {
  /// The device is being locked. Posted on the main thread; in an app that was suspended, when it runs again, if the device is
  /// still locked.
  public nonisolated static let protectedDataWillBecomeUnavailableNotification = Notification.Name(
    "UIApplicationProtectedDataWillBecomeUnavailable")
  /// The device was unlocked. Posted on the main thread; in an app that was suspended, when it runs again.
  public nonisolated static let protectedDataDidBecomeAvailableNotification = Notification.Name(
    "UIApplicationProtectedDataDidBecomeAvailable")

  /// Whether the device is unlocked, as far as was last known. True where nobody ever knew, as without a daemon; files can be
  /// read all the same.
  public var isProtectedDataAvailable: Bool { !isLocked }

  /// The daemon says whether the device is locked: the delegate and observers hear of a change.
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
