import Nightjar
import NightjarCore
import NightjarModel
import NightjarWire

// Between the words of the library, which are those of the protocol, and the words of the supervisor.

extension AppCall {
  /// What a call of the library, counted so, asks of the supervisor.
  ///
  /// - Throws: `InvalidRequest` for what the daemon would refuse to read.
  init(_ call: Call, number: Int64, of app: AppID) throws(AppInterface.InvalidRequest) {
    switch call {
    case .entered(let asked): self = .entered(asked.number)
    case .beginTask(let asked): self = .beginBackgroundTask(asked.task, name: asked.name)
    case .endTask(let asked): self = .endBackgroundTask(asked.task)
    case .setView(let asked): self = .show(view: number, byteCount: asked.html.utf8.count)
    case .ignoreSnapshot: self = .ignoreSnapshot
    case .finishEvents(let asked): self = .finishEvents(asked.session)
    case .setFetchInterval(let asked): self = .setFetchInterval(try asked.interval())
    case .finishFetch(let asked): self = .finishFetch(asked.number, FetchOutcome(asked.outcome))
    case .finishTask(let asked): self = .finishRequestedTask(asked.number, success: asked.success)
    case .submit(let asked): self = .submit(BackgroundRequest(asked.request))
    case .cancelRequests(let asked): self = .cancelRequests(asked.identifier)
    case .listRequests: self = .listRequests
    case .schedule(let asked):
      var requests: [NoticeRequest] = []
      for notification in asked.notifications { requests.append(try notification.request(of: app)) }
      self = .schedule(requests, replaces: asked.replace ?? false)
    case .cancelNotifications(let asked):
      self = .cancelNotices(try asked.requestKeys(), like: asked.likes(of: app))
    case .listNotifications: self = .listNotices
    case .setBadge(let asked): self = .setBadge(Int(clamping: asked.count))
    case .takeNotification(let asked): self = .takeNotice(NoticeID(asked.number))
    case .openSession(let asked):
      let (sends, asks) = (asked.options?.sendsLaunchEvents ?? true, asked.options?.asks.map(Asks.init) ?? .nothing)
      self = .openSession(
        asked.session, sendsLaunchEvents: sends, asks: asks, isHandling: asked.options?.handlesEvents ?? false)
    case .listTasks(let asked): self = .listTasks(asked.session, after: Int(asked.after))
    case .enqueue(let asked):
      self = .enqueue(
        try asked.task.request(app: app, session: asked.session), isSuspended: asked.task.suspended ?? false,
        remnant: try asked.task.remnantKey())
    case .suspend(let asked): self = .suspend(asked.session, task: Int(asked.task))
    case .resume(let asked): self = .resume(asked.session, task: Int(asked.task))
    case .cancel(let asked): self = .cancel(asked.session, task: Int(asked.task))
    case .update(let asked): self = .update(asked.session, task: Int(asked.task), TaskChanges(asked))
    case .cancelKeeping(let asked): self = .cancelKeeping(asked.session, task: Int(asked.task))
    case .acknowledge(let asked): self = .acknowledge(asked.numbers)
    case .reportDamage(let asked): self = .reportDamage(asked.number)
    case .answer(let asked):
      self = .decide(asked.number, try asked.decision.decision(), asks: asked.asks.map(Asks.init))
    case .closeSession(let asked): self = .closeSession(asked.session, cancel: asked.cancel)
    }
  }
}

extension Nightjar.Answer {
  /// What the supervisor answers, as the library hears it.
  init(_ answer: NightjarCore.Answer, to call: Call) {
    switch answer {
    case .scheduled(let requests): self = .notifications(requests.map(AppInterface.Notification.init))
    case .requests(let requests): self = .requests(requests.map(AppInterface.BackgroundRequest.init))
    case .session(let nextTask, let taskCount):
      self = .opened(.init(nextTask: Int64(nextTask), taskCount: Int64(taskCount)))
    case .transfers(let views, let isComplete):
      self = .listed(.init(tasks: views.map(AppInterface.Task.init), complete: isComplete))
    case .resumed(_, let point):
      self = .resumed(.init(token: call.remnant ?? "", offset: point.offset, length: point.length))
    case .left(let remnant): self = .left(remnant.map(AppInterface.Remnant.init))
    case .refused(let refusal): self = .refused(Nightjar.Refusal(refusal))
    default: self = .done
    }
  }
}

