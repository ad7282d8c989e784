import NightjarModel

/// What Linux reports about apps' lives, and what follows from it.
extension Supervisor {
  /// Takes in a fact about an app's life; one about an earlier life is late.
  mutating func learn(
    _ fact: AppFact, of id: AppID, life: Int, _ circumstances: Circumstances, into turn: inout Turn
  ) {
    guard var taken = apps.take(id) else { return }
    let isNew = taken.app.record.life == life && learn(fact, of: &taken.app, circumstances, into: &turn)
    apps.put(taken)
    guard isNew else { return }
    if case .suspended = apps[there: id].life { showUntaken(of: id, into: &turn) }
    restless[id] = ()
    turn.touchedApps.append(id)
  }

  /// Takes in a fact about an app's present life. False if it is late and changes nothing.
  private mutating func learn(
    _ fact: AppFact, of app: inout App, _ circumstances: Circumstances, into turn: inout Turn
  ) -> Bool {
    switch (fact, app.life) {
    case (.launched(let pid), .launching(_, let by)):
      app.life = .launching(pid: pid, by: by)
      answerLaunch(&app, .launched(pid: pid), into: &turn)
    case (.launched(let pid), .running):
      (app.life, app.run.isStray) = (.running(pid: pid), false)
      answerLaunch(&app, .launched(pid: pid), into: &turn)
    case (.launched(let pid), .ending(_, let by)):
      app.life = .ending(pid: pid, by: by)
    case (.suspended(let stint, true), .suspending(let pid, _)) where stint == app.stint:
      suspended(&app, pid: pid, at: circumstances.now, into: &turn)
    case (.locked(let stint, let path), .suspending) where stint == app.stint:
      endLocked(&app, path, at: circumstances.now, into: &turn)
    case (.orphaned, .launching), (.orphaned, .running), (.orphaned, .suspending), (.orphaned, .suspended):
      orphaned(&app, at: circumstances.now, into: &turn)
    case (.inspected(let tracer), _):
      learnTracer(tracer, of: &app, at: circumstances.now, into: &turn)
    case (.metered(let errand, let cpu, let received, let sent), _):
      learnMeter(errand, Errand.Reading(cpu: cpu, received: received, sent: sent), of: &app, into: &turn)
    case (.suspended(let stint, false), .suspending) where stint == app.stint:
      giveUpSuspending(&app, at: circumstances.now, into: &turn)
    case (.launchFailed(let failure), .launching), (.launchFailed(let failure), .running(nil)),
      (.launchFailed(let failure), .ending):
      answerLaunch(&app, .refused(.launchFailed(app.id, failure)), into: &turn)
      finishLife(&app, .failed, "could not be launched: \(failure.detail)", circumstances, into: &turn)
    case (.exited(let status, let isCrash), .launching), (.exited(let status, let isCrash), .running),
      (.exited(let status, let isCrash), .suspending), (.exited(let status, let isCrash), .suspended),
      (.exited(let status, let isCrash), .ending):
      exited(&app, status, isCrash: isCrash, circumstances, into: &turn)
    case (.launched, .notRunning), (.launchFailed, .notRunning), (.launchFailed, .running), (.exited, .notRunning),
      (.launched, .suspending), (.launched, .suspended), (.launchFailed, .suspending), (.launchFailed, .suspended),
      (.suspended, _), (.locked, _), (.orphaned, .notRunning), (.orphaned, .ending):
      return false  // Late: this life is already over, or further on.
    }
    return true
  }

  /// All processes of an app stand still.
  private func suspended(_ app: inout App, pid: Int32?, at now: Age, into turn: inout Turn) {
    app.life = .suspended(pid: pid)
    dropView(of: &app, into: &turn)
    app.suspendedAt = now
    // An adopted app is suspended once more: it has its entry already.
    if app.history.entries.last?.kind != .suspended { remember(.suspended, "is suspended", of: &app, into: &turn) }
  }

  /// An app's first process is gone, while others of it live on.
  private func orphaned(_ app: inout App, at now: Age, into turn: inout Turn) {
    app.run.isOrphaned = true
    if app.run.isAdopted, case .running(let pid) = app.life {  // Its others may be about to attach to this daemon.
      app.life = .launching(pid: pid, by: now + limits.attachTimeout)
    }
    endOrphan(&app, at: now, into: &turn)
  }

  /// No process of an app is left.
  private mutating func exited(
    _ app: inout App, _ status: String, isCrash: Bool, _ circumstances: Circumstances, into turn: inout Turn
  ) {
    let failure = LaunchFailure(.refused, "it \(status) at once")
    answerLaunch(&app, .refused(.launchFailed(app.id, failure)), into: &turn)
    // An orphan's status tells how its first process ended. Once others end the app, nobody is charged for that crash.
    let kind = isCrash && !(app.run.isOrphaned && app.wasEndedByOthers) ? HistoryEntry.Kind.crashed : .exited
    finishLife(&app, kind, status, circumstances, into: &turn)
  }

