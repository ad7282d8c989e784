import NightjarModel

/// When a transfer must be looked at again, and what is done then.
extension Transfer {
  /// When it must be looked at again, whatever comes from outside.
  func due(_ limits: Limits) -> Age? {
    switch state.phase {
    case .queued: return deadline
    case .waiting(let until, _): return state.isSuspended ? deadline : min(until, deadline ?? until)
    case .asking(_, let until): return min(until, deadline ?? until)
    case .running:
      let silent = heard + (request.requestTimeout + limits.silenceMargin)
      return min(silent, deadline ?? silent)
    case .stopping, .delivering: return heard + limits.answerTimeout
    case .undelivered(let until, _, _, _): return state.isSuspended ? nil : earliest(until, deliveryDeadline)
    case .ended(_, let at): return at + limits.keptFor
    }
  }

  /// When its resource timeout passes; nil if it has none, or must not begin yet.
  private var deadline: Age? { isEarly ? nil : request.resourceTimeout.map { record.born + $0 } }

  /// When it is given up although its file is there: with a session, there is a program to be told, of this task and of
  /// all that wait for it. What has none waits until a person has made way.
  private var deliveryDeadline: Age? { request.session == nil ? nil : deadline }

  /// Does what is due at a moment that ``due(_:)`` named: ends it, queues it, or asks again.
  mutating func attend(at now: Age, _ limits: Limits, _ offer: Offer) -> [Deed] {
    heard = max(heard, now)
    switch state.phase {
    case .queued, .waiting, .asking: goOn(at: now, offer)
    case .running: return stop()
    case .stopping:
      record.state.phase = .queued
      return [.stop(id, attempt: state.attempts)]
    case .undelivered(let until, _, _, _) where isGivenUp(until, at: now): timeOut(at: now, offer)
    case .delivering(let response, let file), .undelivered(_, let response, let file, _):
      return deliver(response, file)
    case .ended: break
    }
    return []
  }

  private mutating func goOn(at now: Age, _ offer: Offer) {
    if isTimedOut(at: now) { return timeOut(at: now, offer) }
    guard case .asking(let question, _) = state.phase else { return record.state.phase = .queued }
    if let failure = question.failureUnanswered {
      record.state.phase = .ended(.failed(failure), at: now)
    } else {
      _ = decide(.performDefault, at: now)
    }
  }

  /// Whether an attempt that was told to stop because of its resource timeout merely reports progress. That does not
  /// count as hearing of it: on a disk that never answers it would go on for ever.
  func isOnlyGoingOn(_ fact: TransferFact, at now: Age) -> Bool {
    guard case .progressed = fact, state.phase == .stopping else { return false }
    return isTimedOut(at: now)
  }

  private func isTimedOut(at now: Age) -> Bool { deadline.map { $0 <= now } ?? false }

  /// Whether its file, which could not be delivered, has had its time. One that came late, or whose delivery a crash
  /// cut short, is due at zero and is tried first.
  private func isGivenUp(_ until: Age?, at now: Age) -> Bool {
    until != .zero && deliveryDeadline.map { $0 <= now } ?? false
  }

  private mutating func timeOut(at now: Age, _ offer: Offer) {
    guard let timeout = request.resourceTimeout else { preconditionFailure("transfer \(id) has no timeout") }
    let forbidden = state.phase == .queued ? offer.forbiddenNetwork(for: request, on: lane.host) : nil
    let ofNetwork = forbidden.map { "; the network is \($0.rawValue), which it may not use" }
    let detail = "not finished within its resource timeout of \(timeout.inWords)\(ofNetwork ?? ofDelivery)"
    let failure = TransferFailure(.resourceTimedOut, detail, forbidden: forbidden)
    record.state.phase = .ended(.failed(failure), at: now)
  }

  /// What has kept its file from its place, to stand behind the timeout.
  private var ofDelivery: String {
    guard case .undelivered(_, _, _, let failure) = state.phase else { return "" }
    return "; its file could not be put in its place: \(failure.detail)"
  }

  /// Tells an attempt to stop: the engine has been silent for too long, or the resource timeout has passed. The report
  /// that it has finished may be on its way, behind whatever has held us up, and a server that took an upload must not
  /// be sent it again. So the engine's answer to the stop counts.
  private mutating func stop() -> [Deed] {
    record.state.phase = .stopping
    return [.stop(id, attempt: state.attempts)]
  }

  private mutating func deliver(_ response: Response, _ file: StagedFile) -> [Deed] {
    guard let destination = request.destination else { preconditionFailure("transfer \(id) has no destination") }
    record.state.deliveries += 1
    record.state.phase = .delivering(response, file)
    let order = DeliveryOrder(id: id, attempt: state.deliveries, file: file, destination: destination)
    return [.deliver(order)]
  }
}

extension Transfer {
  /// Notes that its earliest begin has come: its resource timeout runs from now.
  mutating func come(at now: Age) { (isEarly, record.born) = (false, now) }

  /// The same once the wall clock says so. If the date was learned only meanwhile, that is no news: the timeout runs as
  /// if the date had been known at the start, or each boot of a machine that forgets the date would renew it.
  mutating func come(at now: Age, wall: Timestamp) {
    guard wasUndated, wall.isDated else { return come(at: now) }
    isEarly = false
    _ = catchUp(at: now, wall: wall)
  }

  /// Has its resource timeout run from its earliest begin, which may have come while no daemon ran, or from now if the
  /// timeout has passed since. False if it runs as before.
  mutating func catchUp(at now: Age, wall: Timestamp) -> Bool {
    guard let begin = request.options.earliestBegin, !isEarly, !state.isEnded else { return false }
    let before = record.born
    if wall.isDated { record.born = max(before, Age(now.sinceFirst - (wall - begin))) }
    if state.attempts == 0, isTimedOut(at: now) { record.born = now }
    return record.born != before
  }
}
