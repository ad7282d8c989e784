public import NightjarModel

extension TransferState {
  /// Goes on as its app has decided, or by default. False if it does not ask.
  mutating func decide(_ decision: Decision, at now: Age) -> Bool {
    guard case .asking(let question, _) = phase else { return false }
    if let failure = question.failure(after: decision) {
      phase = .ended(.failed(failure), at: now)
    } else {
      phase = .queued
      if question == .delayedBegin { asksBeforeBegin = false }
    }
    return true
  }

  /// Tries again without an answer of its own: one that was given to another transfer may serve. False if it does not
  /// ask.
  mutating func withdraw() -> Bool {
    guard case .asking = phase else { return false }
    phase = .queued
    return true
  }
}

extension Question {
  /// How its transfer ends if its app does not answer in time; nil if the transfer goes on by default. One that has
  /// only shown the head of its answer does not become a download by itself.
  public var failureUnanswered: TransferFailure? {
    switch self {
    case .challenge, .delayedBegin: nil
    case .answer: TransferFailure(.cancelled, "its app did not say in time whether it wants the file")
    }
  }

  /// How a decision ends the transfer; nil if it goes on.
  fileprivate func failure(after decision: Decision) -> TransferFailure? {
    if decision == .cancel { return TransferFailure(.cancelled, "cancelled by its app") }
    switch self {
    case .delayedBegin, .answer: return nil
    case .challenge(let challenge): return challenge.failure(after: decision)
    }
  }
}

extension Challenge {
  fileprivate func failure(after decision: Decision) -> TransferFailure? {
    switch (space.method, decision) {
    case (.basic, _), (.digest, _): nil  // The server's refusal is an answer too.
    case (.serverTrust, .use(.trust, _)): nil
    case (.serverTrust, .reject):
      distrust ?? TransferFailure(.certificateUntrusted, "its app rejects the certificate of \(space.host)")
    case (.serverTrust, .performDefault) where isOfClock: nil  // The system is asked again, until the time has come.
    case (.serverTrust, _): distrust
    case (.clientCertificate, .use(.identity, _)): nil
    case (.clientCertificate, _):
      TransferFailure(.clientCertificateRequired, "\(space.host) insists on a certificate of ours, and got none")
    }
  }

  /// Whether a decision holds for the session's other transfers too.
  func isShared(_ decision: Decision) -> Bool {
    switch (space.method, decision) {
    case (.serverTrust, .use(.trust, _)): true
    case (.serverTrust, .performDefault): distrust == nil || isOfClock
    case (_, .use(_, let isRemembered)): isRemembered
    case (_, _): false
    }
  }

  /// How an attempt fails for now if its app has left this certificate, which is not valid yet, to the system; nil if
  /// the app is to be asked. It may trust the certificate all the same, so it is asked once, but not each time.
  func failureForNow(knowing answers: [Answered]) -> TransferFailure? {
    guard isOfClock, answers.contains(where: { $0.subject == subject && $0.decision == .performDefault }) else {
      return nil
    }
    return distrust
  }

  /// Whether the certificate is not valid yet, by our clock.
  private var isOfClock: Bool { distrust?.isOfClock == true }
}
