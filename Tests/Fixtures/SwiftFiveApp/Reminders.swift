// Plain classes that speak to the application and the device, as they stand in iOS apps in Swift 5 mode: of no actor.

import Foundation
import Nightjar

public class MedicineReminder: UILocalNotification {
  public let dose: Int

  public init(dose: Int) {
    self.dose = dose
    super.init()
  }

  public required init?(coder: NSCoder) {
    dose = coder.decodeInteger(forKey: "dose")
    super.init(coder: coder)
  }

  public override class var supportsSecureCoding: Bool { return true }

  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(dose, forKey: "dose")
  }
}

public class ReminderManager: NSObject {
  public static let shared = ReminderManager()
  private var observer: NSObjectProtocol?
  private var task = UIBackgroundTaskIdentifier.invalid

  public func remind(_ text: String, in seconds: TimeInterval) {
    let notification = UILocalNotification()
    notification.fireDate = Date(timeIntervalSinceNow: seconds)
    notification.alertBody = text
    notification.soundName = UILocalNotificationDefaultSoundName
    notification.userInfo = ["text": text]
    UIApplication.shared.scheduleLocalNotification(notification)
    UIApplication.shared.applicationIconBadgeNumber += 1
  }

  public func cancel(_ text: String) {
    UIApplication.shared.scheduledLocalNotifications?.forEach { notification in
      guard notification.userInfo?["text"] as? String == text else { return }
      UIApplication.shared.cancelLocalNotification(notification)
    }
  }

  public func setUp() {
    let snooze = UIMutableUserNotificationAction()
    snooze.identifier = "snooze"
    snooze.title = "Later"
    snooze.activationMode = .background
    snooze.isDestructive = false
    snooze.isAuthenticationRequired = false
    let category = UIMutableUserNotificationCategory()
    category.identifier = "reminder"
    category.setActions([snooze], for: .default)
    category.setActions([snooze], for: UIUserNotificationActionContext.minimal)
    let settings = UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: Set([category]))
    UIApplication.shared.registerUserNotificationSettings(settings)
    UIApplication.shared.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
    observer = NotificationCenter.default.addObserver(
      forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: .main
    ) { [weak self] _ in self?.finishInBackground() }
  }

  public func canWork() -> Bool {
    UIDevice.current.isBatteryMonitoringEnabled = true
    let isFull = UIDevice.current.batteryState == .full || UIDevice.current.batteryLevel > 0.2
    guard UIApplication.shared.applicationState == .background else { return isFull }
    return isFull && UIApplication.shared.backgroundTimeRemaining > 5
  }

  private func finishInBackground() {
    task = UIApplication.shared.beginBackgroundTask(withName: "finish") { [weak self] in self?.end() }
    (UIApplication.shared.delegate as? AppDelegate)?.window?.rootViewController?.title = "Finishing"
    end()
  }

  private func end() {
    UIApplication.shared.endBackgroundTask(task)
    task = .invalid
  }
}
