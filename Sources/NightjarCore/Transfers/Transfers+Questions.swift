import NightjarModel

/// What transfers ask their apps, and what becomes of the answers.
extension Transfers {
  /// Sets what a session wants to be asked. With nil that is forgotten, and with it all that was decided for the
  /// session.
  mutating func setAsks(_ asks: Asks?, of session: SessionID) {
    guard let asks else { return keyrings[session] = nil }
    let countMax = limits.answersPerSessionMax
    keyrings[session, default: Keyring(asks: asks, countMax: countMax)].asks = asks
  }

  /// Forgets what was decided for all transfers of a session. Attempts under way go on with what they know.
  mutating func forgetDecisions(of session: SessionID) { keyrings[session]?.forgetAll() }

  /// Sets until when the app may answer a transfer's question.
  mutating func setDeadline(_ until: Age, ofQuestionOf id: TransferID) {
    guard var transfer = self[id], case .asking(let question, _) = transfer.state.phase else { return }
    transfer.record.state.phase = .asking(question, until: until)
    table[id] = Boxed(transfer)
    arrange(transfer)
  }

  /// Goes on with a transfer by the decision about its question.
  mutating func decide(_ id: TransferID, _ decision: Decision, at now: Age, into turn: inout Turn) {
    guard var transfer = self[id] else { return }
    if let shared = transfer.decide(decision, at: now), let session = transfer.request.sessionID {
      keyrings[session]?.keep(shared)
    }
    put(transfer, hasChanged: true, into: &turn)
  }

  /// Lets a transfer try what was decided for its session in place of its own question and its own failed answer.
  mutating func withdraw(_ id: TransferID, _ subject: Challenge.Subject, into turn: inout Turn) {
    guard var transfer = self[id] else { return }
    transfer.answers.removeAll { $0.subject == subject }
    let hasChanged = transfer.record.state.withdraw()
    put(transfer, hasChanged: hasChanged, into: &turn)
  }

  /// Exchanges the request of a transfer that asks before it begins. What was left of a download from another address
  /// is dropped.
  mutating func replace(
    _ id: TransferID, with line: RequestLine, wall: Timestamp, into turn: inout Turn
  ) throws(Refusal) {
    guard let old = self[id] else { return }
    var record = old.record
    (record.request.method, record.request.url, record.request.headers) = (line.method, line.url, line.headers)
    record.request.options.sessionFields = line.sessionFields
    if let body = line.body { record.request.body = body }
    try record.request.check(limits)
    try checkRoom(for: record.request, inPlaceOf: old.request)
    if !line.isOfSamePlace(as: old.request) {
      if let file = record.state.resume?.heritage { turn.deeds.append(.discard(file)) }
      record.state.resume = nil
    }
    var new = Transfer(record, at: old.heard, wall: wall)
    (new.answers, new.answersKnown, new.isEarly) = (old.answers, old.answersKnown, old.isEarly)
    revise(old, to: new, into: &turn)
  }

  /// Makes a download of a transfer whose app was shown the head of the answer: the app is not asked again.
  mutating func becomeDownload(_ id: TransferID, into turn: inout Turn) {
    guard let old = self[id] else { return }
    var new = old
    new.record.request.options.showsAnswer = false
    revise(old, to: new, into: &turn)
  }

  /// Turns a question that was decided for its session meanwhile into a stop, so that the attempt is repeated, and one
  /// that time answers into a failure. A decision that the question shows to have failed is forgotten.
  mutating func weigh(_ fact: TransferFact, by transfer: Transfer, _ attempt: Int) -> TransferFact {
    guard case .asked(.challenge(let challenge)) = fact, attempt == transfer.state.attempts, transfer.state.isUnderWay,
      let session = transfer.request.sessionID
    else { return fact }
    if keyrings[session]?.knows(challenge.subject, since: transfer.answersKnown) == true { return .stopped }
    let answers = transfer.answers + (keyrings[session]?.answers ?? [])
    if let failure = challenge.failureForNow(knowing: answers) { return .failed(failure, retryAfter: nil) }
    if challenge.previousFailures > 0 { keyrings[session]?.forget(challenge.subject) }
    return fact
  }

  /// Asks the app of a transfer that was put off, now that its time has come, before it begins.
  mutating func askFirst(_ transfer: Transfer, at now: Age, into turn: inout Turn) {
    lanes.freed(transfer.lane, transfer.share(limits))
    var transfer = transfer
    transfer.record.state.phase = .asking(.delayedBegin, until: now + limits.questionTimeout)
    table[transfer.id] = Boxed(transfer)
    arrange(transfer)
    turn.changes.change(transfer.id, to: transfer.state)
    turn.touchedTransfers.append(transfer.id)
    steps.append(Step(id: transfer.id, wasRunning: true, isRunning: true, isEnded: false))
  }
}
