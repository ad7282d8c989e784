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
      for notification in call.parameters.notifications {
        requests.append(try reading(try notification.request(of: app)))
      }
      try ask(.schedule(requests, replaces: call.parameters.replace ?? false), call)
    }
    interface.handle(AppInterface.CancelNotifications.self) { [self] call throws(VarlinkError) in
      let (app, asked) = (try caller(call.connection).app, call.parameters)
      let keys = try reading(try asked.requestKeys())
      let (likes, names) = (asked.likes(of: app), asked.identifiers ?? [])
      try ask(.cancelNotices(keys, like: likes, named: names, only: asked.place), call)
    }
    interface.handle(AppInterface.ListNotifications.self) { [self] call throws(VarlinkError) in
      try ask(.listNotices, call) { answer in
        guard case .scheduled(let requests, let shown) = answer else { return nil }
        return .init(
          notifications: requests.map(AppInterface.Notification.init),
          shown: shown.map { AppInterface.ShownNotification($0.request, firedAt: $0.firedAt) })
      }
    }
    interface.handle(AppInterface.SetBadge.self) { [self] call throws(VarlinkError) in
      try ask(.setBadge(Int(clamping: call.parameters.count)), call)
    }
    interface.handle(AppInterface.TakeNotification.self) { [self] call throws(VarlinkError) in
      try ask(.takeNotice(NoticeID(call.parameters.number), shows: call.parameters.showing), call)
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
        return .init(
          backgroundRefresh: view.refreshes, restricted: view.isRestricted ? true : nil, apps: view.apps.map(\.message))
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

extension Banner {
  /// The notification as people and scripts see it.
  var message: ControlInterface.Notice {
    ControlInterface.Notice(
      id: id.rawValue, app: app.rawValue, title: heading, body: body, action: action, sounds: sounds,
      firedAt: firedAt.milliseconds)
  }
}

extension SettingsView.Entry {
  fileprivate var message: ControlInterface.Settings {
    ControlInterface.Settings(
      app: app.rawValue, backgroundRefresh: settings.refreshes, alerts: settings.alerts, sounds: settings.sounds,
      badges: settings.badges)
  }
}
