package import NightjarModel

// Translates notifications and an app's standing between the protocol's types and the core's, for the daemon and
// NightjarTesting.

extension AppInterface.Notification {
  /// What the message asks for on an app's behalf.
  ///
  /// - Throws: `InvalidRequest`, naming the field.
  package func request(of app: AppID) throws(AppInterface.InvalidRequest) -> NoticeRequest {
    try request(of: app, under: RequestKey(key, else: AppInterface.InvalidRequest.init(field:reason:)))
  }

  /// The same request under a different key.
  fileprivate func request(
    of app: AppID, under key: RequestKey
  ) throws(AppInterface.InvalidRequest) -> NoticeRequest {
    var content = NoticeContent()
    (content.title, content.body) = (title, body)
    (content.action, content.hasAction) = (action, hasAction ?? true)
    (content.launchImage, content.sound, content.info) = (launchImage, sound, info)
    content.badge = min(max(Int(clamping: badge ?? 0), 0), NoticeContent.badgeMax)
    return NoticeRequest(
      key: key, identifier: identifier, app: app, time: try time(), calendar: calendar, content: content)
  }

  private func time() throws(AppInterface.InvalidRequest) -> NoticeTime? {
    guard let asked = at else { return nil }
    let range = Timestamp.onCalendar
    let at = max(asked, range.lowerBound.milliseconds)  // Past is past.
    guard at <= range.upperBound.milliseconds else {
      throw AppInterface.InvalidRequest(field: "at", reason: "a notification is due in the years 1900 to 2199")
    }
    guard (zone == nil) == (offset == nil) else {
      throw AppInterface.InvalidRequest(field: "zone", reason: "a zone comes with its offset, or neither does")
    }
    let named = zone.flatMap { name in offset.map { NoticeTime.Zone(name: name, offset: $0) } }
    return NoticeTime(
      at: Timestamp(milliseconds: at), zone: named, interval: interval.flatMap { CalendarUnit(rawValue: $0.rawValue) },
      step: every ?? 1, days: days ?? [])
  }

  /// A notification as its app has asked for it.
  package init(_ request: NoticeRequest) {
    self.init(key: request.key.description)
    at = request.time?.at.milliseconds
    (zone, offset) = (request.time?.zone?.name, request.time?.zone?.offset)
    interval = request.time?.interval.flatMap { Interval(rawValue: $0.rawValue) }
    every = request.time.flatMap { $0.step == 1 ? nil : $0.step }
    (calendar, days) = (request.calendar, request.time.flatMap { $0.days.isEmpty ? nil : $0.days })
    (title, body, identifier) = (request.content.title, request.content.body, request.identifier)
    (action, hasAction) = (request.content.action, request.content.hasAction)
    (launchImage, sound, info) = (request.content.launchImage, request.content.sound, request.content.info)
    badge = Int64(request.content.badge)
  }
}

extension AppInterface.ShownNotification {
  /// A notification that was fired then.
  package init(_ request: NoticeRequest, firedAt: Timestamp) {
    self.init(notification: AppInterface.Notification(request), firedAt: firedAt.milliseconds)
  }
}

extension AppInterface.CancelNotifications.Parameters {
  /// The keys of the notifications to cancel; nil for all.
  ///
  /// - Throws: `InvalidRequest` for a text that is no key.
  package func requestKeys() throws(AppInterface.InvalidRequest) -> [RequestKey]? {
    guard let texts = keys else { return like == nil && identifiers == nil ? nil : [] }
    var keys: [RequestKey] = []
    for text in texts { keys.append(try RequestKey(text, else: AppInterface.InvalidRequest.init(field:reason:))) }
    return keys
  }

  /// Notifications to cancel by likeness: those that equal one of these. Any that no app could have scheduled are left
  /// out.
  package func likes(of app: AppID) -> [NoticeRequest] {
    (like ?? []).compactMap { try? $0.request(of: app, under: RequestKey(high: 0, low: 0)) }
  }
}

extension AppInterface.CancelNotifications.Parameters {
  /// Where the notifications are that are to be cancelled; nil for everywhere.
  package var place: NoticePlace? {
    switch only {
    case .scheduled: .scheduled
    case .shown: .shown
    case nil: nil
    }
  }
}

extension AppInterface.TakeNotification.Parameters {
  /// How the notification is to be shown; nil if it is not.
  package var showing: NoticeShowing? {
    guard show == true else { return nil }
    return silent == true ? .silently : .withSound
  }
}

extension AppInterface.Standing {
  /// The standing as the app is told it.
  package init(_ standing: Standing) {
    self.init(
      backgroundRefresh: standing.settings.refreshes, alerts: standing.settings.alerts,
      sounds: standing.settings.sounds, badges: standing.settings.badges, badge: Int64(standing.badge))
    if standing.isRefreshRestricted { refreshRestricted = true }
    battery = standing.power.battery.map { Int64($0) }
    power = Power(rawValue: standing.power.power.rawValue)
    (charging, lowPower) = (standing.power.isCharging, standing.power.isLowPower)
    locked = standing.isLocked
  }
}
