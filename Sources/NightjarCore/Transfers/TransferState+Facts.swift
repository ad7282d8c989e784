import NightjarModel

extension TransferState {
  /// Takes in what the engine reports on an attempt. False when nothing has changed: the fact is late, or only informs.
  mutating func learn(
    _ fact: TransferFact, ofAttempt attempt: Int, for request: TransferRequest, _ circumstances: Circumstances
  ) -> Bool {
    guard attempt == attempts else { return false }  // Late: a newer attempt is under way.
    switch (phase, fact) {
    case (.running, .progressed(let count, _)), (.stopping, .progressed(let count, _)):
      reached = max(reached, count)
      return false
    case (.running, .informed), (.stopping, .informed), (.running, .throttled), (.stopping, .throttled),
      (.running, .measured), (.stopping, .measured):
      return false
    case (.running, .checkpointed(let point)), (.stopping, .checkpointed(let point)):
      advance(to: point)
    case (.running, .finished(let response, let file)), (.stopping, .finished(let response, let file)):
      finish(response, file, for: request, circumstances.now)
    case (.running, .failed(let failure, let retryAfter)):
      fail(failure, retryAfter, circumstances)
    case (.running, .unanswered(let failure)), (.stopping, .unanswered(let failure)):
      failures += 1
      phase = .ended(.failed(failure), at: circumstances.now)
    case (.running, .asked(let question)):
      phase = .asking(question, until: circumstances.now + circumstances.limits.questionTimeout)
    case (.stopping, .stopped), (.running, .stopped):
      if resume?.heritage != nil, untouching == attempts - 1 { untouching = attempts }  // It reports any touch.
      phase = .queued
    case (.stopping, .failed), (.stopping, .asked):
      phase = .queued
    case (.queued, _), (.waiting, _), (.asking, _), (.delivering, _), (.undelivered, _), (.ended, _):
      return false  // Late: this attempt is already settled.
    }
    return true
  }

  /// Takes in what the engine reports on a delivery. False when the fact is late.
  mutating func learn(
    _ fact: DeliveryFact, ofAttempt attempt: Int, for request: TransferRequest, _ circumstances: Circumstances
  ) -> Bool {
    guard attempt == deliveries else { return false }
    switch (phase, fact) {
    case (.delivering(let response, let file), .delivered), (.undelivered(_, let response, let file, _), .delivered):
      phase = .ended(.succeeded(response, file), at: circumstances.now)  // Though it had seemed to stand still.
    case (.delivering, .failed(let failure)) where failure.code == .cannotReadSource:
      beginAgain(after: failure, for: request, circumstances)
    case (.delivering(let response, let file), .failed(let failure)):
      failures += 1
      phase = undelivered(response, file, failure, for: request, circumstances)
    case (.undelivered, .failed): return false
    case (.queued, _), (.running, _), (.stopping, _), (.waiting, _), (.asking, _), (.ended, _): return false
    }
    return true
  }

  /// Failures that pass are retried. With the others, a transfer waits until a person has made way; one with a session
  /// fails at once, since there is a program to be told.
  private func undelivered(
    _ response: Response, _ file: StagedFile, _ failure: TransferFailure, for request: TransferRequest,
    _ circumstances: Circumstances
  ) -> Phase {
    guard failure.code == .diskFull || failure.code == .timedOut else {
      guard request.session == nil else { return .ended(.failed(failure), at: circumstances.now) }
      return .undelivered(until: nil, response, file, failure)
    }
    let delay = failure.delay(afterFailures: failures, retryAfter: nil, circumstances)
    return .undelivered(until: delay.map { circumstances.now + $0 }, response, file, failure)
  }

  /// Has a finished file that is lost or damaged downloaded again: only a few times, or a disk that loses every file
  /// would have it downloaded for ever. A request that must not be made twice has been carried out, and its answer is
  /// gone, unless that was a page.
  mutating func beginAgain(
    after failure: TransferFailure, for request: TransferRequest, _ circumstances: Circumstances
  ) {
    let (limits, now) = (circumstances.limits, circumstances.now)
    losses += 1
    (resume, farthest) = (resume?.ofPage, 0)
    let mayAsk = resume != nil || AnswerHead.isRepeatable(request.method)
    phase =
      mayAsk && losses <= limits.doubtfulFailuresMax
      ? .waiting(until: now + limits.retry.delay(afterFailures: losses, entropy: circumstances.entropy), failure)
      : .ended(.failed(mayAsk ? failure : failure.ofCarriedOut(request.method)), at: now)
  }

  /// Takes in how far an attempt has come. Once it can be resumed from further than ever, earlier failures no longer
  /// count. Bytes that the next attempt must fetch again are no progress, nor are bytes that were reached before.
  private mutating func advance(to point: ResumePoint) {
    let before = max(resume?.offset ?? 0, farthest)
    if point.canGoOn, point.offset > before { (failures, serverErrors, wasted, doubts) = (0, 0, 0, 0) }
    (resume, farthest) = (point, max(before, point.offset))
  }

