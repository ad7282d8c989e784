import Nightjar
import NightjarCore
import NightjarModel
import NightjarWire

// Between the words of the library, which are those of the protocol, and the words of the supervisor.

extension AppCall {
  /// What a call of the library, counted so, asks of the supervisor; nil for what has no place in a simulation: transfers.
  ///
  /// - Throws: `InvalidRequest` for what the daemon would refuse to read.
  init?(_ call: Call, number: Int64, of app: AppID) throws(AppInterface.InvalidRequest) {
    switch call {
    case .entered(let asked): self = .entered(asked.number)
    case .beginTask(let asked): self = .beginTask(asked.task, name: asked.name)
    case .endTask(let asked): self = .endTask(asked.task)
    case .setView(let asked): self = .show(view: number, byteCount: asked.html.utf8.count)
    case .ignoreSnapshot: self = .ignoreSnapshot
    case .finishEvents(let asked): self = .finishEvents(asked.session)
    case .setFetchInterval(let asked): self = .setFetchInterval(try asked.interval())
    case .finishFetch(let asked): self = .finishFetch(asked.number, FetchOutcome(asked.outcome))
    case .finishTask(let asked): self = .finishTask(asked.number, success: asked.success)
    case .submit(let asked): self = .submit(BackgroundRequest(asked.request))
    case .cancelRequests(let asked): self = .cancelRequests(asked.identifier)
    case .listRequests: self = .listRequests
    case .schedule(let asked):
      var requests: [NoticeRequest] = []
      for notification in asked.notifications { requests.append(try notification.request(of: app)) }
      self = .schedule(requests, replaces: asked.replace ?? false)
    case .cancelNotifications(let asked):
      var keys: [RequestKey] = []
      for text in asked.keys ?? [] { keys.append(try RequestKey(ofNotification: text)) }
      self = .cancelNotices(asked.keys == nil ? nil : keys)
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
            number: number, identifier: identifier, kind: .init(kind), remainingMs: remaining.wholeMilliseconds)))
    case .expireTask(let number): self = .sent(.expiry(number: number))
    case .progressed, .ended, .asked: return nil
    }
  }
}

extension AppInterface.Notified {
  init(_ noticed: Message.Noticed) {
    self.init(number: noticed.id.rawValue, notification: .init(noticed.request), tapped: noticed.isTapped)
  }
}
