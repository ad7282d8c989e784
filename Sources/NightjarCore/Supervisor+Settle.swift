import NightjarModel

/// One look at one app: is something overdue, is there something to tell it, should it run, may it end?
extension Supervisor {
  /// Does whatever is due for an app. Run twice at one moment, the second finds nothing to do.
  mutating func settle(_ id: AppID, at now: Age, into turn: inout Turn) {
    guard var taken = apps.take(id) else { return }
    guard !taken.app.mayBeRemoved else {
      apps.put(taken)
      return remove(id, into: &turn)
    }
    settle(&taken.app, at: now, into: &turn)
    apps.put(taken)
  }

  private mutating func settle(_ app: inout App, at now: Age, into turn: inout Turn) {
    withdrawForbiddenErrand(of: &app, into: &turn)
    enforceDeadlines(&app, at: now, into: &turn)
    tell(&app, at: now, into: &turn)
    launchIfDue(&app, at: now, into: &turn)
    wakeIfDue(&app, at: now, into: &turn)
    restIfIdle(&app, at: now, into: &turn)
    let due = app.due(after: now, awake: moment.awake, bounds)
    agenda.set(app.id, due: earliest(due, restEnd(of: app, after: now)))
  }

  private mutating func enforceDeadlines(_ app: inout App, at now: Age, into turn: inout Turn) {
    guard !isSpared(&app, at: now, into: &turn) else { return }
    expireErrand(&app, at: now, into: &turn)
    switch app.life {
    case .launching(let pid, let by) where by <= now:
      guard app.record.isBackground, app.isBundle else {
        app.life = .running(pid: pid)  // A person's: it may take its time, unless it is an orphan.
        turn.touchedApps.append(app.id)
        noteUnattached(&app, into: &turn)
        return endOrphan(&app, at: now, into: &turn)
      }
      app.lastEnd = "did not attach within \(Int(limits.attachTimeout.inSeconds)) s"
      remember(.overdue, "is killed: it \(app.lastEnd)", of: &app, into: &turn)
      end(&app, politely: false, at: now, into: &turn)
    case .ending(_, let by) where by <= now:
      end(&app, politely: false, at: now, into: &turn)
    case .suspending(_, let by) where by <= now:
      giveUpSuspending(&app, at: now, into: &turn)
    case .running, .notRunning:
      expireHandling(&app, at: now, into: &turn)
      expireAcknowledgement(&app, at: now, into: &turn)
      expireEntering(&app, at: now, into: &turn)
      expireBackgroundTasks(&app, at: now, into: &turn)
    case .launching, .ending, .suspending, .suspended:
      break
    }
  }

  /// Writes down that a program has not attached by the time at which an app would be ended for that.
  private func noteUnattached(_ app: inout App, into turn: inout Turn) {
    guard app.isUnattached else { return }
    let within = "within \(Int(limits.attachTimeout.inSeconds)) s"
    remember(.delayed, "has not attached \(within) of its start; its events wait for that", of: &app, into: &turn)
  }

  /// Kills an app in the background that has not handled a session's events in time.
  private mutating func expireHandling(_ app: inout App, at now: Age, into turn: inout Turn) {
    let due = app.handling.entries(after: nil, limit: .max).filter { $0.value <= now }.map(\.key)
    let overdue = due.filter { app.open[$0]?.isHeldBack != true }
    guard let session = overdue.first else { return }
    if app.runsInBackground {
      let lapse = "did not call the completion handler for session '\(session)'"
      kill(&app, lapse, within: limits.eventsTimeout, at: now, into: &turn)
    }
    for session in overdue { app.handling[session] = nil }
  }

  /// Kills an app in the background that has acknowledged nothing of what it was sent for too long.
  private mutating func expireAcknowledgement(_ app: inout App, at now: Age, into turn: inout Turn) {
    guard let by = app.acknowledgeBy, by <= now else { return }
    app.acknowledgeBy = nil
    guard app.runsInBackground else { return }
    kill(&app, "did not acknowledge an event", within: limits.eventsTimeout, at: now, into: &turn)
  }

  mutating func kill(_ app: inout App, _ lapse: String, within: Duration, at now: Age, into turn: inout Turn) {
    remember(.overdue, "is killed: it \(lapse) within \(Int(within.inSeconds)) s", of: &app, into: &turn)
    charge(&app, into: &turn)
    end(&app, politely: false, at: now, into: &turn)
  }

  /// Sends what waits: events of open sessions, and the names of sessions that should be opened.
  mutating func tell(_ app: inout App, at now: Age, into turn: inout Turn) {
    switch app.life {
    case .ending, .suspending, .suspended: return
    case .notRunning, .launching, .running: break
    }
    brief(&app, into: &turn)  // What it does then, it does knowing how it stands.
    let suspect = app.suspect
    for (name, open) in app.open.entries(after: nil, limit: .max) {
      let maySend = app.maySend(name, besides: suspect)
      giveTime(name, open, maySend: maySend, &app, at: now)
      tell(name, open, maySend: maySend, &app, into: &turn)
    }
    announce(&app, at: now, into: &turn)
    meterErrand(&app, into: &turn)
    tellErrand(&app, at: now, into: &turn)
    if !app.runsInBackground || app.wakes.inFlight == 0 {
      app.acknowledgeBy = nil
    } else if app.acknowledgeBy == nil {
      app.acknowledgeBy = now + limits.eventsTimeout
    }
  }

