import NightjarModel

/// Errands: an app is brought up for one as for any other wake, runs for as long as it may take, and is suspended
/// again.
extension Supervisor {
  /// Has an app woken to run this task, or for a fetch.
  mutating func post(
    _ request: BackgroundRequest?, to app: inout App, because decision: FetchDecision, at now: Age,
    into turn: inout Turn
  ) {
    counters.wake += 1
    fetches.keep(decision, into: &turn)
    app.wakes.errand = Errand(
      number: counters.wake, app: app.id, request: request, decision: decision.number, verdict: decision.verdict,
      within: request?.kind == .processing ? limits.processingTimeout : limits.fetchTimeout,
      life: app.record.life, stage: .waiting(until: now + limits.attachTimeout + limits.endTimeout))
    touch(app.id, into: &turn)
  }

  /// The number of the next decision.
  mutating func nextDecision() -> Int64 {
    counters.decision += 1
    return counters.decision
  }

  /// Tells an app of its errand, once: its time runs from now. One that returns to a later daemon may be about to say
  /// that it has done it already, until it has confirmed where it is.
  mutating func tellErrand(_ app: inout App, at now: Age, into turn: inout Turn) {
    guard app.wakes.errandStage?.isTold == false, case .running = app.life, let ear = app.ear,
      app.run.entering?.isReturning != true, var errand = app.wakes.errand
    else { return }
    errand.stage = .told(at: now, by: now + errand.within)
    if errand.kind == .processing { plan.isDisturbed = true }  // What it needs may be gone since it was chosen.
    (errand.newestBefore, errand.conditions) = (TransferID(counters.transfer), device.conditions)
    app.wakes.errand = errand
    fetches.began(errand, at: now, wall: moment.wall, into: &turn)
    turn.deeds.append(.tell(ear, message(of: errand)))
    turn.deeds.append(
      .note(app.id, errand.request.map { "runs the task '\($0.identifier)'" } ?? "refreshes its content"))
    turn.touchedApps.append(app.id)
  }

  /// Has what the app has taken so far measured, as soon as it has a process.
  mutating func meterErrand(_ app: inout App, into turn: inout Turn) {
    guard app.wakes.hasErrand, app.pid != nil, let errand = app.wakes.errand, !errand.isMetered else { return }
    app.wakes.errand?.isMetered = true
    turn.deeds.append(.meter(app.id, life: app.record.life, errand: errand.number))
  }

  private func message(of errand: Errand) -> Message {
    guard let request = errand.request else {
      return .performFetch(number: errand.number, remaining: errand.within)
    }
    return .performRequestedTask(
      number: errand.number, kind: request.kind, identifier: request.identifier, remaining: errand.within)
  }

  /// Takes in what came of an app's errand. A late answer keeps an errand that was given up from being run again; any
  /// other changes nothing.
  mutating func finishErrand(
    _ number: Int64, _ outcome: FetchOutcome, of id: AppID, at now: Age, into turn: inout Turn
  ) {
    guard apps.contains(id) else { return }
    guard let errand = apps[there: id].wakes.errand, errand.number == number, errand.isTold else {
      if fetches.answeredLate(number, by: id, outcome, at: now, moment, into: &turn) {
        withdrawErrand(of: id, into: &turn)
        plan.isDisturbed = true
        turn.deeds.append(.note(id, "says of something that was over already: \(outcome.rawValue)"))
      }
      return
    }
    guard var taken = apps.take(id) else { return }
    taken.app.hasAcknowledged = true
    end(errand, outcome, of: &taken.app, at: now, into: &turn)
    apps.put(taken)
    if apps[there: id].runsInBackground { takeSnapshot(of: id, into: &turn) }
    touch(id, into: &turn)
  }

