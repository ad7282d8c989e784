import Foundation
import Nightjar

extension ProbeApp: UNUserNotificationCenterDelegate {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    note("willPresent", notification.request)
    return [.banner, .list]
  }

  func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
    note("didReceiveResponse", response.notification.request)
  }

  private func note(_ call: String, _ request: UNNotificationRequest) {
    probe?.diary.write(Heard(call: call, pid: getpid(), name: request.identifier, detail: request.content.title))
  }
}
