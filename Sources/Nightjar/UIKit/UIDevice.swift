public import Foundation

/// The device that the app runs on (Apple's `UIDevice`), as far as multitasking is concerned.
@preconcurrency @MainActor
open class UIDevice: NSObject {
  /// The device that the app runs on.
  public static let current = UIDevice()

  /// Whether apps can run in the background. Always true: without a daemon nothing suspends an app, and with one it
  /// gets the time that it has on iOS.
  open var isMultitaskingSupported: Bool { true }

  /// Whether the battery is monitored; false by default. While false, the battery is unknown and nothing is posted.
  open var isBatteryMonitoringEnabled = false

  /// The charge of the battery, from 0 to 1, in steps of a hundredth. -1 while unknown, as without a daemon, without a
  /// battery, or without ``isBatteryMonitoringEnabled``.
  open var batteryLevel: Float { isBatteryMonitoringEnabled ? battery.level : -1 }

  /// Whether the device is plugged in, and whether its battery is full.
  open var batteryState: BatteryState { isBatteryMonitoringEnabled ? battery.state : .unknown }

  /// The battery as the daemon last reported it.
  private var battery = Battery()

  /// Notes the battery, and posts what has changed if it is monitored.
  func note(_ now: Battery) {
    let before = battery
    battery = now
    guard isBatteryMonitoringEnabled else { return }
    if now.state != before.state {
      NotificationCenter.default.post(name: Self.batteryStateDidChangeNotification, object: self)
    }
    if now.level != before.level {
      NotificationCenter.default.post(name: Self.batteryLevelDidChangeNotification, object: self)
    }
  }
}

extension UIDevice {
  /// Whether the device is plugged in (Apple's `UIDevice.BatteryState`).
  public enum BatteryState: Int, Sendable {
    /// Not known, or not monitored.
    case unknown
    /// It runs on battery.
    case unplugged
    /// It is plugged in, and its battery is not full.
    case charging
    /// It is plugged in, and its battery is full.
    case full
  }

  /// Posted on the main thread when ``batteryLevel`` has changed; in an app that was suspended, when it runs again.
  public nonisolated static let batteryLevelDidChangeNotification = Notification.Name(
    "UIDeviceBatteryLevelDidChangeNotification")
  /// Posted on the main thread when ``batteryState`` has changed; in an app that was suspended, when it runs again.
  public nonisolated static let batteryStateDidChangeNotification = Notification.Name(
    "UIDeviceBatteryStateDidChangeNotification")
}
