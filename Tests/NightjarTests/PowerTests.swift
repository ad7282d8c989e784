import Foundation
import NightjarWire
import Testing

@testable import Nightjar

/// The battery and low power mode as apps see them. One suite with the launches: there is one `UIDevice`.
extension WakeTests {
  @Test(
    arguments: [
      (nil, .external, false, -1, .unknown), (nil, .battery, false, -1, .unknown), (101, .battery, false, -1, .unknown),
      (42, .battery, false, 0.42, .unplugged), (42, .battery, true, 0.42, .charging),
      (42, .external, false, 0.42, .charging),
      (100, .external, false, 1, .full), (100, .battery, false, 1, .unplugged), (0, .battery, false, 0, .unplugged),
      (42, nil, nil, 0.42, .unknown),
    ] as [(Int64?, AppInterface.Standing.Power?, Bool?, Float, UIDevice.BatteryState)])
  func `a battery is what iOS would make of it`(
    percent: Int64?, power: AppInterface.Standing.Power?, isCharging: Bool?, level: Float, state: UIDevice.BatteryState
  ) {
    var standing = AppInterface.Standing.allowed
    (standing.battery, standing.power, standing.charging) = (percent, power, isCharging)

    let battery = Battery(standing)

    #expect(battery.level == level && battery.state == state)
  }

  @Test func `observers hear of what they can see, once they have asked for it`() {
    let (device, heard) = (UIDevice.current, Observed())
    var standing = AppInterface.Standing.allowed
    (standing.battery, standing.power, standing.charging) = (50, .battery, false)
    device.isBatteryMonitoringEnabled = false

    UIApplication.shared.note(standing)
    let unasked = (device.batteryLevel, device.batteryState)
    device.isBatteryMonitoringEnabled = true
    let asked = (device.batteryLevel, device.batteryState)
    standing.battery = 51
    UIApplication.shared.note(standing)
    UIApplication.shared.note(standing)
    standing.power = .external
    UIApplication.shared.note(standing)
    standing.lowPower = true
    UIApplication.shared.note(standing)
    UIApplication.shared.note(.allowed)
    device.isBatteryMonitoringEnabled = false

    #expect(unasked == (-1, .unknown) && asked == (0.5, .unplugged))
    #expect(
      heard.names == [
        "UIDeviceBatteryLevelDidChangeNotification", "UIDeviceBatteryStateDidChangeNotification",
        "NSProcessInfoPowerStateDidChangeNotification", "UIDeviceBatteryStateDidChangeNotification",
        "UIDeviceBatteryLevelDidChangeNotification", "NSProcessInfoPowerStateDidChangeNotification",
      ])
  }
}

extension AppInterface.Standing {
  fileprivate static let allowed = AppInterface.Standing(
    backgroundRefresh: true, alerts: true, sounds: true, badges: true, badge: 0)
}

/// The notifications that are posted about power.
@MainActor
private final class Observed {
  private(set) var names: [String] = []
  private var observers: [any NSObjectProtocol] = []

  init() {
    let all = [
      UIDevice.batteryLevelDidChangeNotification, UIDevice.batteryStateDidChangeNotification,
      .NSProcessInfoPowerStateDidChange,
    ]
    observers = all.map { name in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
        MainActor.assumeIsolated { self?.names.append(name.rawValue) }
      }
    }
  }

  isolated deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
}
