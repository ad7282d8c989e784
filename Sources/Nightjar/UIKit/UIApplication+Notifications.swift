import Foundation
import NightjarWire

extension UIApplication {
  /// Schedules a notification, or shows it at once if its `fireDate` is nil or past.
  ///
  /// An app may have 64 pending notifications; of more, the soonest are kept. When this returns, the request is on its
  /// way to the daemon. While the app is in the foreground and the screen is not locked, the delegate is called instead
  /// of showing the notification.
  public func scheduleLocalNotification(_ notification: UILocalNotification) {
    Link.shared.schedule([notification.newWire()])
  }

  /// Shows a notification at once, whatever its `fireDate`.
  public func presentLocalNotificationNow(_ notification: UILocalNotification) {
    Link.shared.schedule([notification.wire(key: notification.newWire().key, now: true)])
  }

  /// Cancels a scheduled notification, this one or an equal one. If it is shown, it is removed. An object that was
  /// changed and scheduled again stands for what was scheduled last; what was scheduled before stays.
  public func cancelLocalNotification(_ notification: UILocalNotification) {
    Link.shared.cancelNotification(notification.keys, like: notification.wire(key: ""))
  }

  /// Cancels all scheduled notifications of the app, and removes those that are shown.
  public func cancelAllLocalNotifications() { Link.shared.cancelNotifications(nil) }

  /// The scheduled notifications, soonest first. Empty without a daemon, nil if it does not answer within seconds, as
  /// while its disk is full.
  ///
  /// Reading asks the daemon and waits for its answer. Setting replaces all notifications but those that were read from
  /// here and have not changed. If the last reading was not answered, setting cancels only what was set since, and says
  /// so on standard error: what is set may have been made from what was read.
  public var scheduledLocalNotifications: [UILocalNotification]? {
    get { Link.shared.scheduledNotifications()?.map { UILocalNotification($0) } }
    set { Link.shared.replaceScheduled(by: UILocalNotification.replacing(newValue ?? [])) }
  }

  /// The number on the app's icon, 0 for none. Setting it to 0 also removes the app's notifications from the screen.
  public var applicationIconBadgeNumber: Int {
    get { Int(Link.shared.standing.badge) }
    set { Link.shared.setBadge(max(newValue, 0)) }
  }

  /// Receives a notification that was fired in the foreground, or that a person has tapped. The delegate is told of a
  /// tapped one with ``applicationState`` `inactive`: on the way to the foreground, or, in the foreground, because the
  /// notification centre covers the app, as on iOS. Of one that was made by a request, the delegate of the
  /// notification center is told, if there is one.
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

  /// Tells the delegate of notifications that were tapped while the app was in the background.
  func tellTapped(link: Link) {
    while !tapped.isEmpty { tell(tapped.removeFirst(), link: link) }
  }

  private func tell(_ notified: AppInterface.Notified, link: Link) {
    if tellCenter(notified, link: link) { return }
    delegate?.application(self, didReceive: UILocalNotification(notified.notification))
    link.take(notified.number)
  }
}

extension UILocalNotification {
  /// The notifications of a list that replaces all others, in wire form. One that was listed by the daemon and is
  /// unchanged keeps its key, so that a repeating one goes on and is not due again.
  static func replacing(_ list: [UILocalNotification]) -> [AppInterface.Notification] {
    var kept: Set<String> = []
    return list.map { notification in
      if let listed = notification.unchanged, kept.insert(listed.key).inserted { return listed }
      return notification.newWire()
    }
  }

  /// The daemon's form of the notification, if it has not changed since it was listed.
  private var unchanged: AppInterface.Notification? {
    listed.flatMap { UILocalNotification($0).isEqual(self) ? $0 : nil }
  }

  /// The wire form for another scheduling of the notification, with a new key. The keys of earlier ones are kept only
  /// if they were for the same contents: what was scheduled with others is another notification, which must not be
  /// cancelled with this one.
  func newWire() -> AppInterface.Notification {
    let wire = wire(key: Self.newKey())
    keys = wire.contents == scheduled ? (keys + [wire.key]).suffix(64) : [wire.key]
    scheduled = wire.contents
    return wire
  }
}

extension AppInterface.Notification {
  /// What the app has said in it: without the key, and without the days, which depend on when they are computed.
  var contents: AppInterface.Notification {
    var contents = self
    (contents.key, contents.days) = ("", nil)
    return contents
  }
}
