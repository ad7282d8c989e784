import NightjarModel

/// The decisions of a transfer's app, and the orders by which the engine gets them.
extension Transfer {
  /// What the engine is asked to do in the newest attempt.
  func order(_ limits: Limits, _ keyring: Keyring?) -> TransferOrder {
    let isPatient = state.serverErrors < limits.serverErrorsMax
    var order = TransferOrder(
      id: id, attempt: state.attempts, request: request, resume: state.resume,
      retriesServerErrors: isPatient || outlastsServerErrors)
    order.asksForOffset = isPatient
    order.asks = keyring?.asks ?? .nothing
    order.answers =
      answers + (keyring?.answers ?? []).filter { shared in !answers.contains { $0.subject == shared.subject } }
    return order
  }

  /// Whether no answer of a busy server is its result: without a session there is no app to make anything of it.
  private var outlastsServerErrors: Bool { request.session == nil }

  /// Takes in the decision about its question, or the default. Returns the answer if it holds for the whole session.
  mutating func decide(_ decision: Decision, at now: Age) -> Answered? {
    guard case .asking(let question, _) = state.phase, record.state.decide(decision, at: now),
      case .challenge(let challenge) = question
    else { return nil }
    let answered = Answered(challenge.subject, decision, previousFailures: challenge.previousFailures)
    answers.removeAll { $0.subject == answered.subject }
    if answers.count >= Limits.answersPerTransferMax { answers.removeFirst() }
    answers.append(answered)
    return challenge.isShared(decision) ? answered : nil
  }
}
