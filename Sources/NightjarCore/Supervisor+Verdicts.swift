import NightjarModel

/// Why something does not go on just now.
extension Supervisor {
  /// Why a transfer does not go on just now, or its end is not told.
  func verdict(for transfer: Transfer, at now: Age) -> Verdict {
    let state = transfer.state
    if state.isSuspended, !state.isEnded { return .waits(.suspended, atMost: nil) }
    switch state.phase {
    case .queued: return verdict(forQueued: transfer, at: now)
    case .running, .delivering: return .allowed
    case .asking(let question, let until):
      return .waits(.answer(question), atMost: questions.isBehind(transfer.id) ? nil : until - now)
    case .stopping: return transfers.offer.verdict(for: transfer.request, on: transfer.lane.host)
    case .waiting(let until, let failure):
      return .waits(.backOff(failure, attempts: state.attempts, inVain: state.wasted), atMost: until - now)
    case .undelivered(let until, _, _, let failure):
      return until.map { $0 <= now } == true ? .allowed : .waits(.delivery(failure), atMost: until.map { $0 - now })
    case .ended: return verdict(forEnded: transfer, at: now)
    }
  }

  private func verdict(forQueued transfer: Transfer, at now: Age) -> Verdict {
    let host = transfer.lane.host
    if transfer.isEarly, let begin = transfer.request.options.earliestBegin {
      return .waits(.earliestBegin(begin), atMost: begin - moment.wall)
    }
    let verdict = transfers.offer.verdict(for: transfer.request, on: host)
    guard verdict == .allowed else { return verdict }
    if !transfers.isAllowedToStage(transfer) {
      let staged = transfers.stagedBytes(of: transfer.request.app)
      return .waits(.stagedBytes(staged, limit: Int64(limits.stagedBytesPerAppMax)), atMost: nil)
    }
    if let end = transfers.rests.due(of: transfer.lane) {
      return .waits(.throttled(host: host.name), atMost: end - now)
    }
    if let share = transfer.share(limits), transfers.isFull(share, in: transfer.lane) {
      return .waits(.sessionBusy(host: host.name, limit: share.max), atMost: nil)
    }
    if transfers.isFull(host) {
      return .waits(.hostBusy(host: host.name, limit: limits.runningPerHostMax), atMost: nil)
    }
    if transfers.isFull(transfer.lane) {
      return .waits(.hostShared(host: host.name, count: transfers.runningCount(in: transfer.lane)), atMost: nil)
    }
    if transfers.runningCount >= limits.runningMax { return .waits(.allBusy(limit: limits.runningMax), atMost: nil) }
    let app = transfer.request.app
    if transfers.isFull(app) { return .waits(.appBusy(count: transfers.runningCount(of: app)), atMost: nil) }
    return .allowed
  }

  private func verdict(forEnded transfer: Transfer, at now: Age) -> Verdict {
    guard let app = apps[transfer.request.app], let number = app.wakes.number(of: transfer.id),
      let wake = app.wakes[number]
    else { return .allowed }
    if wake.crashes >= limits.crashesMax { return .waits(.parked(crashes: wake.crashes), atMost: nil) }
    if let session = transfer.request.sessionID, let record = sessions[session]?.record,
      record.unopened >= limits.crashesMax, app.open[session.identifier] == nil
    {
      return .waits(.unopened(session: session.identifier, launches: record.unopened), atMost: nil)
    }
    guard app.isIdle else { return verdict(forRunning: app) }
    switch verdict(for: app, at: now) {
    case .allowed: return .waits(.telling, atMost: nil)
    case .waits(.restOfSession, _):  // Of its own session; other sessions of the app may wait for their rest as well.
      guard let session = transfer.request.sessionID else { return .allowed }
      let end = restEnd(of: session.identifier, app.wakes)
      return .waits(.restOfSession(count: sessions[session]?.running ?? 0), atMost: end.map { $0 - now })
    case let verdict: return verdict
    }
  }

  /// What keeps an app that runs from having been told of what waits.
  func verdict(forRunning app: App) -> Verdict {
    .waits(app.isUnattached ? .unattached(pid: app.pid) : .telling, atMost: nil)
  }

  /// Whether an app that does not run may be launched for what waits, and why not.
  func verdict(for app: App, at now: Age) -> Verdict {
    let waiting = app.wakes.sessions.compactMap { sessions[SessionID(app: app.id, identifier: $0)] }
    let unopened = waiting.map(\.record).filter { $0.unopened >= limits.crashesMax }
    return Gate(limits: limits)
      .verdict(
        for: app, due: dueSessions(of: app.id, app.wakes, at: now),
        restOfSession: waiting.map(\.running).reduce(0, +), until: restEnd(of: app, after: now), unopened: unopened,
        at: now)
  }
}