  /// Ends an errand. Its cost is measured while the app is still there; callers that wait for it are answered then.
  mutating func end(
    _ errand: Errand, _ outcome: FetchOutcome, of app: inout App, isCharged: Bool = true, at now: Age,
    into turn: inout Turn
  ) {
    let wall = errand.time(until: now)
    app.wakes.errand = nil
    plan.isDisturbed = true
    giveBack(errand, into: &turn)
    let isCharged = isCharged && errand.cutShortFor == nil
    fetches.ended(
      errand, outcome, after: wall, isCharged: isCharged, circumstances(at: now), at: moment, into: &turn)
    if let bill = app.bill { settle(bill, nil, of: &app, into: &turn) }
    app.bill = Bill(errand: errand, outcome: outcome, wall: wall, by: now + limits.meterTimeout)
    if errand.isTold, app.life != .notRunning {
      turn.deeds.append(.meter(app.id, life: app.record.life, errand: errand.number))
    } else {
      settle(app.bill!, nil, of: &app, into: &turn)
    }
  }

  /// Looks whether an errand, or the measuring of its cost, has taken too long.
  mutating func expireErrand(_ app: inout App, at now: Age, into turn: inout Turn) {
    if let bill = app.bill, bill.by <= now { settle(bill, nil, of: &app, into: &turn) }
    guard app.wakes.errandDue(warning: limits.taskWarning).map({ $0 <= now }) ?? false,
      var errand = app.wakes.errand
    else { return }
    guard case .told(_, let by) = errand.stage else {
      turn.deeds.append(.note(app.id, "could not be told in time \(purpose(app, at: now))"))
      return dropErrand(of: &app, untold(app), at: now, into: &turn)
    }
    if !errand.isWarned, errand.request != nil {
      errand.isWarned = true
      app.wakes.errand = errand
      if let ear = app.ear { turn.deeds.append(.tell(ear, .expireRequestedTask(number: errand.number))) }
    }
    guard by <= now else { return }
    let what = errand.request.map { "did not complete the task '\($0.identifier)'" } ?? "did not end its fetch"
    turn.deeds.append(.note(app.id, "\(what) \(errand.occasionOfEnd), and may run no longer for it"))
    end(errand, .late, of: &app, at: now, into: &turn)
  }

  /// Why an app could not be told of its errand in time.
  private func untold(_ app: App) -> Refusal {
    let time = Int((limits.attachTimeout + limits.endTimeout).inSeconds)
    let reason =
      switch app.life {
      case .running where app.run.entering?.isReturning == true: "it did not confirm that it is in the background"
      case .launching, .running: "it did not attach"
      case .suspending, .suspended: "it did not run on"
      case .ending where app.wakes.errand.map { $0.life < app.record.life } ?? false: "it did not attach"
      case .ending: "its former life did not end"
      case .notRunning where !shortage.isOver: "nothing is launched while memory is short"
      case .notRunning: "it was not launched"
      }
    return .fetchRefused(app.id, code: "notTold", reason: "it could not be told within \(time) s: \(reason)")
  }

  /// Ends the errand of an app whose life has ended first. An errand that was not told yet waits for the next life,
  /// unless this life was begun for it.
  mutating func breakErrand(of app: inout App, at now: Age, into turn: inout Turn) {
    if let bill = app.bill { settle(bill, nil, of: &app, into: &turn) }
    guard var errand = app.wakes.errand, errand.isTold || errand.life < app.record.life else { return }
    let code = app.record.card.isRemoved ? FetchObstacle.Code.removedFromSwitcher.rawValue : "ended"
    let refusal = Refusal.fetchRefused(app.id, code: code, reason: "it ended first: it \(app.endInWords)")
    refuse(&errand, refusal, into: &turn)
    // Its rest, or the interval of fetches, keeps a task from being run again at once.
    if app.wasEndedByDaemon { fetches.putBack(errand.number, of: app.id, into: &turn) }
    // A processing task may be what took the memory, and would again: it waits longer each time.
    let isCharged = !app.wasEndedByOthers || errand.kind == .processing && app.reasonOfEnd == .memory
    end(errand, .failed, of: &app, isCharged: isCharged, at: now, into: &turn)
  }

  /// Drops an errand that was not told yet, if the app has taken back or changed its task meanwhile.
  mutating func withdrawErrand(of id: AppID, into turn: inout Turn) {
    guard var app = apps[id], let errand = app.wakes.errand, !errand.isTold, let request = errand.request,
      fetches.request(request.identifier, of: id) != request
    else { return }
    let refusal = Refusal.fetchRefused(id, code: "noSuchRequest", reason: "it has taken its request back meanwhile")
    withdraw(errand, of: &app, refusal, into: &turn)
    apps[id] = app
    touch(id, into: &turn)
  }

