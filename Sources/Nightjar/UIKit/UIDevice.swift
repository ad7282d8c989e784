public import Foundation

/// The device that the app runs on (Apple's `UIDevice`), as far as multitasking concerns it.
@preconcurrency @MainActor
open class UIDevice: NSObject {
  /// The one device.
  public static let current = UIDevice()

  /// Whether apps go on in the background. Always true: without a daemon nothing suspends an app, and with one it gets the
  /// time that iOS gives.
  open var isMultitaskingSupported: Bool { true }

  /// Whether the app wants to know of the battery. Off at first; until it is on, the battery is unknown and nothing is posted.
  open var isBatteryMonitoringEnabled = false

  /// How full the battery is, from 0 to 1, in steps of a hundredth; -1 while nobody knows, as without a daemon, without a
  /// battery, or without ``isBatteryMonitoringEnabled``.
  open var batteryLevel: Float { isBatteryMonitoringEnabled ? battery.level : -1 }

  /// Whether the device is plugged in, and its battery full.
  open var batteryState: BatteryState { isBatteryMonitoringEnabled ? battery.state : .unknown }

  /// What the daemon said last.
  private var battery = Battery()

  /// The daemon says what the device has of power: observers learn of what they can see of it.
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
    /// Nobody knows, or nobody asked.
    case unknown
    /// It runs on its battery.
    case unplugged
    /// It is plugged in, and its battery is not full.
    case charging
    /// It is plugged in, and its battery is full.
    case full
  }

  /// ``batteryLevel`` has changed. Posted on the main thread; in an app that was suspended, when it runs again.
  public nonisolated static let batteryLevelDidChangeNotification = Notification.Name(
    "UIDeviceBatteryLevelDidChangeNotification")
  /// ``batteryState`` has changed. Posted on the main thread; in an app that was suspended, when it runs again.
  public nonisolated static let batteryStateDidChangeNotification = Notification.Name(
    "UIDeviceBatteryStateDidChangeNotification")
}
