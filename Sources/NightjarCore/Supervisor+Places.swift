import NightjarModel

/// Where apps are: one in the foreground, others in the background for as long as they have a right to run, and
/// suspended without one.
extension Supervisor {
  /// An app comes to the foreground: the one that is there leaves it.
  mutating func comeToFront(_ id: AppID, at now: Age, into turn: inout Turn) {
    if front != id { leaveForeground(at: now, into: &turn) }
    front = id
  }

  /// The app in the foreground, if there is one, leaves it.
  mutating func leaveForeground(at now: Age, into turn: inout Turn) {
    guard let id = front, var taken = apps.take(id) else { return }
    front = nil
    if taken.app.isInForeground { leaveForeground(&taken.app, at: now, into: &turn) }
    apps.put(taken)
  }

  private mutating func leaveForeground(_ app: inout App, at now: Age, into turn: inout Turn) {
    app.record.isBackground = true
    turn.changes.keep(app.record)
    app.run.backgroundTasks.startClock(awake: moment.awake, limits)
    remember(.background, "leaves the foreground", of: &app, into: &turn)
    learnLeft(app, isSeen: true, at: now, into: &turn)
    tellEntering(&app, at: now, into: &turn)
    restless[app.id] = ()
    turn.touchedApps.append(app.id)
  }

  private func tellEntering(_ app: inout App, at now: Age, into turn: inout Turn) {
    guard case .running(let pid) = app.life else { return }
    guard let ear = app.ear else {
      app.life = .launching(pid: pid, by: now + limits.attachTimeout)
      return
    }
    let number = app.leave(within: limits.leaveTimeout, of: moment.awake)
    turn.deeds.append(.tell(ear, .enterBackground(number: number, remaining: limits.taskTime)))
  }

  /// Brings an app that has a process already to the foreground, for a person.
  mutating func bringForward(_ app: inout App, at now: Age, into turn: inout Turn) {
    guard app.record.isBackground else { return putBack(&app, into: &turn) }
    comeToFront(app.id, at: now, into: &turn)
    app.record.isBackground = false
    use(&app)
    learnOpened(app.id, at: now)
    turn.changes.keep(app.record)
    if app.isSuspended { thaw(&app, at: now, into: &turn) }
    (app.run.entering, app.run.arrivedBy) = (nil, nil)
    app.run.backgroundTasks.stopClock()
    brief(&app, into: &turn)  // Before it is in front it hears of the notification that brought it.
    if case .running = app.life, let ear = app.ear { turn.deeds.append(.tell(ear, .enterForeground)) }
    remember(.foreground, "comes to the foreground", of: &app, into: &turn)
  }

  /// Lets an app run on. One whose connection is gone has to attach again first.
  func thaw(_ app: inout App, at now: Age, into turn: inout Turn) {
    app.life =
      app.attachments.isEmpty
      ? .launching(pid: app.pid, by: now + limits.attachTimeout) : .running(pid: app.pid)
    turn.deeds.append(.thaw(app.id, life: app.record.life))
  }

  /// Lets an app that stands still, or is about to, run on: it has been given a right to run.
  mutating func runOn(_ app: inout App, _ reason: String, at now: Age, into turn: inout Turn) {
    guard app.isSuspended else { return }
    // Until it has stood still it may run on any number of times: those leave no entries.
    if app.history.entries.last?.kind == .suspended { remember(.resumed, "runs on, \(reason)", of: &app, into: &turn) }
    thaw(&app, at: now, into: &turn)
  }

  /// Kills an app that could not be made to stand still: it may not go on either.
  func giveUpSuspending(_ app: inout App, at now: Age, into turn: inout Turn) {
    remember(.stuck, "is killed: it could not be made to stand still", of: &app, into: &turn)
    end(&app, politely: false, at: now, into: &turn)
  }

