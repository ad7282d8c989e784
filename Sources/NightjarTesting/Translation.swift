import Nightjar
import NightjarCore
import NightjarModel
import NightjarWire

// Between the words of the library, which are those of the protocol, and the words of the supervisor.

extension AppCall {
  /// What a call of the library, counted so, asks of the supervisor; nil for what has no place in a simulation: transfers.
  init?(_ call: Call, number: Int64, of app: AppID) {
    switch call {
    case .entered(let asked): self = .entered(asked.number)
    case .beginTask(let asked): self = .beginTask(asked.task, name: asked.name)
    case .endTask(let asked): self = .endTask(asked.task)
    case .setView(let asked): self = .show(view: number, byteCount: asked.html.utf8.count)
    case .ignoreSnapshot: self = .ignoreSnapshot
    case .finishEvents(let asked): self = .finishEvents(asked.session)
    case .setFetchInterval(let asked): self = .setFetchInterval(asked.seconds.map { .seconds($0) })
    case .finishFetch(let asked): self = .finishFetch(asked.number, FetchOutcome(asked.outcome))
    case .finishTask(let asked): self = .finishTask(asked.number, success: asked.success)
    case .submit(let asked): self = .submit(BackgroundRequest(asked.request))
    case .cancelRequests(let asked): self = .cancelRequests(asked.identifier)
    case .listRequests: self = .listRequests
    case .schedule(let asked):
      self = .schedule(asked.notifications.compactMap { NoticeRequest($0, of: app) }, replaces: asked.replace ?? false)
    case .cancelNotifications(let asked): self = .cancelNotices(asked.keys.map { $0.compactMap { RequestKey($0) } })
    case .listNotifications: self = .listNotices
    case .setBadge(let asked): self = .setBadge(Int(clamping: asked.count))
    case .takeNotification(let asked): self = .takeNotice(NoticeID(asked.number))
    case .openSession, .listTasks, .enqueue, .suspend, .resume, .cancel, .update, .cancelKeeping, .acknowledge,
      .reportDamage, .answer, .closeSession:
      return nil
    }
  }
}

extension Nightjar.Answer {
  /// What the supervisor answers, as the library hears it.
  init(_ answer: NightjarCore.Answer, to call: Call) {
    switch answer {
    case .scheduled(let requests): self = .notifications(requests.map(AppInterface.Notification.init))
    case .requests(let requests): self = .requests(requests.map(AppInterface.BackgroundRequest.init))
    case .refused(let refusal): self = .refused(Nightjar.Refusal(refusal))
    default: self = .done
    }
  }
}

extension Nightjar.Refusal {
  fileprivate init(_ refusal: NightjarCore.Refusal) {
    switch refusal {
    case .notAttached: self = .notAttached
    case .invalid(let field, let reason): self = .invalidRequest(field: field, reason: reason)
    case .limitReached(let what, let limit): self = .limitReached(what: what, limit: Int64(limit))
    default: self = .other(name: "\(refusal)")
    }
  }
}

extension Fact {
  /// A message of the supervisor to an app; nil for those about transfers, of which there are none.
  init?(_ message: Message) {
    switch message {
    case .handleEvents(let session): self = .handleEvents(session: session)
    case .eventsFinished(let session): self = .eventsFinished(session: session)
    case .enterBackground(let number, let remaining): self = .moved(.background(number: number, remaining: remaining))
    case .enterForeground: self = .moved(.foreground)
    case .expireTasks: self = .moved(.expiry)
    case .acted(let action): self = .moved(.acted(.init(action: action.name, fields: action.fields)))
    case .memoryWarning: self = .moved(.shortage)
    case .standing(let standing): self = .standing(.init(standing))
    case .noticed(let noticed): self = .notified(.init(noticed))
    case .performFetch(let number, let remaining): self = .sent(.fetch(number: number, remaining: remaining))
    case .performTask(let number, let kind, let identifier, let remaining):
      self = .sent(
        .task(
          .init(
            number: number, identifier: identifier, kind: kind == .refresh ? .refresh : .processing,
            remainingMs: remaining.wholeMilliseconds)))
    case .expireTask(let number): self = .sent(.expiry(number: number))
    case .progressed, .ended, .asked: return nil
    }
  }
}

extension FetchOutcome {
  init(_ outcome: AppInterface.FinishFetch.Outcome) {
    self =
      switch outcome {
      case .newData: .newData
      case .noData: .noData
      case .failed: .failed
      }
  }
}

extension BackgroundRequest {
  fileprivate init(_ request: AppInterface.BackgroundRequest) {
    self.init(
      identifier: request.identifier, kind: request.kind == .refresh ? .refresh : .processing,
      earliestBegin: request.earliestBegin.map { Timestamp(milliseconds: $0) }, needsNetwork: request.network ?? false,
      needsPower: request.power ?? false)
  }
}

extension AppInterface.BackgroundRequest {
  fileprivate init(_ request: BackgroundRequest) {
    self.init(
      identifier: request.identifier, kind: request.kind == .refresh ? .refresh : .processing,
      earliestBegin: request.earliestBegin?.milliseconds, network: request.needsNetwork, power: request.needsPower)
  }
}

extension AppInterface.Standing {
  init(_ standing: Standing) {
    self.init(
      backgroundRefresh: standing.settings.refreshes, alerts: standing.settings.alerts,
      sounds: standing.settings.sounds, badges: standing.settings.badges, badge: Int64(standing.badge))
  }
}

extension AppInterface.Notified {
  init(_ noticed: Message.Noticed) {
    self.init(number: noticed.id.rawValue, notification: .init(noticed.request), tapped: noticed.isTapped)
  }
}

extension NoticeRequest {
  /// Nil for a key or a time that the library would not make.
  fileprivate init?(_ notification: AppInterface.Notification, of app: AppID) {
    guard let key = RequestKey(notification.key) else { return nil }
    var content = NoticeContent()
    (content.body, content.action, content.hasAction) = (
      notification.body, notification.action, notification.hasAction ?? true
    )
    (content.launchImage, content.sound, content.info) = (
      notification.launchImage, notification.sound, notification.info
    )
    content.badge = min(max(Int(clamping: notification.badge ?? 0), 0), 999_999)
    let time = notification.at.map { at in
      let zone = notification.zone.flatMap { name in
        notification.offset.map { NoticeTime.Zone(name: name, offset: $0) }
      }
      return NoticeTime(
        at: Timestamp(milliseconds: at), zone: zone,
        interval: notification.interval.flatMap { CalendarUnit(rawValue: $0.rawValue) })
    }
    self.init(key: key, app: app, time: time, calendar: notification.calendar, content: content)
  }
}

extension AppInterface.Notification {
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
