import NightjarModel

/// From what transfers leave behind to what apps have to be told.
extension Supervisor {
  /// Posts a wake for every task that has ended, and drops what nobody has collected.
  mutating func postWakes(at now: Age, into turn: inout Turn) {
    guard transfers.hasNews else { return }
    var taken = 0
    while taken < transfers.steps.count {  // What stops may leave another step.
      take(transfers.steps[taken], at: now, into: &turn)
      taken += 1
    }
    transfers.steps.removeAll(keepingCapacity: true)
    for id in transfers.expired { expire(id, into: &turn) }
    transfers.expired.removeAll(keepingCapacity: true)
    for app in transfers.heldOrFreed {
      makeRoom(app, into: &turn)
      hasMadeRoom = hasMadeRoom || !transfers.isHeld(app)
      disturb(app)
    }
    transfers.heldOrFreed.removeAll(keepingCapacity: true)
  }

  private mutating func take(_ step: Transfers.Step, at now: Age, into turn: inout Turn) {
    guard let transfer = transfers[step.id] else { return }
    if case .ended(.failed(let failure), _) = transfer.state.phase, failure.leavesRemnant {
      leaveRemnant(of: transfer, at: now, into: &turn)
    }
    if !transfer.needsFiles {
      for file in transfer.files where !isKept(file, from: step.id) { turn.deeds.append(.discard(file)) }
    }
    settleAskers(of: step.id, at: now, into: &turn)
    guard let session = transfer.request.sessionID else { return }
    followQuestion(of: step.id, into: &turn)
    sessions[session]?.running += (step.isRunning ? 1 : 0) - (step.wasRunning ? 1 : 0)
    if step.isEnded { postEnd(of: step.id, in: session, into: &turn) }
    disturb(session.app)
  }

  /// Posts a wake for every ended task whose wake, or whose app, was lost with a damaged row: the app waits for that.
  mutating func postUntold(into turn: inout Turn) {
    let ended = untold
    untold = []
    for id in ended {
      guard let transfer = transfers[id], transfer.state.isEnded, let session = transfer.request.sessionID else {
        continue
      }
      postEnd(of: id, in: session, into: &turn)
      disturb(session.app)
    }
  }

  /// Posts the wake for an ended task; while its app is not there, the task stays untold.
  private mutating func postEnd(of id: TransferID, in session: SessionID, into turn: inout Turn) {
    guard apps.contains(session.app) else { return untold.append(id) }
    counters.wake += 1
    keep(Wake(number: counters.wake, of: session, transfer: id), into: &turn)
  }

  mutating func keep(_ wake: Wake, into turn: inout Turn) {
    if apps.contains(wake.app) { apps[there: wake.app].wakes.keep(wake, crashesMax: limits.crashesMax) }
    turn.changes.keep(wake)
    turn.touchedApps.append(wake.app)
  }

  /// Removes an ended transfer that nobody has collected within ``Limits/keptFor``.
  private mutating func expire(_ id: TransferID, into turn: inout Turn) {
    guard let transfer = transfers[id] else { return }
    let app = transfer.request.app
    let number = apps[app]?.wakes.number(of: id)
    if let number { dropWake(number, of: app, into: &turn) }
    turn.deeds.append(.note(app, "transfer \(id) was removed: nobody collected it"))
    drop(id, into: &turn)
  }

  /// Forgets a wake, told or not.
  @discardableResult
  mutating func dropWake(_ number: Int64, of app: AppID, into turn: inout Turn) -> Wake? {
    guard apps.contains(app), let wake = apps[there: app].wakes.remove(number) else { return nil }
    if !wake.isQuestion { turn.changes.removeWake(number) }
    turn.touchedApps.append(app)
    return wake
  }

  /// Forgets a transfer everywhere.
  mutating func drop(_ id: TransferID, into turn: inout Turn) {
    guard let transfer = transfers[id] else { return }
    if let session = transfer.request.sessionID {
      dropQuestion(of: id, session.app, into: &turn)
      sessions[session]?.tasks[transfer.request.task] = nil
      if transfer.isRunning { sessions[session]?.running -= 1 }
      disturb(session.app)
    }
    transfers.remove(id, sparing: transfer.files.filter { isKept($0, from: id) }, into: &turn)
    tellAskers(of: id, into: &turn)
  }

  /// Tells the holder of a task's session about its progress. If it does not listen just then, it never hears of it.
  func tellCourse(_ fact: TransferFact, of id: TransferID, attempt: Int, into turn: inout Turn) {
    switch fact {
    case .progressed:
      tellListener(of: id, into: &turn) { session, transfer in
        .progressed(session: session, task: transfer.request.task, count: transfer.count, expected: transfer.expected)
      }
    case .informed(let response) where attempt == transfers[id]?.state.attempts:
      tellListener(of: id, into: &turn) { .informed(session: $0, task: $1.request.task, response) }
    case .informed, .throttled, .checkpointed, .measured, .finished, .failed, .unanswered, .asked, .stopped: break
    }
  }

  /// Tells the holder of its session about a task under way. An app that is being ended may stand still already.
  private func tellListener(
    of id: TransferID, into turn: inout Turn, _ message: (_ session: String, Transfer) -> Message
  ) {
    guard let transfer = transfers[id], transfer.state.isUnderWay, let session = transfer.request.session,
      let app = apps[transfer.request.app], !app.isSuspended, !app.isEnding, let open = app.open[session]
    else { return }
    turn.deeds.append(.tell(open.holder, message(session, transfer)))
  }
}

extension Memory {
  /// The ended tasks without a wake. What was told and acknowledged is not remembered, so somebody waits for these.
  var untold: [TransferID] {
    let known = Set(wakes.map(\.transfer))
    return transfers.filter { $0.state.isEnded && $0.request.session != nil && !known.contains($0.id) }.map(\.id)
  }
}
