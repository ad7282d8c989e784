import NightjarModel

/// What apps and programs may call, and who may call it.
extension Supervisor {
  /// Does what an app asks for.
  mutating func perform(_ call: AppCall, by caller: Caller, at now: Age, into turn: inout Turn) -> Answer {
    do throws(Refusal) {
      switch call {
      case .openSession(let name, let sendsLaunchEvents, let asks, let isHandling):
        return try openSession(
          name, sendsLaunchEvents: sendsLaunchEvents, asks: asks, isHandling: isHandling, by: caller, at: now,
          into: &turn)
      case .listTasks(let name, let after):
        return try listTasks(of: name, after: after, by: caller, at: now)
      case .enqueue(let request, let isSuspended, let remnant):
        return try enqueue(request, isSuspended: isSuspended, remnant: remnant, by: caller, at: now, into: &turn)
      case .suspend(let name, let task):
        suspend(try transfer(name, task, by: caller), into: &turn)
      case .resume(let name, let task):
        resume(try transfer(name, task, by: caller), into: &turn)
      case .cancel(let name, let task):
        cancel(try transfer(name, task, by: caller), at: now, into: &turn)
      case .update(let name, let task, let changes):
        try update(try transfer(name, task, by: caller), changes, at: now, into: &turn)
      case .cancelKeeping:
        preconditionFailure("it is answered when the attempt has stopped")
      case .acknowledge(let numbers):
        for number in numbers { acknowledge(number, by: caller.app, into: &turn) }
      case .decide(let number, let decision, let asks):
        if let asks { narrowAsks(asks, ofQuestion: number, by: caller.app, into: &turn) }
        decide(number, decision, by: caller.app, at: now, into: &turn)
      case .reportDamage(let number):
        redo(number, by: caller.app, at: now, into: &turn)
      case .finishEvents(let name):
        finishEvents(of: name, by: caller.app, into: &turn)
      case .forgetDecisions(let name):
        let session = try heldSession(name, by: caller)
        transfers.forgetDecisions(of: session)
      case .closeSession(let name, let cancel):
        try closeSession(name, cancel: cancel, by: caller, into: &turn)
      case .entered(let number):
        enter(number, by: caller.app, into: &turn)
      case .beginBackgroundTask(let number, let name):
        try beginBackgroundTask(number, name, by: caller, at: now, into: &turn)
      case .endBackgroundTask(let number):
        try endBackgroundTask(number, by: caller, into: &turn)
      case .show(let view, let byteCount):
        try show(view, byteCount: byteCount, by: caller, into: &turn)
      case .ignoreSnapshot:
        ignoreSnapshot(of: caller.app, into: &turn)
      case .schedule(let requests, let replaces):
        try schedule(requests, replaces: replaces, by: caller, into: &turn)
      case .cancelNotices(let keys, let like, let names, let place):
        try cancelNotices(keys, like: like, named: names, only: place, by: caller, into: &turn)
      case .listNotices:
        return .scheduled(try scheduledNotices(of: caller), shown: try shownNotices(of: caller))
      case .setBadge(let badge):
        try setBadge(badge, by: caller, into: &turn)
      case .takeNotice(let id, let showing):
        takeNotice(id, shows: showing, by: caller, into: &turn)
      case .setFetchInterval(let interval):
        try setFetchInterval(interval, by: caller, at: now, into: &turn)
      case .finishFetch(let number, let outcome):
        try finishFetch(number, outcome, by: caller, at: now, into: &turn)
      case .submit(let request):
        try submit(request, by: caller, at: now, into: &turn)
      case .cancelRequests(let identifier):
        cancelRequests(identifier, of: caller.app, into: &turn)
      case .listRequests:
        return .requests(fetches.pending(of: caller.app))
      case .finishRequestedTask(let number, let success):
        finishErrand(number, success ? .newData : .failed, of: caller.app, at: now, into: &turn)
      }
      return .done
    } catch {
      return .refused(error)
    }
  }

  /// The connection through which a process of an app is attached.
  func connection(of caller: Caller) throws(Refusal) -> ConnectionID {
    let clients = apps[caller.app]?.attachments.values ?? []
    guard let client = clients.last(where: { $0.caller.pid == caller.pid }) else { throw .notAttached(caller.app) }
    return client.connection
  }

  /// The session that a process holds open.
  func heldSession(_ name: String, by caller: Caller) throws(Refusal) -> SessionID {
    guard let app = apps[caller.app], let open = app.open[name] else { throw .sessionNotOpen(name) }
    if let holder = app.attachments[open.holder]?.caller.pid, holder != caller.pid {
      throw .sessionInUse(name, pid: holder)
    }
    return SessionID(app: caller.app, identifier: name)
  }

  func transfer(_ name: String, _ task: Int, by caller: Caller) throws(Refusal) -> TransferID {
    let session = try heldSession(name, by: caller)
    guard let id = sessions[session]?.tasks[task] else { throw .noSuchTask(name, task: task) }
    return id
  }

  mutating func touch(_ id: AppID, into turn: inout Turn) {
    disturb(id)
    turn.touchedApps.append(id)
  }
}
