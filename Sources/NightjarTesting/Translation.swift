import Nightjar
import NightjarCore
import NightjarModel
import NightjarWire

// Translates between the library's types, which are the protocol's, and the supervisor's.

extension AppCall {
  /// The supervisor's form of a call of the library. `number` numbers the calls.
  ///
  /// - Throws: `InvalidRequest` for a call that the daemon would refuse as invalid.
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
      self = .cancelNotices(
        try asked.requestKeys(), like: asked.likes(of: app), named: asked.identifiers ?? [], only: asked.place)
    case .listNotifications: self = .listNotices
    case .setBadge(let asked): self = .setBadge(Int(clamping: asked.count))
    case .takeNotification(let asked): self = .takeNotice(NoticeID(asked.number), shows: asked.showing)
    case .openSession(let asked):
      self = .openSession(
        asked.session, sendsLaunchEvents: asked.sendsLaunchEvents, asks: asked.asks, isHandling: asked.isHandling)
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
    case .forgetDecisions(let asked): self = .forgetDecisions(asked.session)
    case .closeSession(let asked): self = .closeSession(asked.session, cancel: asked.cancel)
    }
  }
}

extension Nightjar.Answer {
  /// The library's form of the supervisor's answer to a call.
  init(_ answer: NightjarCore.Answer, to call: Call) {
    switch answer {
    case .scheduled(let requests, let shown):
      self = .notifications(
        .init(
          notifications: requests.map(AppInterface.Notification.init),
          shown: shown.map { AppInterface.ShownNotification($0.request, firedAt: $0.firedAt) }))
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
  /// The remnant that a queued task goes on with.
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
    case .notDeclared(let app, let mode):
      let error = AppInterface.NotDeclared(mode, of: app)
      self = .notDeclared(mode: error.mode, hint: error.hint)
    case .noSuchApp: self = .notAttached
    case .nameRefused, .noSuchTransfer, .noSuchNotice, .notABundle, .notRunning, .notInForeground, .launchFailed,
      .wrongState, .fetchRefused:
      preconditionFailure("an app's call was refused with \(refusal)")
    }
  }
}

extension AppInterface.Task {
  init(_ view: TransferView) {
    self.init(
      view.request, isSuspended: view.state == .suspended, isEnded: view.isOver, count: view.count,
      expected: view.expected, response: view.response)
  }
}