  /// Takes over a life that an earlier daemon began: its clients attach again, or it is over.
  mutating func adopt(_ id: AppID, life: Int, pid: Int32, isFrozen: Bool, at now: Age, into turn: inout Turn) {
    guard var app = apps[id], app.record.life == life else {
      turn.deeds.append(.end(id, life: life, politely: false))
      return
    }
    if app.life == .notRunning, isFrozen, app.isBundle, app.record.isBackground {
      app.life = .running(pid: pid)
      suspend(&app, at: now, into: &turn)  // Once more: the daemon may have died before it looked for locks.
    } else if app.life == .notRunning, app.isBundle, app.record.isBackground {
      app.life = .launching(pid: pid, by: now + limits.attachTimeout)
      // When it left the foreground is not remembered: it rather gets too much time than too little.
      app.run.backgroundTasks.startClock(awake: moment.awake, limits)
    } else if app.life == .notRunning || app.run.isStray {  // It may have attached before it was found.
      (app.life, app.run.isStray) = (.running(pid: pid), false)
    }
    app.run.isAdopted = app.attachments.isEmpty
    app.run.hasAttached = app.run.hasAttached || app.record.attachedLife == life
    if app.isBundle, !app.isSuspended { turn.deeds.append(.thaw(id, life: life)) }  // A freeze may be under way.
    // Its bundle was found to be gone while it was not yet known to run, or the earlier daemon was removing it.
    if app.removalTickets != nil || app.reasonOfEnd == .removed {
      prepareRemoval(&app, at: now, into: &turn)
    } else if app.record.card.isRemoved || app.reasonOfEnd != nil {
      end(&app, politely: true, at: now, into: &turn)  // The earlier daemon was killed before it had ended it.
    }
    apps[id] = app
    if app.isInForeground { comeToFront(id, at: now, into: &turn) }
    turn.deeds.append(.note(id, "life \(life) goes on as process \(pid)"))
    touch(id, into: &turn)
  }

  /// Brings up an app that does not run.
  mutating func launch(_ app: inout App, isBackground: Bool, arguments: [String], at now: Age, into turn: inout Turn) {
    precondition(app.life == .notRunning, "app \(app.id) was launched while it is \(app.life)")
    app.record.life += 1
    app.record.isBackground = isBackground
    if !isBackground {
      comeToFront(app.id, at: now, into: &turn)
      use(&app)
      learnOpened(app.id, at: now)
    }
    (app.run, app.hasAcknowledged) = (Run(), false)
    app.life = .launching(pid: nil, by: now + limits.attachTimeout)
    turn.changes.keep(app.record)
    turn.deeds.append(
      .launch(
        LaunchOrder(
          app: app.record.installed, life: app.record.life, isBackground: isBackground, arguments: arguments)))
    let occasion = isBackground ? "into the background, \(purpose(app, at: now))" : "by a person"
    remember(.launched, "is launched \(occasion)", of: &app, into: &turn)
  }

  /// Asks an app to end, or kills it.
  func end(_ app: inout App, politely: Bool, at now: Age, into turn: inout Turn) {
    if case .ending = app.life, politely { return }
    let politely = politely && !app.isSuspended  // A suspended app is not told of its end, as on iOS.
    app.life = .ending(pid: app.pid, by: now + limits.endTimeout)
    app.unheardArguments = nil
    turn.deeds.append(.end(app.id, life: app.record.life, politely: politely))
  }

  /// Ends what is left of an app whose first process is gone, if none of it is attached: it can neither be told
  /// anything nor be shown to a person, who gets it anew. An app that never attached lives on in its other processes.
  /// One that an earlier daemon began has its time to attach again, which stands still while it is suspended.
  func endOrphan(_ app: inout App, at now: Age, into turn: inout Turn) {
    guard isDeafOrphan(app) else { return }
    switch app.life {
    case .notRunning, .ending: return
    case .launching, .suspending, .suspended: if app.run.isAdopted { return }
    case .running: break
    }
    app.relaunchArguments = app.relaunchArguments ?? app.unheardArguments
    endRest(of: &app, at: now, into: &turn)
  }

  /// Ends such an app although it might attach again, since a person wants it now.
  func endOrphanForPerson(_ app: inout App, at now: Age, into turn: inout Turn) {
    guard isDeafOrphan(app), app.life != .notRunning, !app.isEnding else { return }
    endRest(of: &app, at: now, into: &turn)
  }

  private func isDeafOrphan(_ app: App) -> Bool {
    app.run.isOrphaned && app.run.hasAttached && app.attachments.isEmpty && stage != .stopping
  }

  private func endRest(of app: inout App, at now: Age, into turn: inout Turn) {
    remember(.finished, "is ended: its first process is gone, and no other is attached", of: &app, into: &turn)
    end(&app, politely: true, at: now, into: &turn)
  }

  func answerLaunch(_ app: inout App, _ answer: Answer, into turn: inout Turn) {
    guard app.relaunchArguments == nil else { return }  // The tickets wait for the next life.
    for ticket in app.launchTickets { turn.deeds.append(.answer(ticket, answer)) }
    app.launchTickets = []
  }

