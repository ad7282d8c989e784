import NightjarModel

/// What can be done to transfers, whoever asks for it.
extension Supervisor {
  /// Queues a task of an open session. A repetition is answered as it was the first time.
  mutating func enqueue(
    _ request: TransferRequest, isSuspended: Bool, remnant: RequestKey? = nil, by caller: Caller, at now: Age,
    into turn: inout Turn
  ) throws(Refusal) -> Answer {
    let session = try heldSession(request.session ?? "", by: caller)
    if let known = try queued(request.key, as: request.identity) { return accepted(known) }
    guard request.task <= TransferRequest.taskMax else {
      throw .invalid(
        field: "task", reason: "\(request.task) is not a task identifier: the highest is \(TransferRequest.taskMax)")
    }
    guard request.task >= 1, sessions[session]?.tasks[request.task] == nil else {
      throw .invalid(field: "task", reason: "\(request.task) is not a task identifier that is free in this session")
    }
    var request = request
    if isInBackground(caller.app) { request.options.isFromBackground = true }
    try checkRoom(for: request)
    let resume = try takeRemnant(remnant, for: request, into: &turn)
    let id = try add(request, isSuspended: isSuspended, resume: resume, at: now, into: &turn)
    if let record = sessions[session]?.record, record.nextTask <= request.task {
      sessions[session]?.record.nextTask = request.task + 1
      turn.changes.keep(sessions[session]!.record)
    }
    cancelIfRemoved(id, of: caller.app, at: now, into: &turn)
    return resume.map { .resumed(id, $0) } ?? .accepted(id)
  }

  /// The transfer that was queued by this very request; nil if none is known under its key.
  func queued(
    _ key: RequestKey, as identity: @autoclosure () -> RequestIdentity
  ) throws(Refusal) -> TransferID? {
    guard let id = transfers.id(ofKey: key), let request = transfers[id]?.request else { return nil }
    guard request.isRepeated(by: identity()) else {
      throw .invalid(field: "key", reason: "this key is another task's; a key is used once")
    }
    return id
  }

  /// The answer to a repeated request: whether the transfer goes on with a remnant, while that can be told.
  private func accepted(_ id: TransferID) -> Answer {
    guard let state = transfers[id]?.state, let point = state.resume else { return .accepted(id) }
    return point.heritage != nil || state.attempts == 0 ? .resumed(id, point) : .accepted(id)
  }

  /// Whether an app runs in the background. A program, and a process that nobody launched, count as in the foreground.
  private func isInBackground(_ id: AppID) -> Bool {
    guard let app = apps[id], app.isBundle, !app.run.isStray else { return false }
    return app.record.isBackground && app.life != .notRunning
  }

  /// Queues a transfer that belongs to no app.
  mutating func enqueue(_ request: TransferRequest, at now: Age, into turn: inout Turn) throws(Refusal) -> Answer {
    if let known = try queued(request.key, as: request.identity) { return .accepted(known) }
    try request.check(limits)
    makeRoom(for: request, into: &turn)
    return .accepted(try add(request, isSuspended: false, at: now, into: &turn))
  }

  private func checkRoom(for request: TransferRequest) throws(Refusal) {
    try request.check(limits)
    guard transfers.count(of: request.app) < limits.transfersPerAppMax else {
      throw .limitReached(what: "transfers of one app", limit: limits.transfersPerAppMax)
    }
    try transfers.checkRoom(for: request)
  }

  private mutating func add(
    _ request: TransferRequest, isSuspended: Bool, resume: ResumePoint? = nil, at now: Age, into turn: inout Turn
  ) throws(Refusal) -> TransferID {
    try checkRoom(for: request)
    counters.transfer += 1
    let state = TransferState(isSuspended: isSuspended, resume: resume)
    let record = TransferRecord(id: TransferID(counters.transfer), request: request, born: now, state: state)
    var transfer = Transfer(record, at: now, wall: moment.wall)
    transfer.record.state.asksBeforeBegin = transfer.isToAskFirst
    transfers.insert(transfer)
    enroll(transfer)
    turn.changes.add(transfer.record)
    turn.touchedTransfers.append(record.id)
    return record.id
  }

  /// Suspends a transfer: its connection is given up, what it has is kept. One that is suspended or over stays so.
  mutating func suspend(_ id: TransferID, into turn: inout Turn) {
    var attempt: Int?
    transfers.change(id, into: &turn) { state in
      guard !state.isSuspended, !state.isEnded else { return false }
      state.isSuspended = true
      if state.phase == .running { (state.phase, attempt) = (.stopping, state.attempts) }
      _ = state.withdraw()  // It asks again once it goes on.
      return true
    }
    if let attempt { turn.deeds.append(.stop(id, attempt: attempt)) }
  }

  /// Lets a transfer go on, at once if it waits for anything.
  mutating func resume(_ id: TransferID, into turn: inout Turn) {
    transfers.change(id, into: &turn) { state in
      guard !state.isEnded else { return false }
      let wasSuspended = state.isSuspended
      state.isSuspended = false
      return state.hurry() || wasSuspended
    }
  }

  /// Changes what was asked for. Nothing is changed if any of it cannot be.
  mutating func update(
    _ id: TransferID, _ changes: TaskChanges, at now: Age, into turn: inout Turn
  ) throws(Refusal) {
    guard let old = transfers[id]?.request else { return }
    let request = old.changed(by: changes)
    try request.check(limits)
    try transfers.checkRoom(for: request, inPlaceOf: old)
    transfers.revise(id, request, wall: moment.wall, at: now, into: &turn)
  }

  /// Writes down the start of the resource timeouts of transfers whose time came while no daemon ran: the next daemon
  /// could no longer tell whether the machine was off in between. So with sessions that were made anew from their
  /// tasks: once these are told of, it could not make them again.
  mutating func writeBelated(into turn: inout Turn) {
    for transfer in belated.compactMap({ transfers[$0] }) { turn.changes.revise(transfer.record) }
    for session in remade.compactMap({ sessions[$0] }) { turn.changes.keep(session.record) }
    (belated, remade) = ([], [])
  }

  /// Ends a transfer as cancelled, unless it is over already.
  mutating func cancel(
    _ id: TransferID, as failure: TransferFailure = TransferFailure(.cancelled, "cancelled"), at now: Age,
    into turn: inout Turn
  ) {
    var attempt: Int?
    transfers.change(id, into: &turn) { state in
      guard !state.isEnded else { return false }
      if state.phase == .running { attempt = state.attempts }
      state.phase = .ended(.failed(failure), at: now)
      return true
    }
    // Where the file goes, the attempt goes with it; where a remnant is left, it has to be stopped.
    if let attempt, failure.leavesRemnant { turn.deeds.append(.stop(id, attempt: attempt)) }
  }
}
