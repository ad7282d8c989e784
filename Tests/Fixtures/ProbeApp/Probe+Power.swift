import Foundation
import Nightjar

extension Probe {
  /// Writes down what the battery is like and whether power is saved, now and at each change.
  @MainActor
  func watchPower() {
    UIDevice.current.isBatteryMonitoringEnabled = true
    let names = [
      UIDevice.batteryLevelDidChangeNotification, UIDevice.batteryStateDidChangeNotification,
      .NSProcessInfoPowerStateDidChange,
    ]
    for name in names {
      _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [self] _ in
        MainActor.assumeIsolated { notePower(name.rawValue) }
      }
    }
    notePower("launch")
  }

  @MainActor
  private func notePower(_ name: String) {
    let device = UIDevice.current
    let words = "\(device.batteryLevel) \(device.batteryState) \(ProcessInfo.processInfo.isLowPowerModeEnabled)"
    diary.write(Heard(call: "power", pid: getpid(), name: name, detail: words))
  }
}