  /// Drops an errand that was not told yet, if it is forbidden by now: a person has switched Background App Refresh
  /// off, or the app declares the background mode no more. Likewise a fetch that only the rule wants, if a person has
  /// opened the app, which refreshes itself then.
  mutating func withdrawForbiddenErrand(of app: inout App, into turn: inout Turn) {
    guard app.wakes.errandStage?.isTold == false, let errand = app.wakes.errand else { return }
    if errand.isChosen, errand.tickets.isEmpty, app.isInForeground, device.conditions.isSeen {
      let code = FetchObstacle.Code.inForeground.rawValue
      return withdraw(
        errand, of: &app, .fetchRefused(app.id, code: code, reason: "it was opened meanwhile"), into: &turn)
    }
    do throws(Refusal) {
      try checkPermission(of: app, for: errand.kind)
    } catch {
      withdraw(errand, of: &app, error, into: &turn)
    }
  }

  /// Drops an errand that was not told yet, since a person does not want it: nobody has failed.
  mutating func withdrawErrand(of app: inout App, because refusal: Refusal, into turn: inout Turn) {
    guard let errand = app.wakes.errand, !errand.isTold else { return }
    withdraw(errand, of: &app, refusal, into: &turn)
  }

  private mutating func withdraw(
    _ errand: Errand, of app: inout App, _ refusal: Refusal, into turn: inout Turn
  ) {
    var errand = errand
    refuse(&errand, refusal, into: &turn)
    app.wakes.errand = nil
    plan.isDisturbed = true
    giveBack(errand, into: &turn)
    fetches.withdrawn(errand, into: &turn)
    turn.touchedApps.append(app.id)
  }

  /// Gives back what the rule took from the budget for a fetch that the app was never told of.
  private mutating func giveBack(_ errand: Errand, into turn: inout Turn) {
    guard errand.isChosen, !errand.isTold else { return }
    plan.budget.giveBack(1, of: .fetches)
    turn.changes.keep(plan.budget)
  }

  /// Drops an errand that could not be told; callers that wait for it are refused.
  private mutating func dropErrand(of app: inout App, _ refusal: Refusal, at now: Age, into turn: inout Turn) {
    guard var errand = app.wakes.errand, !errand.isTold else { return }
    refuse(&errand, refusal, into: &turn)
    end(errand, .failed, of: &app, isCharged: false, at: now, into: &turn)
  }

  /// Refuses the calls that wait for an errand.
  private func refuse(_ errand: inout Errand, _ refusal: Refusal, into turn: inout Turn) {
    for ticket in errand.tickets { turn.deeds.append(.answer(ticket, .refused(refusal))) }
    errand.tickets = []
  }
}

extension App {
  /// Whether its present life is ended for no fault of its own.
  var wasEndedByOthers: Bool {
    switch reasonOfEnd {
    case .terminated?, .upgraded?, .removed?, .memory?, .stopped?: true
    default: false
    }
  }

  /// Whether it was ended for the machine's or the daemon's sake, so that nobody meant to stop what it was at.
  fileprivate var wasEndedByDaemon: Bool {
    switch reasonOfEnd {
    case .upgraded?, .memory?, .stopped?: true
    default: false
    }
  }

  /// How its last life ended and, where it was ended, why; to stand behind "it".
  var endInWords: String { (history.lastReason.map { "\($0.sentence); it " } ?? "") + lastEnd }

  /// Why its present life is ended, if it is.
  var reasonOfEnd: HistoryEntry.Kind? {
    history.entries.last(where: { $0.kind.isReason && $0.life == record.life })?.kind
  }
}

extension Errand {
  /// By when, or on what occasion, it should have ended.
  fileprivate var occasionOfEnd: String {
    switch cutShortFor {
    case nil: "within \(Int(within.inSeconds)) s"
    case .inUse: "when the device was used"
    case .some(let code): "when what it needs was gone (\(code.rawValue))"
    }
  }
}
