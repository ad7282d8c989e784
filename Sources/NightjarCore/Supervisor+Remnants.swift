import NightjarModel

/// What is left of cancelled and failed downloads, and who goes on with it.
extension Supervisor {
  /// Cancels a task and keeps what came. The answer follows once its attempt has stopped.
  mutating func cancelKeeping(
    _ name: String, task: Int, by caller: Caller, _ ticket: Ticket, at now: Age, into turn: inout Turn
  ) {
    do throws(Refusal) {
      let id = try transfer(name, task, by: caller)
      guard let state = transfers[id]?.state else { throw .noSuchTask(name, task: task) }
      guard state.isUnderWay else {
        if let transfer = transfers[id], !state.isEnded { leaveRemnant(of: transfer, at: now, into: &turn) }
        cancel(id, at: now, into: &turn)
        return answer(ticket, about: id, into: &turn)
      }
      remnants.askers[id, default: []].append(ticket)
      suspend(id, into: &turn)
    } catch {
      turn.deeds.append(.answer(ticket, .refused(error)))
    }
  }

  /// An attempt has stopped that somebody wants cancelled: what it has left is kept, and told.
  mutating func settleAskers(of id: TransferID, at now: Age, into turn: inout Turn) {
    guard let tickets = remnants.askers[id], transfers[id]?.state.isUnderWay != true else { return }
    remnants.askers[id] = nil
    if let transfer = transfers[id], !transfer.state.isEnded { leaveRemnant(of: transfer, at: now, into: &turn) }
    cancel(id, at: now, into: &turn)
    for ticket in tickets { answer(ticket, about: id, into: &turn) }
  }

  private func answer(_ ticket: Ticket, about id: TransferID, into turn: inout Turn) {
    turn.deeds.append(.answer(ticket, .left(transfers[id].flatMap { remnants[$0.request.key] })))
  }

  /// Keeps what a download has that is about to end without success, if anything can go on with it.
  mutating func leaveRemnant(of transfer: Transfer, at now: Age, into turn: inout Turn) {
    let (request, state) = (transfer.request, transfer.state)
    guard request.direction == .download, request.destination == nil, var point = state.resume, point.offset > 0,
      point.validator != nil, point.heritage == nil || state.attempts == 0
    else { return }
    let file = point.heritage ?? transfer.id
    point.heritage = nil
    let remnant = Remnant(
      key: request.key, app: request.app, url: request.url, transfer: file, point: point, born: now)
    remnants.keep(remnant)
    turn.changes.keep(remnant)
    while let oldest = remnants.surplus(of: request.app) { dropRemnant(oldest, into: &turn) }
  }

  /// Where a new transfer goes on, if it names what another has left; nil if that is gone, so that it begins anew.
  mutating func takeRemnant(
    _ key: RequestKey?, for request: TransferRequest, into turn: inout Turn
  ) throws(Refusal) -> ResumePoint? {
    guard let key, let remnant = remnants[key] else { return nil }
    guard remnant.app == request.app else {
      throw .invalid(field: "remnant", reason: "it was left by another app")
    }
    guard remnant.url == request.url, request.direction == .download else {
      throw .invalid(field: "remnant", reason: "it was left by a download of another URL")
    }
    remnants.remove(key)
    remnants.passOn(remnant.transfer)
    turn.changes.removeRemnant(key)
    var point = remnant.point
    point.heritage = remnant.transfer
    return point
  }

  /// Forgets a remnant with its file.
  mutating func dropRemnant(_ key: RequestKey, into turn: inout Turn) {
    guard let remnant = remnants.remove(key) else { return }
    turn.changes.removeRemnant(key)
    turn.deeds.append(.discard(remnant.transfer))
  }

  /// Forgets what nobody has gone on with in time.
  mutating func expireRemnants(at now: Age, into turn: inout Turn) {
    while let key = remnants.popDue(at: now) { dropRemnant(key, into: &turn) }
  }
}
