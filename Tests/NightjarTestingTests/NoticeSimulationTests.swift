import Foundation
import Nightjar
import NightjarTesting
import Testing

/// What apps take back of notifications, in virtual time.
extension SimulationTests {
  @Test func `a notification is cancelled by one that equals it, and others are shown`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin { completionHandler in
          let due = AppSimulation<Newspaper>.now.addingTimeInterval(3600)
          let notifications = ["Extra!", "Weather", "Extra!"].map { words in
            let notification = UILocalNotification()
            (notification.alertBody, notification.fireDate) = (words, due)
            return notification
          }
          for notification in notifications.prefix(2) {
            UIApplication.shared.scheduleLocalNotification(notification)
          }
          UIApplication.shared.cancelLocalNotification(notifications[2])
          completionHandler(.newData)
        }

        let history = try await AppSimulation(of: Newspaper.self).run("days 1\nopens at 09:00\nfetch now at 12:00")

        let notifications = history.shown.filter { $0.kind == .notification }
        #expect(notifications.map(\.text) == ["Weather"])
      }
    }
  }
}
