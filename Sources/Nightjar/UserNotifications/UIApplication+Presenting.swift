import Foundation
import NightjarWire

// Notifications for the notification centre's delegate.
extension UIApplication {
  /// Tells the center's delegate of a notification that was made by a request. The daemon is told that it has arrived
  /// once the delegate is done with it.
  ///
  /// - Returns: False if there is no such delegate, or no request.
  func tellCenter(_ notified: AppInterface.Notified, link: Link) -> Bool {
    let center = UNUserNotificationCenter.current()
    guard let delegate = center.delegate, let request = UNNotificationRequest(notified.notification) else {
      return false
    }
    let due = request.trigger?.repeats == true ? nil : notified.notification.at
    let date = due.map { Date(timeIntervalSince1970: Double($0) / 1000) } ?? link.now
    let (notification, first) = (UNNotification(request, date: date), FirstCall())
    if notified.tapped {
      delegate.userNotificationCenter(center, didReceive: UNNotificationResponse(notification)) {
        if first.isThis(for: request) { link.take(notified.number) }
      }
    } else {
      delegate.userNotificationCenter(center, willPresent: notification) { options in
        if first.isThis(for: request) { link.take(notified.number, shownWith: options) }
      }
    }
    return true
  }
}

extension FirstCall {
  fileprivate func isThis(for request: UNNotificationRequest) -> Bool {
    if isThis() { return true }
    Console.warn("the handler for the notification '\(request.identifier)' was called again: nothing changes")
    return false
  }
}

extension Link {
  /// Tells the daemon that the delegate has been told of a notification, and how to show it.
  fileprivate func take(_ number: Int64, shownWith options: UNNotificationPresentationOptions) {
    let isShown = !options.isDisjoint(with: [.banner, .list, .alert])
    take(number, show: isShown ? true : nil, silent: isShown && !options.contains(.sound) ? true : nil)
  }
}