  /// Refuses the launches that callers wait for, be it now or after the end of the present life.
  func refuseLaunch(_ app: inout App, _ reason: String, into turn: inout Turn) {
    app.relaunchArguments = nil
    answerLaunch(&app, .refused(.launchFailed(app.id, LaunchFailure(.refused, reason))), into: &turn)
  }

  /// The last process of a life is gone.
  mutating func finishLife(
    _ app: inout App, _ kind: HistoryEntry.Kind, _ status: String, _ circumstances: Circumstances, into turn: inout Turn
  ) {
    noteEnd(of: &app, kind, status, into: &turn)
    chargeEnd(of: &app, kind, at: circumstances.now, into: &turn)
    backOffIfUnheard(&app, circumstances, into: &turn)
    (app.life, app.run, app.claimedUntil) = (.notRunning, Run(), nil)
    dropView(of: &app, into: &turn)
    if app.record.card.isRemoved { turn.deeds.append(.forgetLooks(app.id)) }  // What it saved on its way out.
    if app.relaunchArguments == nil { returnNotices(of: &app, into: &turn) }
    leaveFront(app, at: circumstances.now, into: &turn)
    plan.isDisturbed = true
    if app.isBundle { closeAttachments(of: &app) }  // A program may go on in a process that nobody launched.
    app.interrupted = .init()
    relaunchIfWanted(&app, at: circumstances.now, into: &turn)
  }

  func noteEnd(of app: inout App, _ kind: HistoryEntry.Kind, _ status: String, into turn: inout Turn) {
    (app.lastEnd, app.hasCrashed) = (status, kind == .crashed)
    (app.relaunchArguments, app.unheardArguments) = (app.relaunchArguments ?? app.unheardArguments, nil)
    remember(kind, status, of: &app, into: &turn)
  }

  /// Charges an app's end to what it was at, unless that was done when its deadline came: its first process may have
  /// crashed even so, before it was killed for the deadline.
  private mutating func chargeEnd(
    of app: inout App, _ kind: HistoryEntry.Kind, at now: Age, into turn: inout Turn
  ) {
    if app.reasonOfEnd != .overdue {
      if kind == .crashed { charge(&app, into: &turn) } else { chargeUnopened(of: &app, into: &turn) }
    }
    breakErrand(of: &app, at: now, into: &turn)
  }

  /// Delays the next launch of an app that has acknowledged nothing of what waits.
  private func backOffIfUnheard(_ app: inout App, _ circumstances: Circumstances, into turn: inout Turn) {
    guard !app.hasAcknowledged, app.wakes.count > 0 else { return }
    app.record.failures += 1
    let delay = limits.relaunch.delay(afterFailures: app.record.failures, entropy: circumstances.entropy)
    app.record.notBefore = circumstances.now + delay
    turn.changes.keep(app.record)
    let lives = app.record.failures == 1 ? "it was" : "\(app.record.failures) times in a row it was"
    let wait =
      "is not launched again for \(Int(delay.inSeconds.rounded(.up))) s: \(lives) told nothing that it acknowledged"
    remember(.delayed, wait, of: &app, into: &turn)
  }

  /// Empties the foreground if the app was there.
  private mutating func leaveFront(_ app: App, at now: Age, into turn: inout Turn) {
    guard front == app.id else { return }
    front = nil
    learnLost(app, at: now, into: &turn)
  }

  /// Launches the app again if a person has asked for it while its former life was ending.
  private mutating func relaunchIfWanted(_ app: inout App, at now: Age, into turn: inout Turn) {
    guard let arguments = app.relaunchArguments else { return }
    app.relaunchArguments = nil
    launch(&app, isBackground: false, arguments: arguments, at: now, into: &turn)
  }

  mutating func closeAttachments(of app: inout App) {
    for (connection, _) in app.attachments.entries(after: nil, limit: .max) {
      app.detach(connection)
      appOfConnection[connection] = nil
    }
  }

  /// Forgets an app with all that is its.
  mutating func forget(_ id: AppID, into turn: inout Turn) {
    guard let app = apps[id] else { return }
    for transfer in transfers.ofApp[id]?.entries(after: nil, limit: .max) ?? [] { drop(transfer.key, into: &turn) }
    for key in remnants.keys(of: id) { dropRemnant(key, into: &turn) }
    forgetNotices(of: id, into: &turn)
    fetches.forget(id, into: &turn)
    forgetHabits(ofRemoved: id)
    for number in app.wakes.allNumbers { turn.changes.removeWake(number) }
    for entry in app.history.entries { turn.changes.removeEntry(entry.id) }
    for session in sessions.keys.filter({ $0.app == id }).sorted() {
      sessions[session] = nil
      transfers.setAsks(nil, of: session)
      turn.changes.remove(session)
    }
    for (connection, _) in app.attachments.entries(after: nil, limit: .max) {
      appOfConnection[connection] = nil
      turn.deeds.append(.dismiss(connection))
    }
    if app.view != nil { turn.deeds.append(.dropView(id)) }
    apps[id] = nil
    if front == id { front = nil }
    agenda.set(id, due: nil)
    turn.changes.remove(id)
    turn.touchedApps.append(id)
  }
}
