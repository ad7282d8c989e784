import NightjarModel

/// Counts failures against what an app was told, so that it is not launched for the same thing for ever.
extension Supervisor {
  /// Counts a crash against the events that the app was most likely handling.
  mutating func charge(_ app: inout App, into turn: inout Turn) {
    for session in app.wakes.sessions where app.isBeingTold(session) {
      guard app.wasOpened(session) else {
        chargeUnopened(session, of: &app, into: &turn)
        continue
      }
      guard var wake = app.wakes.first(session) else { continue }
      wake.crashes += 1
      app.wakes.keep(wake, crashesMax: limits.crashesMax)
      if !wake.isQuestion { turn.changes.keep(wake) }
      guard wake.crashes == limits.crashesMax else { continue }
      if wake.isQuestion { parkQuestion(of: wake.transfer, &app, into: &turn) }
      let what = "is not told event \(wake.number) of session '\(session)' until a person launches it"
      remember(.parked, "\(what): it has crashed it \(wake.crashes) times", of: &app, into: &turn)
    }
  }

  /// Counts a life that ended well, and by itself, against the sessions that it was told to open and did not.
  /// Acknowledging other events does not make up for them: it would be launched for them for ever.
  mutating func chargeUnopened(of app: inout App, into turn: inout Turn) {
    if case .ending = app.life { return }
    for session in app.wakes.sessions where app.isBeingTold(session) && !app.wasOpened(session) {
      chargeUnopened(session, of: &app, into: &turn)
    }
  }

  /// Counts a life that is ended since the app was done without opening every session that it was told to.
  mutating func chargeLeftOut(of app: inout App, at now: Age, into turn: inout Turn) {
    for session in dueSessions(of: app.id, app.wakes, at: now) where app.open[session.id.identifier] == nil {
      chargeUnopened(session.id.identifier, of: &app, into: &turn)
    }
  }

  /// Counts a life in which an app did not open a session that it was told to: no single event can be to blame.
  private mutating func chargeUnopened(_ name: String, of app: inout App, into turn: inout Turn) {
    let id = SessionID(app: app.id, identifier: name)
    guard var record = sessions[id]?.record else { return }
    record.unopened += 1
    sessions[id]?.record = record
    turn.changes.keep(record)
    guard record.unopened == limits.crashesMax else { return }
    let what = "is not told of session '\(name)' until a person launches it"
    remember(.parked, "\(what): in \(record.unopened) lives it has not opened it", of: &app, into: &turn)
  }

  /// Resets the count of lives that did not open a session: it was opened, or a person has started the app.
  mutating func forgiveUnopened(_ id: SessionID, into turn: inout Turn) {
    guard var record = sessions[id]?.record, record.unopened > 0 else { return }
    record.unopened = 0
    sessions[id]?.record = record
    turn.changes.keep(record)
  }
}