  /// A suspended app is woken when there is something to tell it, by the rules by which one would be launched.
  mutating func wakeIfDue(_ app: inout App, at now: Age, into turn: inout Turn) {
    guard app.isSuspended, !app.wakes.isEmpty, verdict(for: app, at: now) == .allowed else { return }
    app.record.paidUntil = LaunchBudget(limits).paid(after: app.record.paidUntil, at: now)
    turn.changes.keep(app.record)
    app.run.backgroundTasks.stopClock()
    app.run.arrivedBy = nil
    thaw(&app, at: now, into: &turn)
    remember(.resumed, "is woken, \(purpose(app, at: now))", of: &app, into: &turn)
    brief(&app, into: &turn)
    for session in dueSessions(of: app.id, app.wakes, at: now) {
      announceAgain(session.id.identifier, &app, at: now, into: &turn)
    }
    tell(&app, at: now, into: &turn)
    turn.touchedApps.append(app.id)
  }

  /// A session that the app has open is handled like one that it has yet to open: its completion handler is awaited.
  private func announceAgain(_ name: String, _ app: inout App, at now: Age, into turn: inout Turn) {
    guard let open = app.open[name] else { return app.announced[name] = nil }  // `tell` announces it anew.
    app.open[name]?.owesFinish = true
    app.beginHandling(name, by: open.holder, until: now + limits.eventsTimeout)
    turn.deeds.append(.tell(open.holder, .handleEvents(session: name)))
  }

  /// Suspends an app in the background that has no right to run any more, or ends it if it wants that. One that did not
  /// open a session that it was told to is ended, too: perhaps its next life will.
  mutating func restIfIdle(_ app: inout App, at now: Age, into turn: inout Turn) {
    guard app.runsInBackground, !app.run.isStray, !app.attachments.isEmpty,
      !app.hasRight, app.open.last(where: \.owesFinish) == nil
    else { return }
    turn.touchedApps.append(app.id)
    let isWanted = !app.wakes.isEmpty && verdict(for: app, at: now) == .allowed
    if isWanted { chargeLeftOut(of: &app, at: now, into: &turn) }
    if app.record.installed.exitsOnSuspend || isWanted {
      let reason =
        app.record.installed.exitsOnSuspend ? "it exits where others are suspended" : "it did not open a session"
      remember(.finished, "is ended: \(reason)", of: &app, into: &turn)
      return end(&app, politely: true, at: now, into: &turn)
    }
    suspend(&app, at: now, into: &turn)
  }

  /// Has an app stand still.
  func suspend(_ app: inout App, at now: Age, into turn: inout Turn) {
    app.stint += 1
    app.life = .suspending(pid: app.pid, by: now + limits.suspendTimeout)
    turn.deeds.append(.suspend(app.id, life: app.record.life, stint: app.stint))
  }

  /// Kills an app that would stand still holding a lock for which others would wait (iOS's 0xdead10cc).
  func endLocked(_ app: inout App, _ path: String, at now: Age, into turn: inout Turn) {
    let reason = "is killed: it was about to be suspended with a lock on \(path), which it shares with others"
    remember(.locked, reason, of: &app, into: &turn)
    end(&app, politely: false, at: now, into: &turn)
  }

  /// Kills an app in the background that has not confirmed in time that it is there.
  mutating func expireEntering(_ app: inout App, at now: Age, into turn: inout Turn) {
    guard let entering = app.run.entering, entering.by <= moment.awake else { return }
    app.run.entering = nil
    guard app.runsInBackground else { return }
    kill(&app, "did not return from didEnterBackground", within: entering.within, at: now, into: &turn)
  }

  /// Ends all suspended apps: the daemon is about to end, and nobody would wake them.
  mutating func endSuspended(at now: Age, into turn: inout Turn) {
    for id in apps.keys.sorted() {
      guard var app = apps[id], app.isSuspended else { continue }
      remember(.stopped, "is ended: it is suspended, and the daemon stops", of: &app, into: &turn)
      end(&app, politely: false, at: now, into: &turn)
      apps[id] = app
    }
  }
}
