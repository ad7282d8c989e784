// Notifications as they stand in iOS apps in Swift 5 mode: completion handlers, a delegate that is a plain class, and a
// fetch that posts what it has found.

import Foundation
import Nightjar

public class NotificationManager: NSObject {
  public static let shared = NotificationManager()
  private let center = UNUserNotificationCenter.current()
  public private(set) var opened: [String] = []

  public func requestPermission(completion: @escaping (Bool) -> Void) {
    center.delegate = self
    center.requestAuthorization(options: [.alert, .sound, .badge]) { granted, error in
      if let error = error { print(error.localizedDescription) }
      DispatchQueue.main.async { completion(granted) }
    }
    let later = UNNotificationAction(identifier: "LATER", title: "Later", options: [.foreground])
    let category = UNNotificationCategory(
      identifier: "REMINDER", actions: [later], intentIdentifiers: [], options: .customDismissAction)
    center.setNotificationCategories([category])
  }

  public func remind(at hour: Int, minute: Int, weekday: Int?, text: String) {
    let content = UNMutableNotificationContent()
    content.title = "Reminder"
    content.body = text
    content.sound = UNNotificationSound.default
    content.badge = 1
    content.categoryIdentifier = "REMINDER"
    content.userInfo = ["hour": hour]
    var date = DateComponents()
    date.calendar = Calendar.current
    date.hour = hour
    date.minute = minute
    date.weekday = weekday
    let trigger = UNCalendarNotificationTrigger(dateMatching: date, repeats: true)
    let request = UNNotificationRequest(identifier: "reminder-\(hour)", content: content, trigger: trigger)
    center.add(request) { error in
      if let error = error { print("not scheduled: \(error)") }
    }
  }

  public func removeAll() {
    center.removeAllPendingNotificationRequests()
    center.removeAllDeliveredNotifications()
    center.getPendingNotificationRequests { requests in
      for request in requests {
        guard let trigger = request.trigger as? UNCalendarNotificationTrigger else { continue }
        print(request.identifier, trigger.nextTriggerDate() as Any)
      }
    }
    center.getNotificationSettings { settings in
      guard settings.authorizationStatus == .authorized else { return }
      print(settings.alertSetting == .enabled)
    }
  }
}

extension NotificationManager: UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    completionHandler([.banner, .list, .sound])
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    switch response.actionIdentifier {
    case UNNotificationDefaultActionIdentifier: opened.append(response.notification.request.identifier)
    case UNNotificationDismissActionIdentifier: break
    default: print((response as? UNTextInputNotificationResponse)?.userText ?? "")
    }
    completionHandler()
  }
}

public class NotifyingDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
  let feed = Feed()

  public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    UNUserNotificationCenter.current().delegate = self
    return true
  }

  public func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    feed.load { result in
      guard case .success(let count) = result, count > 0 else { return completionHandler(.noData) }
      let content = UNMutableNotificationContent()
      content.title = "\(count) new entries"
      let request = UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: nil)
      UNUserNotificationCenter.current().add(request, withCompletionHandler: nil)
      completionHandler(.newData)
    }
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    window?.rootViewController?.title = response.notification.request.content.title
    completionHandler()
  }
}
