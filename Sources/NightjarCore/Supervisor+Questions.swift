import NightjarModel

/// What transfers ask their apps, and what the apps answer.
///
/// A question is told like an event, under a number of its own. A crash of the daemon forgets it: the transfer that is
/// queued again then asks again, if it still has to. An answer whose number is not that of an open question is late,
/// and ignored.
extension Supervisor {
  /// Passes a transfer's question on to its app, and withdraws it once the transfer asks no longer.
  mutating func followQuestion(of id: TransferID, into turn: inout Turn) {
    guard let transfer = transfers[id], let session = transfer.request.sessionID else { return }
    if case .asking(let question, _) = transfer.state.phase {
      guard !questions.contains(id) else { return }
      guard questions.enter(id, question, of: session) else { return transfers.setDeadline(.unheard, ofQuestionOf: id) }
      ask(id, session, into: &turn)
    } else {
      dropQuestion(of: id, session.app, into: &turn)
    }
  }

  private mutating func ask(_ id: TransferID, _ session: SessionID, into turn: inout Turn) {
    let (wake, crashesMax) = (pose(id, session, into: &turn), limits.crashesMax)
    apps[session.app]?.wakes.keep(wake, crashesMax: crashesMax)
    touch(session.app, into: &turn)
  }

  /// A transfer's question as a wake. From now on its app has all the time that an answer may take.
  private mutating func pose(_ id: TransferID, _ session: SessionID, into turn: inout Turn) -> Wake {
    let until = clock.age(at: moment) + limits.questionTimeout
    transfers.setDeadline(until, ofQuestionOf: id)
    counters.wake += 1
    if let state = transfers[id]?.state { turn.changes.change(id, to: state) }  // Saves the number: none comes twice.
    turn.touchedTransfers.append(id)
    return Wake(number: counters.wake, of: session, transfer: id, isQuestion: true)
  }

  /// Has another transfer heard in place of one whose question has crashed the app too often.
  mutating func parkQuestion(of id: TransferID, _ app: inout App, into turn: inout Turn) {
    guard let next = questions.park(id), let session = transfers[next]?.request.sessionID else { return }
    let wake = pose(next, session, into: &turn)
    app.wakes.keep(wake, crashesMax: limits.crashesMax)
  }

  /// Withdraws a transfer's question; another that waits with the same one is heard instead.
  mutating func dropQuestion(of id: TransferID, _ app: AppID, into turn: inout Turn) {
    guard questions.contains(id) else { return }
    if let number = apps[app]?.wakes.number(of: id) { dropWake(number, of: app, into: &turn) }
    guard let next = questions.leave(id), let session = transfers[next]?.request.sessionID else { return }
    ask(next, session, into: &turn)
  }

  /// Takes in the app's answer. A replacement that cannot be sent ends the transfer, as at its beginning: the question
  /// is settled whatever the answer was worth, since an app does not answer twice.
  mutating func decide(
    _ number: Int64, _ decision: Decision, by app: AppID, at now: Age, into turn: inout Turn
  ) {
    guard let wake = apps[app]?.wakes[number], wake.isQuestion, let transfer = transfers[wake.transfer],
      case .asking(let question, _) = transfer.state.phase
    else { return }  // Late.
    let id = transfer.id
    apps[app]?.hasAcknowledged = true
    apps[app]?.acknowledgeBy = nil
    forgive(app, into: &turn)
    if case .challenge(let challenge) = question, challenge.isShared(decision) {
      for other in questions.others(inLineOf: id) { transfers.withdraw(other, challenge.subject, into: &turn) }
    }
    if case (.replace(let line), .delayedBegin) = (decision, question) {
      do throws(Refusal) {
        try transfers.replace(id, with: line, wall: moment.wall, into: &turn)
      } catch {
        return cancel(id, as: TransferFailure(.badURL, error.fault), at: now, into: &turn)
      }
    }
    if case .answer = question, decision != .cancel { transfers.becomeDownload(id, into: &turn) }
    transfers.decide(id, decision, at: now, into: &turn)
  }

  /// Narrows what a session wants to be asked, as its app has found out.
  mutating func narrowAsks(_ asks: Asks, ofQuestion number: Int64, by app: AppID, into turn: inout Turn) {
    guard let wake = apps[app]?.wakes[number], wake.isQuestion else { return }
    let id = SessionID(app: app, identifier: wake.session)
    guard let record = sessions[id]?.record, record.asks != asks else { return }
    sessions[id]?.record.asks = asks
    transfers.setAsks(asks, of: id)
    turn.changes.keep(sessions[id]!.record)
  }
}

extension Age {
  /// The deadline of a question that its app has not heard: its time has not begun. Later than anything comes to pass,
  /// and sooner than a sum would overflow.
  fileprivate static let unheard = Age(.days(365_000))
}

extension Refusal {
  /// What is wrong with a request that was put in another's place.
  fileprivate var fault: String {
    switch self {
    case .invalid(_, let reason): "the request in its place cannot be sent: \(reason)"
    case .limitReached(let what, let limit): "the request in its place cannot be taken: there may be \(limit) \(what)"
    default: "the request in its place cannot be sent: \(self)"
    }
  }
}
