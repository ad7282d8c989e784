import NightjarModel

/// A message to an app that it is in the background, which it has to confirm.
struct Entering: Hashable, Sendable {
  /// What it confirms.
  var number: Int64
  /// By when, on the clock that stands still while the device sleeps, and how long it had.
  var by: Duration
  var within: Duration
  /// Whether it has left the foreground, so that what it shows by then is its snapshot.
  var isLeaving: Bool
  /// Whether an earlier daemon knew this life: what that one did not live to hear comes before the confirmation, so it
  /// is asked for nothing until then.
  var isReturning = false
}

/// Where an app is: in the foreground, in the background, or suspended.
extension App {
  /// The connection that hears of the app's life: its leader's newest, or, without a leader, the oldest.
  var ear: ConnectionID? {
    if attachments.isEmpty { return nil }
    let pid = pid
    return (attachments.last { $0.caller.pid == pid } ?? attachments.first)?.key
  }

  /// Begins to leave the foreground. Returns the number by which the app has to confirm that.
  mutating func leave(within: Duration, of awake: Duration) -> Int64 {
    transitions += 1
    run.entering = Entering(number: transitions, by: awake + within, within: within, isLeaving: true)
    return transitions
  }

  /// Takes in a process that attaches in the background. Returns the number by which it confirms that. All that attach
  /// until the app is woken or comes to the foreground share one deadline: else it would run as long as it attaches.
  mutating func arrive(within: Duration, of awake: Duration, isReturning: Bool) -> Int64 {
    let end = run.arrivedBy ?? awake + within
    run.arrivedBy = end
    transitions += 1
    if run.entering == nil, end > awake {
      let isLeaving = isReturning && history.entries.last?.kind == .background  // Perhaps nobody heard it confirm that.
      run.entering = Entering(number: 0, by: end, within: within, isLeaving: isLeaving, isReturning: isReturning)
    }
    run.entering?.number = transitions
    return transitions
  }

  /// Its rights to run in the background, once it has been told what waits: without any it is suspended. Empty in the
  /// foreground, where it needs none.
  func rights(at now: Age, awake: Duration) -> [AppView.Right] {
    guard runsInBackground else { return [] }
    var rights = handling.entries(after: nil, limit: .max).map {
      AppView.Right.handling(session: $0.key, atMost: $0.value - now)
    }
    if let errand = wakes.errand, errand.isTold {
      rights.append(.errand(request: errand.request?.identifier, atMost: errand.end - now))
    }
    if let entering = run.entering { rights.append(.entering(atMost: entering.by - awake)) }
    if let acknowledgeBy { rights.append(.acknowledging(wakes.inFlight, atMost: acknowledgeBy - now)) }
    let tasks = run.backgroundTasks
    if !tasks.isEmpty { rights.append(.tasks(names: tasks.shown, atMost: (tasks.end ?? awake) - awake)) }
    return rights
  }

  /// Whether it has any of them: to list them takes longer.
  var hasRight: Bool {
    runsInBackground
      && (!handling.isEmpty || wakes.errandStage?.isTold == true || run.entering != nil || acknowledgeBy != nil
        || !run.backgroundTasks.isEmpty)
  }

  /// Takes in a confirmation; an earlier one is late. Returns whether the app has left the foreground just now.
  mutating func confirm(_ number: Int64) -> Bool {
    guard let confirmed = run.entering, confirmed.number == number else { return false }
    run.entering = nil
    return confirmed.isLeaving
  }
}
