import NightjarModel

/// Who is attached, and what apps and programs ask for.
extension Supervisor {
  /// Attaches a client, or says why not.
  mutating func attach(_ attachment: Attachment, at now: Age, into turn: inout Turn) -> Answer {
    let id = attachment.caller.app
    if let other = appOfConnection[attachment.connection], other != id {
      return .refused(.nameRefused(id.rawValue, reason: "this connection is attached as \(other) already"))
    }
    if let relaunch = attachment.relaunch {
      if let refusal = register(id, relaunch: relaunch, into: &turn) { return .refused(refusal) }
    }
    guard var app = apps[id] else { return .refused(.noSuchApp(id)) }
    let isReturning = app.run.isAdopted && app.run.hasAttached
    enter(attachment, &app, into: &turn)
    liveOn(&app, with: attachment.caller, at: now, into: &turn)
    let answer = welcome(&app, attachment, isReturning: isReturning)
    apps[id] = app
    touch(id, into: &turn)
    return answer
  }

  /// The client is attached from now on.
  private mutating func enter(_ attachment: Attachment, _ app: inout App, into turn: inout Turn) {
    app.attachments[attachment.connection] = attachment
    (app.unheardArguments, app.run.hasAttached, app.run.isAdopted) = (nil, true, false)
    rememberAttached(&app, into: &turn)
    appOfConnection[attachment.connection] = app.id
    app.interrupted = .init()
  }

  /// What it means for an app's life that one of its processes has attached.
  private mutating func liveOn(_ app: inout App, with caller: Caller, at now: Age, into turn: inout Turn) {
    switch app.life {
    case .launching(let pid, _):  // Another process of a program may attach before the one that was launched runs.
      app.life = .running(pid: app.isBundle ? pid ?? caller.pid : pid)
    case .notRunning where app.isBundle:
      (app.life, app.run.isStray) = (.running(pid: caller.pid), true)
    case .notRunning:  // A program that nobody relaunched: a person has started it.
      unpark(&app, into: &turn)
    case .suspending, .suspended:  // It has to hear where it is.
      runOn(&app, "since it attached again", at: now, into: &turn)
    case .running where isSecond(caller, of: app):
      unpark(&app, into: &turn)
    case .running, .ending:
      break
    }
  }

  /// Tells a client that has attached where its app stands. `isReturning`: it was attached to an earlier daemon.
  private func welcome(_ app: inout App, _ attachment: Attachment, isReturning: Bool) -> Answer {
    let isBackground = app.isBundle && app.record.isBackground
    let isLeader = app.ear.map { app.attachments[$0]?.caller.pid == attachment.caller.pid } ?? false
    let transition =
      isBackground && isLeader
      ? app.arrive(within: limits.eventsTimeout, of: moment.awake, isReturning: isReturning) : nil
    let standing = app.isBundle ? self.standing(of: app) : nil
    if app.isBundle, app.ear == attachment.connection {
      app.run.briefing = Briefing(ear: attachment.connection, time: civilTime.mark, standing: standing)
    }
    return .attached(
      life: app.record.life, isBackground: isBackground, transition: transition, standing: standing,
      noticed: isLeader ? tappedNotice(of: app.id) : nil)
  }

  /// Whether a program's process attaches beside the launched one, which is attached: a person has started it, too.
  private func isSecond(_ caller: Caller, of app: App) -> Bool {
    !app.isBundle && caller.pid != app.pid && app.attachments.values.contains { $0.caller.pid == app.pid }
  }

  /// Writes down that this life has attached, for a later daemon that may have to adopt it.
  private func rememberAttached(_ app: inout App, into turn: inout Turn) {
    guard app.isBundle, app.record.attachedLife != app.record.life else { return }
    app.record.attachedLife = app.record.life
    turn.changes.keep(app.record)
  }

  /// Registers a program under its name.
  private mutating func register(_ id: AppID, relaunch: [String], into turn: inout Turn) -> Refusal? {
    guard AppID.isValid(id.rawValue), id != .commandLine else {
      let rule = "use 1 to 128 letters, digits, '.', '-' and '_', starting with a letter or a digit"
      return .nameRefused(id.rawValue, reason: rule)
    }
    if apps[id]?.isBundle == true {
      return .nameRefused(id.rawValue, reason: "an installed app has this name")
    }
    guard !relaunch.contains(where: { $0.utf8.contains(0) }) else {
      return .invalid(field: "relaunch", reason: "no part of a command has a NUL in it")
    }
    guard relaunch.reduce(0, { $0 + $1.utf8.count + 1 }) <= Limits.relaunchBytesMax else {
      return .invalid(field: "relaunch", reason: "a command has at most \(Limits.relaunchBytesMax) bytes in all")
    }
    if apps[id] == nil, !makeRoomForProgram(into: &turn) {
      return .limitReached(what: "apps and programs", limit: limits.appsMax)
    }
    let installed = InstalledApp(id: id, displayName: id.rawValue, kind: .program(relaunch: relaunch))
    guard apps[id]?.record.installed != installed else { return nil }
    var record = apps[id]?.record ?? AppRecord(installed: installed)
    record.installed = installed
    if apps[id] == nil { apps[id] = App(record) } else { apps[id]?.record = record }
    turn.changes.keep(record)
    claim(id, into: &turn)
    return nil
  }

