import NightjarModel

/// What is left of cancelled and failed transfers, and who goes on with it.
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
        return tellRemnant(ticket, of: id, into: &turn)
      }
      remnants.askers[id, default: []].append(ticket)
      stopAttempt(of: id, into: &turn)
    } catch {
      turn.deeds.append(.answer(ticket, .refused(error)))
    }
  }

  /// Has an attempt stop, so that its task can be cancelled with all that came. That is no suspension: if the machine
  /// dies before, the task goes on, and its app asks again, since nobody has answered it. A suspended one would wait
  /// for an app that takes it for cancelled.
  private mutating func stopAttempt(of id: TransferID, into turn: inout Turn) {
    var attempt: Int?
    transfers.change(id, into: &turn) { state in
      guard state.phase == .running else { return false }
      (state.phase, attempt) = (.stopping, state.attempts)
      return true
    }
    if let attempt { turn.deeds.append(.stop(id, attempt: attempt)) }
  }

  /// Cancels a transfer for those who asked for that, once its attempt has stopped: what it has left is kept, and told.
  mutating func settleAskers(of id: TransferID, at now: Age, into turn: inout Turn) {
    guard remnants.askers[id] != nil, let transfer = transfers[id], !transfer.state.isUnderWay else { return }
    if !transfer.state.isEnded { leaveRemnant(of: transfer, at: now, into: &turn) }
    cancel(id, at: now, into: &turn)
    tellAskers(of: id, into: &turn)
  }

  /// Tells those who wait what a transfer that has stopped, or is gone, has left.
  mutating func tellAskers(of id: TransferID, into turn: inout Turn) {
    for ticket in remnants.askers.removeValue(forKey: id) ?? [] { tellRemnant(ticket, of: id, into: &turn) }
  }

  /// Whether a staged file is to be left alone, though the transfer that names it has no use for it any more.
  func isKept(_ file: TransferID, from id: TransferID? = nil) -> Bool {
    if remnants[of: file] != nil { return true }
    return transfers.heir(of: file).map { $0 != id } ?? false
  }

  private func tellRemnant(_ ticket: Ticket, of id: TransferID, into turn: inout Turn) {
    turn.deeds.append(.answer(ticket, .left(transfers[id].flatMap { remnants[$0.request.key] })))
  }

  /// Keeps the remnant of a transfer that is about to end without success, if anything can go on with it.
  mutating func leaveRemnant(of transfer: Transfer, at now: Age, into turn: inout Turn) {
    guard let remnant = transfer.remnant(at: now) else { return }
    if let old = remnants[remnant.key], old.transfer == remnant.transfer {
      forget(old, into: &turn)  // It has stopped and then ended in one turn, with one file.
    }
    dropRemnant(remnant.key, because: "its key was used again", into: &turn)
    keep(remnant)
    turn.changes.keep(remnant)
    while let oldest = remnants.surplus(of: remnant.app) {
      dropRemnant(oldest, because: "its app has more than \(limits.remnantsPerAppMax)", into: &turn)
    }
  }

  /// Takes in a remnant, left now or in an earlier life of the daemon. Its bytes count as the app's.
  mutating func keep(_ remnant: Remnant) {
    remnants.keep(remnant)
    transfers.count(remnant.stagedBytes, of: remnant.app)
  }

  /// Removes remnants of an app with too much in the staging area, oldest first: it may never come back for them.
  mutating func makeRoom(_ app: AppID, into turn: inout Turn) {
    let limit = Int64(limits.stagedBytesPerAppMax)
    while transfers.isHeld(app), let oldest = remnants.oldest(of: app) {
      let (staged, left) = (transfers.stagedBytes(of: app), remnants.bytes(of: app))
      guard staged - left < limit || left >= limit else { return }  // It would not help.
      dropRemnant(oldest, because: "its app has \(staged) bytes in the staging area", into: &turn)
      hasMadeRoom = true
    }
  }

  /// Uses up the remnant that a new transfer names. Returns where to go on; nil, to begin anew, if it is gone.
  mutating func takeRemnant(
    _ key: RequestKey?, for request: TransferRequest, into turn: inout Turn
  ) throws(Refusal) -> ResumePoint? {
    guard let key, let remnant = remnants[key] else { return nil }
    guard remnant.app == request.app else {
      throw .invalid(field: "remnant", reason: "it was left by another app")
    }
    try remnant.checkFits(request)
    forget(remnant, into: &turn)
    var point = remnant.point
    if remnant.source == nil { point.heritage = remnant.transfer }
    return point
  }

  /// Forgets a remnant with its file.
  mutating func dropRemnant(_ key: RequestKey, because reason: String? = nil, into turn: inout Turn) {
    guard let remnant = remnants[key] else { return }
    forget(remnant, into: &turn)
    if remnant.source == nil { turn.deeds.append(.discard(remnant.transfer)) }
    guard let reason else { return }
    let what = "what transfer \(remnant.transfer) left was removed (\(remnant.point.offset) bytes)"
    turn.deeds.append(.note(remnant.app, "\(what): \(reason)"))
  }

  private mutating func forget(_ remnant: Remnant, into turn: inout Turn) {
    remnants.remove(remnant.key)
    transfers.count(-remnant.stagedBytes, of: remnant.app)
    turn.changes.removeRemnant(remnant.key)
    turn.changes.forget(remnant.point)
  }

  /// Forgets the remnants that nobody has gone on with in time.
  mutating func expireRemnants(at now: Age, into turn: inout Turn) {
    let days = Int(limits.remnantsKeptFor.inSeconds) / 86_400
    while let key = remnants.popDue(at: now) {
      dropRemnant(key, because: "nobody went on with it for \(days) days", into: &turn)
    }
  }
}

