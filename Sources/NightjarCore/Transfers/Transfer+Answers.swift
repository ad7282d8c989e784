import NightjarModel

/// The decisions of a transfer's app, and the orders by which the engine gets them.
extension Transfer {
  /// What the engine is asked to do in the newest attempt.
  func order(_ limits: Limits, _ keyring: Keyring?) -> TransferOrder {
    var order = TransferOrder(
      id: id, attempt: state.attempts, request: request, resume: state.resume,
      retriesServerErrors: state.serverErrors < limits.serverErrorsMax)
    order.asks = keyring?.asks ?? .nothing
    order.answers =
      answers + (keyring?.answers ?? []).filter { shared in !answers.contains { $0.subject == shared.subject } }
    return order
  }

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
