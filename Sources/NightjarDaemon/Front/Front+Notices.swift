import NightjarCore
import NightjarModel
import NightjarWire
import Varlink

/// The calls about notifications and about what a person allows.
extension Front {
  func handleNotifications(_ interface: inout VarlinkInterface) {
    interface.handle(AppInterface.ScheduleNotifications.self) { [self] call throws(VarlinkError) in
      let app = try caller(call.connection).app
      var requests: [NoticeRequest] = []
      for notification in call.parameters.notifications { requests.append(try notification.request(of: app)) }
      try order(.schedule(requests, replaces: call.parameters.replace ?? false), call)
    }
    interface.handle(AppInterface.CancelNotifications.self) { [self] call throws(VarlinkError) in
      guard let texts = call.parameters.keys else { return try order(.cancelNotices(nil), call) }
      var keys: [RequestKey] = []
      for text in texts { keys.append(try RequestKey(ofNotification: text)) }
      try order(.cancelNotices(keys), call)
    }
    interface.handle(AppInterface.ListNotifications.self) { [self] call throws(VarlinkError) in
      try ask(.listNotices, call) { answer in
        guard case .scheduled(let requests) = answer else { return nil }
        return .init(notifications: requests.map(AppInterface.Notification.init))
      }
    }
    interface.handle(AppInterface.SetBadge.self) { [self] call throws(VarlinkError) in
      try order(.setBadge(Int(clamping: call.parameters.count)), call)
    }
    interface.handle(AppInterface.TakeNotification.self) { [self] call throws(VarlinkError) in
      try order(.takeNotice(NoticeID(call.parameters.number)), call)
    }
  }

  func handleNotices(_ interface: inout VarlinkInterface) {
    interface.handle(ControlInterface.ListNotices.self) { [self] call in
      order(.listNotices, call) { answer in
        guard case .notices(let banners) = answer else { return nil }
        return .init(notices: banners.map(\.message))
      }
    }
    interface.handle(ControlInterface.TapNotice.self) { [self] call in
      order(.tapNotice(NoticeID(call.parameters.id)), call) { answer in
        if case .launched(let pid) = answer { .init(pid: Int64(pid)) } else { nil }
      }
    }
    interface.handle(ControlInterface.DismissNotice.self) { [self] call in
      order(.dismissNotice(NoticeID(call.parameters.id)), call)
    }
  }

  func handleSettings(_ interface: inout VarlinkInterface) {
    interface.handle(ControlInterface.ListSettings.self) { [self] call in
      order(.showSettings, call) { answer in
        guard case .settings(let view) = answer else { return nil }
        return .init(backgroundRefresh: view.refreshes, apps: view.apps.map(\.message))
      }
    }
    interface.handle(ControlInterface.ChangeSettings.self) { [self] call in
      let asked = call.parameters
      let change = SettingsChange(
        refreshes: asked.backgroundRefresh, alerts: asked.alerts, sounds: asked.sounds, badges: asked.badges)
      order(.changeSettings(asked.app.map { AppID($0) }, change), call)
    }
  }
}

extension RequestKey {
  /// - Throws: `InvalidRequest` for a text that is no key.
  fileprivate init(ofNotification text: String) throws(VarlinkError) {
    guard let key = RequestKey(text) else {
      throw AppInterface.InvalidRequest(field: "key", reason: "a key is 32 hexadecimal digits").varlink
    }
    self = key
  }
}

extension AppInterface.Notification {
  /// - Throws: `InvalidRequest`, naming the field.
  fileprivate func request(of app: AppID) throws(VarlinkError) -> NoticeRequest {
    var content = NoticeContent()
    (content.body, content.action, content.hasAction) = (body, action, hasAction ?? true)
    (content.launchImage, content.sound, content.info) = (launchImage, sound, info)
    content.badge = min(max(Int(clamping: badge ?? 0), 0), 999_999)
    let key = try RequestKey(ofNotification: key)
    return NoticeRequest(key: key, app: app, time: try time(), calendar: calendar, content: content)
  }

  private func time() throws(VarlinkError) -> NoticeTime? {
    guard let at else { return nil }
    let range = Timestamp.onCalendar
    guard (range.lowerBound.milliseconds...range.upperBound.milliseconds).contains(at) else {
      throw AppInterface.InvalidRequest(field: "at", reason: "a notification is due in the years 1900 to 2199").varlink
    }
    guard (zone == nil) == (offset == nil) else {
      throw AppInterface.InvalidRequest(field: "zone", reason: "a zone comes with its offset, or neither does").varlink
    }
    let named = zone.flatMap { name in offset.map { NoticeTime.Zone(name: name, offset: $0) } }
    return NoticeTime(
      at: Timestamp(milliseconds: at), zone: named, interval: interval.flatMap { CalendarUnit(rawValue: $0.rawValue) })
  }

  fileprivate init(_ request: NoticeRequest) {
    self.init(key: request.key.description)
    at = request.time?.at.milliseconds
    (zone, offset) = (request.time?.zone?.name, request.time?.zone?.offset)
    interval = request.time?.interval.flatMap { Interval(rawValue: $0.rawValue) }
    calendar = request.calendar
    (body, action, hasAction) = (request.content.body, request.content.action, request.content.hasAction)
    (launchImage, sound, info) = (request.content.launchImage, request.content.sound, request.content.info)
    badge = Int64(request.content.badge)
  }
}

extension Message.Noticed {
  /// The notification as its app is told it.
  var message: AppInterface.Notified {
    AppInterface.Notified(number: id.rawValue, notification: .init(request), tapped: isTapped)
  }
}

extension Standing {
  /// The standing as the app is told it.
  var message: AppInterface.Standing {
    var message = AppInterface.Standing(
      backgroundRefresh: settings.refreshes, alerts: settings.alerts, sounds: settings.sounds,
      badges: settings.badges, badge: Int64(badge))
    message.battery = power.battery.map { Int64($0) }
    message.power = .init(rawValue: power.power.rawValue)
    (message.charging, message.lowPower) = (power.isCharging, power.isLowPower)
    return message
  }
}

extension Banner {
  /// The notification as people and scripts see it.
  var message: ControlInterface.Notice {
    ControlInterface.Notice(
      id: id.rawValue, app: app.rawValue, body: body, action: action, sounds: sounds, firedAt: firedAt.milliseconds)
  }
}

extension SettingsView.Entry {
  fileprivate var message: ControlInterface.Settings {
    ControlInterface.Settings(
      app: app.rawValue, backgroundRefresh: settings.refreshes, alerts: settings.alerts, sounds: settings.sounds,
      badges: settings.badges)
  }
}
