import NightjarModel

/// Makes room for a new name at a bound: one that nothing depends on is forgotten, and is as new if it comes back.
extension Supervisor {
  /// Makes room for another session of an app: forgets one not open and without tasks, preferably never having had any.
  mutating func makeRoomForSession(of app: AppID, into turn: inout Turn) throws(Refusal) {
    let sessions = self.sessions.filter { $0.key.app == app }
    guard sessions.count >= limits.sessionsPerAppMax else { return }
    let idle = sessions.filter { $0.value.tasks.isEmpty && apps[app]?.open[$0.key.identifier] == nil }
    guard let id = idle.filter({ $0.value.record.nextTask == 1 }).keys.min() ?? idle.keys.min() else {
      throw .limitReached(what: "sessions of one app", limit: limits.sessionsPerAppMax)
    }
    forget(id, into: &turn)
  }

  /// Forgets a session that has no tasks any more.
  mutating func forget(_ id: SessionID, into turn: inout Turn) {
    sessions[id] = nil
    transfers.setAsks(nil, of: id)
    turn.changes.remove(id)
    apps[id.app]?.leave(id.identifier)
  }

  /// Makes room for another transfer without a session, if possible: the oldest that are over go. Nobody is told of
  /// them, and so nobody takes them.
  mutating func makeRoom(for request: TransferRequest, into turn: inout Turn) {
    let app = request.app
    guard !hasRoom(for: request), request.keptTextBytes <= limits.textBytesPerAppMax,
      let ids = transfers.ofApp[app]?.entries(after: nil, limit: .max)
    else { return }
    for (id, _) in ids where transfers[id]?.isDone == true {
      turn.deeds.append(.note(app, "transfer \(id) was removed: room was needed for another"))
      drop(id, into: &turn)
      if hasRoom(for: request) { return }
    }
  }

  /// Whether its app may have one more transfer, with so much text.
  private func hasRoom(for request: TransferRequest) -> Bool {
    let textBytes = transfers.owners.textBytes(of: request.app) + request.keptTextBytes
    return transfers.count(of: request.app) < limits.transfersPerAppMax && textBytes <= limits.textBytesPerAppMax
  }

  /// Makes room for another program by forgetting one that does not run and has neither transfers nor remnants. False
  /// if there is none.
  mutating func makeRoomForProgram(into turn: inout Turn) -> Bool {
    guard apps.count >= limits.appsMax else { return true }
    guard let id = apps.keys.filter(isIdleProgram).min() else { return false }
    forget(id, into: &turn)
    turn.deeds.append(.uninstall(id))  // Its logs.
    return true
  }

  private func isIdleProgram(_ id: AppID) -> Bool {
    guard let app = apps[id], !app.isBundle, app.life == .notRunning, app.removalTickets == nil else { return false }
    return app.attachments.isEmpty && app.wakes.isEmpty && transfers.count(of: id) == 0 && remnants.keys(of: id).isEmpty
  }
}

extension Transfer {
  /// Whether it is over, and no app has to be told.
  fileprivate var isDone: Bool { state.isEnded && request.session == nil }
}