  private mutating func finish(_ response: Response, _ file: StagedFile, for request: TransferRequest, _ now: Age) {
    if request.destination == nil {
      phase = .ended(.succeeded(response, file), at: now)
    } else if (200...299).contains(response.status) {
      (failures, doubts) = (0, 0)
      phase = .undelivered(until: .zero, response, file, TransferFailure(.cannotWrite, "not tried yet"))
    } else {
      let detail = "the server answered \(response.status), which is not the file"
      phase = .ended(.failed(TransferFailure(.badServerResponse, detail)), at: now)
    }
  }

  private mutating func fail(_ failure: TransferFailure, _ retryAfter: Duration?, _ circumstances: Circumstances) {
    let limits = circumstances.limits
    failures += 1
    doubts = failure.isDoubtful ? doubts + 1 : 0
    if failure.code == .serverBusy { serverErrors += 1 }
    if wastes { wasted += 1 }
    let isFinal = doubts > limits.doubtfulFailuresMax
    if !isFinal, let delay = failure.delay(afterFailures: failures, retryAfter: retryAfter, circumstances) {
      let rarity = wastes ? limits.refetch.delay(afterFailures: wasted, entropy: circumstances.entropy) : .zero
      phase = .waiting(until: circumstances.now + max(delay, rarity), failure)
    } else {
      phase = .ended(.failed(failure), at: circumstances.now)
    }
  }

  /// Whether the newest attempt has moved many bytes that the next one has to move again. A server that always cuts
  /// what cannot be gone on with would have them moved for ever, so such attempts become ever rarer.
  private var wastes: Bool {
    let kept = resume.map { $0.canGoOn ? $0.offset : 0 } ?? 0
    return reached - kept >= Self.wasteMin
  }

  /// Fewer bytes in vain cost no more than an attempt does anyway.
  private static var wasteMin: Int64 { 1 << 20 }
}

extension TransferFailure {
  /// The failure in words that say why the request is not made again.
  fileprivate func ofCarriedOut(_ method: String) -> TransferFailure {
    TransferFailure(code, "\(detail); the \(method) was carried out, and is not made again")
  }

  /// Whether it is often a passing fault of something between here and the server, and yet may be the server's last
  /// word: tried a few times in a row before it counts.
  fileprivate var isDoubtful: Bool {
    let codes: [Code] = [
      .secureConnectionFailed, .certificateUntrusted, .certificateExpired, .clientCertificateRequired,
      .badServerResponse,
    ]
    return codes.contains(code)
  }

  /// How long to wait before the next attempt; nil when another would fare no better.
  func delay(afterFailures failures: Int, retryAfter: Duration?, _ circumstances: Circumstances) -> Duration? {
    let (limits, entropy) = (circumstances.limits, circumstances.entropy)
    switch code {
    case .cannotFindHost, .cannotConnect, .notConnected, .connectionLost, .timedOut, .serverBusy:
      // Both, so that what waits for the same host goes first once its time is over (``Transfers/rest(_:for:at:)``).
      let wished = min(retryAfter ?? .zero, limits.retryAfterMax)
      return wished + limits.retry.delay(afterFailures: failures, entropy: entropy)
    case .secureConnectionFailed, .certificateUntrusted, .certificateExpired, .certificateNotYetValid,
      .clientCertificateRequired, .badServerResponse:
      return limits.retry.delay(afterFailures: failures, entropy: entropy)
    case .diskFull, .cannotWrite:  // An attempt writes to the staging area only; a person sees to that.
      return max(limits.diskFullDelay, limits.retry.delay(afterFailures: failures, entropy: entropy))
    case .badURL, .tooManyRedirects, .badRedirect, .cannotReadSource, .sourceChanged, .destinationExists,
      .checksumMismatch, .resourceTimedOut, .cancelled, .cancelledByPerson, .appRemoved:
      return nil
    }
  }
}

extension TransferFailure {
  /// Whether a transfer that failed like this leaves a remnant. An app that cancels one asks for the remnant
  /// beforehand; one whose transfer a person has cancelled had no occasion to.
  var leavesRemnant: Bool {
    ![.cancelled, .appRemoved, .checksumMismatch, .sourceChanged].contains(code)
  }
}

extension ResumePoint {
  /// Whether the next attempt can go on from here, and need not begin again.
  var canGoOn: Bool { validator != nil || upload != nil }

  /// The page that a request has led to, from its first byte; nil if it has led to none.
  fileprivate var ofPage: ResumePoint? {
    guard let upload, upload.version == nil else { return nil }
    return ResumePoint(offset: 0, validator: nil, length: nil, upload: upload)
  }
}
