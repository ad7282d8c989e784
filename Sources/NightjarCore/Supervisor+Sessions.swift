import NightjarModel

/// Sessions, which processes open, hold and close.
extension Supervisor {
  mutating func openSession(
    _ name: String, sendsLaunchEvents: Bool, asks: Asks, isHandling: Bool, by caller: Caller, at now: Age,
    into turn: inout Turn
  ) throws(Refusal) -> Answer {
    guard !name.isEmpty, name.utf8.count <= Limits.identifierBytesMax else {
      throw .invalid(field: "session", reason: "an identifier has 1 to \(Limits.identifierBytesMax) bytes")
    }
    let connection = try connection(of: caller)
    if apps[caller.app]?.open[name] != nil { _ = try heldSession(name, by: caller) }
    let id = SessionID(app: caller.app, identifier: name)
    if sessions[id] == nil { try makeRoomForSession(of: id.app, into: &turn) }
    var session = sessions[id] ?? Session(SessionRecord(id: id))
    let isOther = session.record.sendsLaunchEvents != sendsLaunchEvents || session.record.asks != asks
    if sessions[id] == nil || isOther {
      (session.record.sendsLaunchEvents, session.record.asks) = (sendsLaunchEvents, asks)
      turn.changes.keep(session.record)
    }
    sessions[id] = session
    transfers.setAsks(asks, of: id)
    forgiveUnopened(id, into: &turn)
    take(name, by: caller.app, holder: connection, isHandling: isHandling, at: now, into: &turn)
    let nextTask = min(session.record.nextTask, TransferRequest.taskMax + 1)  // Earlier versions took higher ones.
    return .session(nextTask: nextTask, taskCount: session.tasks.count)
  }

  /// Gives an app a session. An app that is at its events, and was about to stand still, runs on for them.
  private mutating func take(
    _ name: String, by id: AppID, holder: ConnectionID, isHandling: Bool, at now: Age, into turn: inout Turn
  ) {
    guard var app = apps[id] else { return }
    let end = isHandling ? app.claimEvents(at: now, until: now + limits.eventsTimeout) : nil
    if end != nil { runOn(&app, "for the events of session '\(name)'", at: now, into: &turn) }
    app.take(name, holder: holder, isHandling: isHandling, by: end)
    apps[id] = app
    touch(id, into: &turn)
  }

  func listTasks(of name: String, after: Int, by caller: Caller, at now: Age) throws(Refusal) -> Answer {
    let session = try heldSession(name, by: caller)
    let page = sessions[session]?.tasks.entries(after: after, limit: limits.listMax + 1) ?? []
    return list(page.map(\.value), atMost: limits.listMax, at: now)
  }

  /// A session's completion handler was called. What the app shows by then is its snapshot.
  mutating func finishEvents(of session: String, by id: AppID, into turn: inout Turn) {
    let wasHandling = apps[id]?.handling[session] != nil
    apps[id]?.handling[session] = nil
    if wasHandling, apps[id]?.runsInBackground == true { takeSnapshot(of: id, into: &turn) }
    touch(id, into: &turn)
  }

  mutating func closeSession(
    _ name: String, cancel: Bool, by caller: Caller, into turn: inout Turn
  ) throws(Refusal) {
    let id = try heldSession(name, by: caller)
    let tasks = sessions[id]?.tasks.values ?? []
    guard cancel || tasks.isEmpty else { throw .sessionHasTasks(name, count: tasks.count) }
    for task in tasks { abandon(task, of: caller.app, into: &turn) }
    forget(id, into: &turn)
    touch(caller.app, into: &turn)
  }

  /// Forgets a transfer and whatever was to be told about it.
  mutating func abandon(_ id: TransferID, of app: AppID, into turn: inout Turn) {
    if let number = apps[app]?.wakes.number(of: id) { dropWake(number, of: app, into: &turn) }
    drop(id, into: &turn)
  }
}