extension Call {
  /// What a task that is queued goes on with.
  fileprivate var remnant: String? { if case .enqueue(let asked) = self { asked.task.remnant } else { nil } }
}

extension Nightjar.Refusal {
  fileprivate init(_ refusal: NightjarCore.Refusal) {
    switch refusal {
    case .notAttached: self = .notAttached
    case .invalid(let field, let reason): self = .invalidRequest(field: field, reason: reason)
    case .limitReached(let what, let limit): self = .limitReached(what: what, limit: Int64(limit))
    case .sessionInUse(_, let pid): self = .sessionInUse(pid: Int64(pid))
    case .sessionNotOpen: self = .sessionNotOpen
    case .noSuchTask: self = .noSuchTask
    case .sessionHasTasks: self = .sessionHasTasks
    default: self = .other(name: "\(refusal)")
    }
  }
}

extension Fact {
  /// A message of the supervisor to an app.
  init(_ message: Message) {
    switch message {
    case .handleEvents(let session): self = .handleEvents(session: session)
    case .eventsFinished(let session): self = .eventsFinished(session: session)
    case .enterBackground(let number, let remaining): self = .moved(.background(number: number, remaining: remaining))
    case .enterForeground: self = .moved(.foreground)
    case .expireBackgroundTasks: self = .moved(.expiry)
    case .acted(let action): self = .moved(.acted(.init(action: action.name, fields: action.fields)))
    case .memoryWarning: self = .moved(.shortage)
    case .standing(let standing): self = .standing(.init(standing))
    case .noticed(let noticed): self = .notified(.init(noticed))
    case .performFetch(let number, let remaining): self = .sent(.fetch(number: number, remaining: remaining))
    case .performRequestedTask(let number, let kind, let identifier, let remaining):
      self = .sent(
        .task(
          .init(
            number: number, identifier: identifier, kind: .init(kind), remainingMs: remaining.wholeMilliseconds)))
    case .expireRequestedTask(let number): self = .sent(.expiry(number: number))
    case .progressed(let session, let task, let count, let expected):
      self = .progressed(.init(session: session, task: Int64(task), count: count, expected: expected))
    case .informed(let session, let task, let response):
      self = .informed(.init(session: session, task: Int64(task), response: .init(response)))
    case .ended(let ended): self = .ended(.init(ended))
    case .asked(let asked):
      self = .asked(
        .init(number: asked.number, session: asked.session, task: Int64(asked.task), asked.question))
    }
  }
}

extension AppInterface.Ended {
  init(_ ended: Message.Ended) {
    self.init(
      number: ended.number, session: ended.session, task: Int64(ended.task), count: ended.count,
      expected: ended.expected, metrics: ended.metrics.map(WireMetrics.init),
      remnant: ended.remnant.map(AppInterface.Remnant.init))
    take(ended.outcome, deliveredTo: ended.destination)
  }
}

extension AppInterface.Task {
  init(_ view: TransferView) {
    let state: State =
      switch view.state {
      case .queued, .running, .waiting, .asking, .delivering: .running
      case .suspended: .suspended
      case .succeeded, .failed: .ended
      }
    self.init(view.request, state: state, count: view.count, expected: view.expected, response: view.response)
  }
}

extension AppInterface.Notified {
  init(_ noticed: Message.Noticed) {
    self.init(number: noticed.id.rawValue, notification: .init(noticed.request), tapped: noticed.isTapped)
  }
}
