import Foundation
import Nightjar
import NightjarTesting
import Testing

/// What apps ask of the notification center, in virtual time.
extension SimulationTests {
  @Test func `a request takes the place of an earlier one, and is shown in virtual time`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin { completionHandler in
          let (center, done) = (UNUserNotificationCenter.current(), Once(completionHandler))
          let hour = UNTimeIntervalNotificationTrigger(timeInterval: 3600, repeats: false)
          for words in ["Extra!", "Extra, extra!"] { center.add(.saying(words, at: hour), withCompletionHandler: nil) }
          center.getPendingNotificationRequests { requests in
            let words = requests.map(\.content.body)
            DispatchQueue.main.async {
              Newspaper.heard += words
              done.call(.newData)
            }
          }
        }

        let history = try await AppSimulation(of: Newspaper.self).run("days 1\nopens at 09:00\nfetch now at 12:00")

        let notifications = history.shown.filter { $0.kind == .notification }
        #expect(Newspaper.heard.last == "Extra, extra!")
        #expect(notifications.map { "\($0.at): \($0.text)" } == ["day 1, 13:00: Extra, extra!"])
      }
    }
  }

  @Test func `the center's delegate decides what is shown of an app in the foreground`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        let editor = Editor()
        Newspaper.begin()
        Newspaper.opened = {
          UNUserNotificationCenter.current().delegate = editor
          for words in ["Weather", "Extra!"] {
            UNUserNotificationCenter.current().add(.saying(words, named: words), withCompletionHandler: nil)
          }
        }

        let history = try await AppSimulation(of: Newspaper.self).run("days 1\nopens at 09:00 for 5 min")

        #expect(editor.heard == ["Weather", "Extra!"])
        #expect(history.shown.filter { $0.kind == .notification }.map(\.text) == ["Extra!"])
      }
    }
  }
}

extension UNNotificationRequest {
  fileprivate static func saying(
    _ body: String, named identifier: String = "headline", at trigger: UNNotificationTrigger? = nil
  ) -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.body = body
    return UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
  }
}

/// A delegate that lets pass what is urgent.
@MainActor
private final class Editor: NSObject, UNUserNotificationCenterDelegate {
  var heard: [String] = []

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    heard.append(notification.request.content.body)
    return notification.request.content.body.hasSuffix("!") ? [.banner, .sound] : []
  }
}
