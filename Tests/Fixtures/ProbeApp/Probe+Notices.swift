import Foundation
import Nightjar

extension Probe {
  /// Schedules what the instructions say, each once in all lives.
  @MainActor
  func schedule(_ application: UIApplication) {
    let known = Set(diary.lines().filter { $0.call == "scheduled" }.compactMap(\.name))
    for notice in instructions.notices ?? [] where !known.contains(notice.name) {
      if let title = notice.title {
        request(notice, title)
        continue
      }
      let due = Date(timeIntervalSinceNow: notice.after)
      let notification = UILocalNotification()
      (notification.fireDate, notification.alertBody) = (due, notice.name)
      notification.applicationIconBadgeNumber = notice.badge ?? 0
      notification.userInfo = ["name": notice.name]
      application.scheduleLocalNotification(notification)
      // Once the daemon has listed it, it is durable.
      _ = application.scheduledLocalNotifications
      note("scheduled", of: notification, count: Int64(due.timeIntervalSince1970 * 1000))
    }
  }

  /// Asks the notification center for a notification.
  @MainActor
  private func request(_ notice: Instructions.Notice, _ title: String) {
    let content = UNMutableNotificationContent()
    (content.title, content.body) = (title, notice.name)
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: notice.after, repeats: false)
    let request = UNNotificationRequest(identifier: notice.name, content: content, trigger: trigger)
    Task {
      let center = UNUserNotificationCenter.current()
      try await center.add(request)
      // Once the daemon has listed it, it is durable.
      let count = await center.pendingNotificationRequests().count { $0.identifier == notice.name }
      diary.write(Heard(call: "scheduled", pid: getpid(), name: notice.name, count: Int64(count)))
    }
  }

  /// Writes down what it is told of a notification.
  func note(_ call: String, of notification: UILocalNotification, count: Int64? = nil, detail: String? = nil) {
    diary.write(
      Heard(
        call: call, pid: getpid(), name: notification.userInfo?["name"] as? String, count: count, detail: detail))
  }
}
