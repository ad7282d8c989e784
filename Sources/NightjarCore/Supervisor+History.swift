import NightjarModel

/// What happens to apps is written down: in their histories, with the commit of the change itself, and in their logs.
extension Supervisor {
  /// Writes down what happened to an app.
  func remember(_ kind: HistoryEntry.Kind, _ sentence: String, of app: inout App, into turn: inout Turn) {
    let id = HistoryEntry.ID(app: app.id, number: app.history.next)
    let entry = HistoryEntry(id: id, life: app.record.life, at: moment.wall, kind: kind, sentence: sentence)
    for old in app.history.add(entry, max: limits.historyPerAppMax) { turn.changes.removeEntry(old) }
    turn.changes.keep(entry)
    turn.deeds.append(.note(app.id, sentence))
  }

  /// The last entries of an app's history, oldest first.
  func history(of id: AppID, limit: Int) throws(Refusal) -> Answer {
    guard let app = apps[id] else { throw .noSuchApp(id) }
    return .history(app.history.entries.suffix(min(max(limit, 0), limits.listMax)))
  }

  /// Takes up what is remembered of apps' histories.
  mutating func restore(_ history: [HistoryEntry]) {
    for entry in history { apps[entry.id.app]?.history.restore(entry) }
    for id in Set(history.map(\.id.app)).sorted() {
      guard let end = apps[id]?.history.lastEnd else { continue }
      apps[id]?.lastEnd = end.sentence
      apps[id]?.hasCrashed = end.kind == .crashed
    }
  }

  /// Notes the lives that ended while no daemon ran, now that all that still run have been found.
  mutating func noteLosses(into turn: inout Turn) {
    for id in apps.keys.sorted() {
      guard var app = apps[id], app.life == .notRunning, app.attachments.isEmpty, app.history.isOpen else { continue }
      app.lastEnd = isNewBoot ? "ended when the machine did" : "ended while no daemon was there to see it"
      app.hasCrashed = false
      remember(.lost, app.lastEnd, of: &app, into: &turn)
      apps[id] = app
      turn.touchedApps.append(id)
    }
  }

  /// Why an app is launched into the background, or woken there.
  func purpose(_ app: App, at now: Age) -> String {
    if let errand = app.wakes.errand {
      return errand.request.map { "to run the task '\($0.identifier)'" } ?? "to refresh its content"
    }
    let names = dueSessions(of: app.id, app.wakes, at: now).map { "'\($0.id.identifier)'" }
    let more = names.count > 3 ? ["\(names.count - 3) more"] : []
    return "to be told of session\(names.count == 1 ? "" : "s") " + (names.prefix(3) + more).joined(separator: ", ")
  }
}