  /// A client's connection has closed.
  mutating func detach(_ connection: ConnectionID, _ circumstances: Circumstances, into turn: inout Turn) {
    guard let id = appOfConnection.removeValue(forKey: connection), var taken = apps.take(id) else { return }
    taken.app.detach(connection)
    guard stage != .stopping else { return apps.put(taken) }  // The daemon hangs up, and running apps live on.
    outlive(connectionOf: &taken.app, circumstances, into: &turn)
    apps.put(taken)
    touch(id, into: &turn)
  }

  /// Decides what becomes of an app whose connection has closed.
  private mutating func outlive(
    connectionOf app: inout App, _ circumstances: Circumstances, into turn: inout Turn
  ) {
    if app.attachments.isEmpty, app.run.isStray {
      finishLife(&app, .exited, "closed its connection", circumstances, into: &turn)
    } else if app.attachments.isEmpty, app.runsInBackground {
      app.life = .launching(pid: app.pid, by: circumstances.now + limits.attachTimeout)  // It exits, or comes back.
    }
    if app.attachments.isEmpty, !app.isBundle { dropView(of: &app, into: &turn) }  // Its end may never be heard of.
    endOrphan(&app, at: circumstances.now, into: &turn)
  }

  mutating func touch(_ id: AppID, into turn: inout Turn) {
    disturb(id)
    turn.touchedApps.append(id)
  }

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

  private mutating func openSession(
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

  private func listTasks(of name: String, after: Int, by caller: Caller, at now: Age) throws(Refusal) -> Answer {
    let session = try heldSession(name, by: caller)
    let page = sessions[session]?.tasks.entries(after: after, limit: limits.listMax + 1) ?? []
    return list(page.map(\.value), atMost: limits.listMax, at: now)
  }

  func transfer(_ name: String, _ task: Int, by caller: Caller) throws(Refusal) -> TransferID {
    let session = try heldSession(name, by: caller)
    guard let id = sessions[session]?.tasks[task] else { throw .noSuchTask(name, task: task) }
    return id
  }

  /// A session's completion handler was called. What the app shows by then is its snapshot.
  private mutating func finishEvents(of session: String, by id: AppID, into turn: inout Turn) {
    let wasHandling = apps[id]?.handling[session] != nil
    apps[id]?.handling[session] = nil
    if wasHandling, apps[id]?.runsInBackground == true { takeSnapshot(of: id, into: &turn) }
    touch(id, into: &turn)
  }

  private mutating func acknowledge(_ number: Int64, by app: AppID, into turn: inout Turn) {
    guard apps.contains(app), apps[there: app].wakes[number]?.isQuestion == false,
      let wake = dropWake(number, of: app, into: &turn)
    else {
      return  // A repetition, or a question, which only an answer settles.
    }
    drop(wake.transfer, into: &turn)
    if apps.contains(app) {
      apps[there: app].hasAcknowledged = true
      apps[there: app].acknowledgeBy = nil  // It gets on: the next deadline runs from now.
    }
    forgive(app, into: &turn)
  }

  /// The app's past failures no longer count.
  mutating func forgive(_ id: AppID, into turn: inout Turn) {
    guard apps.contains(id), apps[there: id].record.failures > 0 || apps[there: id].record.notBefore != nil else {
      return
    }
    (apps[there: id].record.failures, apps[there: id].record.notBefore) = (0, nil)
    turn.changes.keep(apps[there: id].record)
  }

  /// The staged file of an event is damaged: a download is made again if it may be, an upload's reply is lost.
  private mutating func redo(_ number: Int64, by app: AppID, at now: Age, into turn: inout Turn) {
    // A failed or delivered transfer has no staged file.
    guard let told = apps[app]?.wakes[number], !told.isQuestion, let transfer = transfers[told.transfer],
      transfer.request.destination == nil, case .ended(.succeeded, _) = transfer.state.phase,
      let wake = dropWake(number, of: app, into: &turn)
    else { return }
    apps[app]?.acknowledgeBy = nil
    if transfer.request.direction == .download { transfers.renew(wake.transfer, at: now, into: &turn) }
    turn.deeds.append(.note(app, "the staged file of transfer \(wake.transfer) was damaged"))
    let circumstances = circumstances(at: now)
    transfers.change(wake.transfer, into: &turn) { state in
      if transfer.request.direction == .download {
        let damage = TransferFailure(.cannotReadSource, "its staged file was damaged")
        state.beginAgain(after: damage, for: transfer.request, circumstances)
      } else {
        state.phase = .ended(
          .failed(TransferFailure(.cannotWrite, "the server's reply was damaged on the disk")), at: now)
      }
      return true
    }
  }

  private mutating func closeSession(
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