  private func announce(_ app: inout App, at now: Age, into turn: inout Turn) {
    guard let client = app.ear else { return }  // A helper process may be attached, too, and know of no session.
    for session in dueSessions(of: app.id, app.wakes, at: now) {
      let name = session.id.identifier
      guard app.open[name] == nil, app.announced[name] == nil else { continue }
      app.beginHandling(name, by: client, until: now + limits.eventsTimeout)
      turn.deeds.append(.tell(client, .handleEvents(session: name)))
    }
  }

  /// The time to handle a session's events does not run while they are held back.
  private func giveTime(_ name: String, _ open: App.Open, maySend: Bool, _ app: inout App, at now: Age) {
    let isHeldBack = !maySend && !app.wakes.isSent(name)
    guard isHeldBack || open.isHeldBack else { return }
    app.open[name]?.isHeldBack = isHeldBack
    if app.handling[name] != nil { app.handling[name] = now + limits.eventsTimeout }
  }

  private func tell(_ name: String, _ open: App.Open, maySend: Bool, _ app: inout App, into turn: inout Turn) {
    for wake in maySend ? app.wakes.send(name, inFlightMax: limits.tellsInFlightMax) : [] {
      guard let message = message(of: wake) else { continue }
      turn.deeds.append(.tell(open.holder, message))
    }
    guard open.owesFinish, app.wakes.isSent(name) else { return }
    app.open[name]?.owesFinish = false
    turn.deeds.append(.tell(open.holder, .eventsFinished(session: name)))
  }

  private func message(of wake: Wake) -> Message? {
    wake.isQuestion ? asked(wake).map { .asked($0) } : ended(wake).map { .ended($0) }
  }

  private func asked(_ wake: Wake) -> Message.Asked? {
    guard let transfer = transfers[wake.transfer], case .asking(let question, _) = transfer.state.phase else {
      return nil
    }
    return Message.Asked(
      number: wake.number, session: wake.session, task: transfer.request.task, question: question)
  }

  private func ended(_ wake: Wake) -> Message.Ended? {
    guard let transfer = transfers[wake.transfer], case .ended(let outcome, _) = transfer.state.phase else {
      return nil
    }
    return Message.Ended(
      number: wake.number, session: wake.session, task: transfer.request.task, count: transfer.count,
      expected: transfer.expected, outcome: outcome, answer: outcome.hasFailed ? transfer.answer : nil,
      destination: outcome.hasFailed ? nil : transfer.request.destination?.path,
      metrics: transfers.measures[transfer.id], remnant: outcome.hasFailed ? remnants[transfer.request.key] : nil)
  }

  /// The sessions that have something to tell and no running transfer left to wait for, or have waited long enough,
  /// since one transfer may run for weeks; and those that have to ask. An app with too much in the staging area is told
  /// at once: only it can make room. A session that it has failed to open too often waits for a person.
  func dueSessions(of id: AppID, _ wakes: WakeQueue, at now: Age) -> [SessionRecord] {
    let isHeld = transfers.isHeld(id)
    return wakes.sessions.compactMap { name in
      guard let session = sessions[SessionID(app: id, identifier: name)],
        isHeld || session.running == 0 || wakes.asks(name) || restEnd(of: name, wakes).map({ $0 <= now }) ?? false,
        session.record.unopened < limits.crashesMax
      else { return nil }
      return session.record
    }
  }

  /// When what waits for a session has waited for the rest of it for as long as it may.
  func restEnd(of session: String, _ wakes: WakeQueue) -> Age? {
    guard let wake = wakes.first(session), let transfer = transfers[wake.transfer],
      case .ended(_, let at) = transfer.state.phase
    else { return nil }
    return at + limits.restOfSessionMax
  }

  /// The next time at which a session of an app is due although some of its transfers still run; nil if there is none.
  func restEnd(of app: App, after now: Age) -> Age? {
    let ends = app.wakes.sessions.compactMap { name -> Age? in
      guard let session = sessions[SessionID(app: app.id, identifier: name)], session.running > 0,
        session.record.unopened < limits.crashesMax
      else { return nil }
      return restEnd(of: name, app.wakes)
    }
    return ends.filter { $0 > now }.min()
  }

  private mutating func launchIfDue(_ app: inout App, at now: Age, into turn: inout Turn) {
    guard app.life == .notRunning, app.attachments.isEmpty, !app.wakes.isEmpty, shortage.isOver,
      verdict(for: app, at: now) == .allowed
    else { return }
    app.record.paidUntil = LaunchBudget(limits).paid(after: app.record.paidUntil, at: now)
    launch(&app, isBackground: true, arguments: [], at: now, into: &turn)
    turn.touchedApps.append(app.id)
  }

  private mutating func remove(_ id: AppID, into turn: inout Turn) {
    guard let app = apps[id] else { return }
    forget(id, into: &turn)
    if app.isBundle, !app.isGone {
      departed.insert(id)
      turn.changes.depart(id, true)
    }
    if !app.isGone { turn.deeds.append(.uninstall(id)) }
    for ticket in app.removalTickets ?? [] { turn.deeds.append(.answer(ticket, .done)) }
  }
}
