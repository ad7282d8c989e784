import NightjarModel

/// What Linux says of apps' lives, and what comes of it.
extension Supervisor {
  /// Takes in a fact about an app's life; one about an earlier life is late.
  mutating func learn(
    _ fact: AppFact, of id: AppID, life: Int, _ circumstances: Circumstances, into turn: inout Turn
  ) {
    guard var app = apps[id], app.record.life == life else { return }
    switch (fact, app.life) {
    case (.launched(let pid), .launching(_, let by)):
      app.life = app.isBundle ? .launching(pid: pid, by: by) : .running(pid: pid)
      answerLaunch(&app, .launched(pid: pid), into: &turn)
    case (.launched(let pid), .running):
      app.life = .running(pid: pid)
      answerLaunch(&app, .launched(pid: pid), into: &turn)
    case (.launched(let pid), .ending(_, let by)):
      app.life = .ending(pid: pid, by: by)
    case (.launchFailed(let failure), .launching), (.launchFailed(let failure), .ending):
      answerLaunch(&app, .refused(.launchFailed(id, failure)), into: &turn)
      finishLife(&app, "could not be launched: \(failure.detail)", isCrash: false, circumstances, into: &turn)
    case (.exited(let status, let isCrash), .launching), (.exited(let status, let isCrash), .running),
      (.exited(let status, let isCrash), .ending):
      let failure = LaunchFailure(.refused, "it \(status) at once")
      answerLaunch(&app, .refused(.launchFailed(id, failure)), into: &turn)
      finishLife(&app, status, isCrash: isCrash, circumstances, into: &turn)
    case (.launched, .notRunning), (.launchFailed, .notRunning), (.launchFailed, .running), (.exited, .notRunning):
      return  // Late: this life is already over.
    }
    apps[id] = app
    touch(id, into: &turn)
  }

  /// A life that an earlier daemon began goes on: its clients attach again, or it is over.
  mutating func adopt(_ id: AppID, life: Int, pid: Int32, at now: Age, into turn: inout Turn) {
    guard var app = apps[id], app.record.life == life, app.life == .notRunning else {
      turn.deeds.append(.end(id, life: life, politely: false))
      return
    }
    let by = now + limits.attachTimeout
    app.life = app.record.isBackground && app.isBundle ? .launching(pid: pid, by: by) : .running(pid: pid)
    apps[id] = app
    turn.deeds.append(.note(id, "life \(life) goes on as process \(pid)"))
    touch(id, into: &turn)
  }

  /// A bundle stands on the disk. If it was replaced on request, the old one ends.
  mutating func install(_ installed: InstalledApp, _ ticket: Ticket?, at now: Age, into turn: inout Turn) {
    var app = apps[installed.id] ?? App(AppRecord(installed: installed))
    if apps[installed.id] == nil || app.record.installed != installed {
      app.record.installed = installed
      turn.changes.keep(app.record)
    }
    if ticket != nil, app.life != .notRunning { end(&app, politely: true, at: now, into: &turn) }
    apps[installed.id] = app
    touch(installed.id, into: &turn)
    if let ticket { turn.deeds.append(.answer(ticket, .app(view(of: app, at: now)))) }
  }

  /// Brings up an app that does not run.
  mutating func launch(_ app: inout App, isBackground: Bool, arguments: [String], at now: Age, into turn: inout Turn) {
    precondition(app.life == .notRunning, "app \(app.id) was launched while it is \(app.life)")
    app.record.life += 1
    app.record.isBackground = isBackground
    app.hasAcknowledged = false
    app.life = .launching(pid: nil, by: now + limits.attachTimeout)
    turn.changes.keep(app.record)
    turn.deeds.append(
      .launch(
        LaunchOrder(
          app: app.record.installed, life: app.record.life, isBackground: isBackground, arguments: arguments)))
    turn.deeds.append(
      .note(app.id, "life \(app.record.life) begins in the \(isBackground ? "background" : "foreground")"))
  }

  /// Asks an app to end, or kills it.
  func end(_ app: inout App, politely: Bool, at now: Age, into turn: inout Turn) {
    if case .ending = app.life, politely { return }
    app.life = .ending(pid: app.pid, by: now + limits.endTimeout)
    turn.deeds.append(.end(app.id, life: app.record.life, politely: politely))
  }

  private func answerLaunch(_ app: inout App, _ answer: Answer, into turn: inout Turn) {
    guard app.relaunchArguments == nil else { return }  // They wait for the next life.
    for ticket in app.launchTickets { turn.deeds.append(.answer(ticket, answer)) }
    app.launchTickets = []
  }

  /// The last process of a life is gone.
  private mutating func finishLife(
    _ app: inout App, _ status: String, isCrash: Bool, _ circumstances: Circumstances, into turn: inout Turn
  ) {
    app.lastEnd = status
    turn.deeds.append(.note(app.id, "life \(app.record.life) is over: it \(status)"))
    if isCrash { charge(&app, into: &turn) }
    if !app.hasAcknowledged, !app.wakes.isEmpty {
      app.record.failures += 1
      let delay = limits.relaunch.delay(afterFailures: app.record.failures, entropy: circumstances.entropy)
      app.record.notBefore = circumstances.now + delay
      turn.changes.keep(app.record)
    }
    app.life = .notRunning
    for (connection, _) in app.attachments.entries(after: nil, limit: .max) {
      app.detach(connection)
      appOfConnection[connection] = nil
    }
    if let arguments = app.relaunchArguments {
      app.relaunchArguments = nil
      launch(&app, isBackground: false, arguments: arguments, at: circumstances.now, into: &turn)
    }
  }

  /// Counts a crash against the events that the app was most likely handling.
  func charge(_ app: inout App, into turn: inout Turn) {
    for session in app.wakes.sessions where app.handling[session] != nil || app.wakes.isInFlight(session) {
      guard var wake = app.wakes.first(session) else { continue }
      wake.crashes += 1
      app.wakes.keep(wake, crashesMax: limits.crashesMax)
      turn.changes.keep(wake)
      guard wake.crashes == limits.crashesMax else { continue }
      turn.deeds.append(
        .note(
          app.id, "event \(wake.number) of session '\(session)' is parked: it has crashed the app \(wake.crashes) times"
        ))
    }
  }

  /// Forgets an app with all that is its.
  mutating func forget(_ id: AppID, into turn: inout Turn) {
    guard let app = apps[id] else { return }
    for transfer in transfers.ofApp[id]?.entries(after: nil, limit: .max) ?? [] { drop(transfer.key, into: &turn) }
    for number in app.wakes.allNumbers { turn.changes.removeWake(number) }
    for session in sessions.keys.filter({ $0.app == id }).sorted() {
      sessions[session] = nil
      turn.changes.remove(session)
    }
    for (connection, _) in app.attachments.entries(after: nil, limit: .max) { appOfConnection[connection] = nil }
    apps[id] = nil
    agenda.set(id, due: nil)
    turn.changes.remove(id)
    turn.touchedApps.append(id)
  }
}
