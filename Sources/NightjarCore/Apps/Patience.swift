import NightjarModel

/// What keeps an app whose deadline has come from being killed.
enum Patience: Hashable, Sendable {
  /// It is being checked whether a debugger holds the app up; the answer is due by then.
  case asked(by: Age)
  /// No debugger does.
  case exhausted
  /// This process does; it is checked again then.
  case traced(by: Int32, until: Age)

  /// When it must be looked at again.
  var due: Age? {
    switch self {
    case .asked(let by): by
    case .traced(_, let until): until
    case .exhausted: nil
    }
  }

  /// The same, so much later.
  func postponed(by lost: Duration) -> Patience {
    switch self {
    case .asked(let by): .asked(by: by + lost)
    case .exhausted: .exhausted
    case .traced(let pid, let until): .traced(by: pid, until: until + lost)
    }
  }

  /// The process that holds the app up.
  var tracer: Int32? {
    if case .traced(let pid, _) = self { pid } else { nil }
  }
}

extension App {
  /// When it will be killed unless it has done what it owes.
  func deadline(after now: Age, awake: Duration) -> Age? {
    switch life {
    case .launching(_, let by): return record.isBackground && isBundle ? by : nil
    case .suspending(_, let by): return by
    case .running where runsInBackground:
      let onAwakeClock = earliest(
        run.backgroundTasks.isEmpty ? nil : run.backgroundTasks.end, run.entering?.by)
      let errand = wakes.errandStage.flatMap { $0.isTold ? $0.end : nil }
      let fixed = earliest(handledBy, earliest(acknowledgeBy, errand))
      return earliest(fixed, onAwakeClock.map { now + ($0 - awake) })
    case .notRunning, .running, .suspended, .ending: return nil
    }
  }

  /// Begins its deadlines anew from now on: a debugger has let it go.
  mutating func beginDeadlinesAnew(at now: Age, awake: Duration, _ limits: Limits) {
    switch life {
    case .launching(let pid, _): life = .launching(pid: pid, by: now + limits.attachTimeout)
    case .suspending(let pid, _): life = .suspending(pid: pid, by: now + limits.suspendTimeout)
    case .notRunning, .running, .suspended, .ending: break
    }
    for session in handling.entries(after: nil, limit: .max).map(\.key) {
      handling[session] = now + limits.eventsTimeout
    }
    if wakes.errandStage?.isTold == true { wakes.errand?.beginTimeAnew(at: now) }
    if acknowledgeBy != nil { acknowledgeBy = now + limits.eventsTimeout }
    if let within = run.entering?.within { run.entering?.by = awake + within }
    if run.backgroundTasks.end != nil { run.backgroundTasks.startClock(awake: awake, limits) }
  }

  /// Postpones its deadlines by a time in which nobody listened or the app could do nothing. `awake` is the part of it
  /// in which the device was awake.
  mutating func postponeDeadlines(by lost: Duration, awake: Duration) {
    switch life {
    case .launching(let pid, let by): life = .launching(pid: pid, by: by + lost)
    case .suspending(let pid, let by): life = .suspending(pid: pid, by: by + lost)
    case .ending(let pid, let by): life = .ending(pid: pid, by: by + lost)
    case .notRunning, .running, .suspended: break
    }
    for (session, by) in handling.entries(after: nil, limit: .max) { handling[session] = by + lost }
    claimedUntil = claimedUntil.map { $0 + lost }
    returnsBy = returnsBy.map { $0 + lost }
    if wakes.errandStage != nil { wakes.errand?.postpone(by: lost) }
    acknowledgeBy = acknowledgeBy.map { $0 + lost }
    run.patience = run.patience?.postponed(by: lost)
    bill = bill?.postponed(by: lost)
    run.entering?.by += awake
    run.arrivedBy = run.arrivedBy.map { $0 + awake }
    run.backgroundTasks.postpone(by: awake)
  }
}
