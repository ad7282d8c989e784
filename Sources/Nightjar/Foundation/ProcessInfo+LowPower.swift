public import Foundation

extension ProcessInfo {
  /// Whether the person saves power, as the daemon says; false without one. What is discretionary waits meanwhile, and an app
  /// does well to put off what can be put off.
  public var isLowPowerModeEnabled: Bool { Link.shared.isLowPower }
}

extension Notification.Name {
  /// `ProcessInfo.isLowPowerModeEnabled` has changed. Posted on the main thread with the process's information as its
  /// object; in an app that was suspended, when it runs again.
  public static let NSProcessInfoPowerStateDidChange = Notification.Name("NSProcessInfoPowerStateDidChangeNotification")
}
