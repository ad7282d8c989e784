import Foundation
import NightjarWire

extension UIApplication {
  /// Schedules a notification, or shows it at once if it has no `fireDate`, or one that is past.
  ///
  /// The app may have 64 pending; of more, the soonest are kept. When it returns, the request is on its way to the daemon.
  /// While the app is in the foreground, on a screen that is not locked, nothing is shown: the delegate is called instead.
  public func scheduleLocalNotification(_ notification: UILocalNotification) {
    Link.shared.schedule([notification.wire(key: notification.newKey())])
  }

  /// Shows a notification at once, whatever its `fireDate`.
  public func presentLocalNotificationNow(_ notification: UILocalNotification) {
    Link.shared.schedule([notification.wire(key: notification.newKey(), now: true)])
  }

  /// Cancels a scheduled notification: this one, or one that equals it. If it is shown, it goes.
  public func cancelLocalNotification(_ notification: UILocalNotification) {
    Link.shared.cancelNotification(notification.keys, like: notification.wire(key: ""))
  }

  /// Cancels all scheduled notifications of the app. Those that are shown go.
  public func cancelAllLocalNotifications() { Link.shared.cancelNotifications(nil) }

  /// The notifications that are scheduled, the soonest first; asks the daemon, and waits for its answer. Empty without a
  /// daemon. Setting it replaces all but those that were read from it and have not changed.
  public var scheduledLocalNotifications: [UILocalNotification]? {
    get { Link.shared.scheduledNotifications().map { UILocalNotification($0) } }
    set { Link.shared.schedule(UILocalNotification.replacing(newValue ?? []), replace: true) }
  }

  /// The number on the app's icon, 0 for none. Setting it to 0 takes the app's notifications off the screen, too.
  public var applicationIconBadgeNumber: Int {
    get { Int(Link.shared.standing.badge) }
    set { Link.shared.setBadge(max(newValue, 0)) }
  }

  /// A notification that was fired in the foreground or by which a person has opened the app. Whoever is told of one that
  /// was tapped finds ``applicationState`` `inactive`: on the way to the foreground, or, as on iOS, because the
  /// notification centre lies over an app that is there.
  func receive(_ notified: AppInterface.Notified, link: Link) {
    guard link.claim(notified.number) else { return }
    switch applicationState {
    case .background where notified.tapped: tapped.append(notified)
    case .active where notified.tapped:
      resignActive()
      tell(notified, link: link)
      becomeActive()
    case .active, .inactive, .background: tell(notified, link: link)
    }
  }

  /// Tells what was tapped in the background.
  func tellTapped(link: Link) {
    while !tapped.isEmpty { tell(tapped.removeFirst(), link: link) }
  }

  private func tell(_ notified: AppInterface.Notified, link: Link) {
    delegate?.application(self, didReceive: UILocalNotification(notified.notification))
    link.take(notified.number)
  }
}

extension UILocalNotification {
  /// How the daemon is asked for these in the place of all others. What it has listed and nobody has changed is asked for as it
  /// was listed, so that a repeated one goes on, and is not due anew.
  static func replacing(_ list: [UILocalNotification]) -> [AppInterface.Notification] {
    var kept: Set<String> = []
    return list.map { notification in
      if let listed = notification.unchanged, kept.insert(listed.key).inserted { return listed }
      return notification.wire(key: notification.newKey())
    }
  }

  /// As what the daemon has listed it, if it is still that.
  private var unchanged: AppInterface.Notification? {
    listed.flatMap { UILocalNotification($0).isEqual(self) ? $0 : nil }
  }

  /// A name for another scheduling of it.
  fileprivate func newKey() -> String {
    let key = UUID().uuidString.replacing("-", with: "").lowercased()
    keys = (keys + [key]).suffix(64)
    return key
  }
}
