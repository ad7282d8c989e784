public import Foundation

extension ProcessInfo {
  /// Whether low power mode is on, as the daemon reports it; false without a daemon, and in a program that has used
  /// nothing else of Nightjar yet, since it may register its name still. Discretionary tasks wait meanwhile, and an app
  /// should postpone what it can.
  public var isLowPowerModeEnabled: Bool { Link.made?.isLowPower ?? false }
}

extension Notification.Name {
  /// Posted on the main thread when `ProcessInfo.isLowPowerModeEnabled` has changed, with the `ProcessInfo` as its
  /// object; in an app that was suspended, when it runs again.
  public static let NSProcessInfoPowerStateDidChange = Notification.Name("NSProcessInfoPowerStateDidChangeNotification")
}
