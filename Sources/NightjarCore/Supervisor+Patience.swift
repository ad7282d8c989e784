import NightjarModel

/// Deadlines stand still while a debugger is attached to an app.
extension Supervisor {
  /// Whether an app is spared for now although a deadline has come: first it is checked whether a debugger holds it up.
  func isSpared(_ app: inout App, at now: Age, into turn: inout Turn) -> Bool {
    guard let deadline = app.deadline(after: now, awake: moment.awake), deadline <= now else {
      (app.run.patience, app.run.wasTraced) = (nil, false)
      return false
    }
    switch app.run.patience {
    case .asked(let by)? where by > now: return true
    case .traced(_, let until)? where until > now: return true
    case .asked?, .exhausted?:
      app.run.patience = nil
      return false
    case nil, .traced?:
      app.run.patience = .asked(by: now + limits.inspectTimeout)
      turn.deeds.append(.inspect(app.id, life: app.record.life))
      return true
    }
  }

  /// Takes in who traces an app whose deadline has come.
  func learnTracer(_ tracer: Int32?, of app: inout App, at now: Age, into turn: inout Turn) {
    guard case .asked? = app.run.patience else { return }
    guard let tracer else {
      app.run.patience = .exhausted
      guard app.run.wasTraced else { return }
      app.run.wasTraced = false
      app.beginDeadlinesAnew(at: now, awake: moment.awake, limits)
      return turn.deeds.append(.note(app.id, "is no longer traced: its deadlines begin anew"))
    }
    app.run.patience = .traced(by: tracer, until: now + limits.tracedPause)
    guard !app.run.wasTraced else { return }
    app.run.wasTraced = true
    turn.deeds.append(.note(app.id, "is traced by process \(tracer): its deadlines stand still"))
  }
}