extension Transfer {
  /// What another can go on with: a download's bytes of a known version, or an upload that its server keeps.
  fileprivate func remnant(at now: Age) -> Remnant? {
    guard request.session != nil, request.destination == nil, var point = state.resume else { return nil }
    switch request.direction {
    case .upload(_, let stamp):
      guard point.upload != nil else { return nil }
      return Remnant(
        key: request.key, app: request.app, url: request.url.withoutCredentials, source: stamp, transfer: id,
        point: point, born: now)
    case .download:
      guard point.offset > 0, point.validator != nil, state.knowsItsFile else { return nil }
      let file = point.heritage ?? id
      point.heritage = nil
      return Remnant(
        key: request.key, app: request.app, url: request.url.withoutCredentials, transfer: file, point: point,
        born: now)
    }
  }
}

extension TransferState {
  /// Whether it is known under whose name its bytes lie: an attempt renames what it takes over before it reports that.
  fileprivate var knowsItsFile: Bool { resume?.heritage == nil || untouching == attempts }
}

extension Remnant {
  /// Throws if a request cannot go on with it. Credentials in the URLs do not count; an older version kept them, too.
  fileprivate func checkFits(_ request: TransferRequest) throws(Refusal) {
    guard url.withoutCredentials == request.url.withoutCredentials else {
      throw .invalid(field: "remnant", reason: "it was left by a transfer of another URL")
    }
    switch (request.direction, source) {
    case (.download, nil): return
    case (.download, _?): throw .invalid(field: "remnant", reason: "it was left by an upload")
    case (.upload, nil): throw .invalid(field: "remnant", reason: "it was left by a download")
    case (.upload(let path, let stamp), let source?):
      guard stamp == source else {
        throw .invalid(field: "remnant", reason: "\(path) is no longer the file that was being sent")
      }
    }
  }
}

extension RequestLine {
  /// Whether it asks for what another request asks for, as far as a URL tells: a query may be anything, such as a
  /// signature that is good for an hour, and a name and a password say who asks.
  func isOfSamePlace(as request: TransferRequest) -> Bool {
    func place(_ url: String) -> Substring.UTF8View {
      url.withoutCredentials.utf8.prefix { !"?#".utf8.contains($0) }
    }
    return place(url).elementsEqual(place(request.url))
  }
}
