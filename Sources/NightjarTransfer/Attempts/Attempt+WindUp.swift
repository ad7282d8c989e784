import NightjarModel

/// How an attempt winds up once its ending is settled: what came is synced, the files are closed, the terminal fact is
/// reported.
extension Attempt {
  func windUp() {
    guard let ending, !isWindingUp else { return }
    isWindingUp = true
    switch ending {
    case .finished(let response): verifySource { self.seal(response) }
    case .failed(let failure, let retryAfter, let keeping):
      catchUpSent()
      keep(keeping) { self.close(.failed(failure, retryAfter: retryAfter)) }
    case .unanswered(let failure):
      catchUpSent()
      keep(.all) { self.close(.unanswered(failure)) }
    case .asked(let question): keep(.all) { self.close(.asked(question)) }
    case .stopped(let keeping): keep(keeping) { self.close(.stopped) }
    }
  }

  private func seal(_ response: Response) {
    guard let sync = flushed() else { return }
    onSealed(sync) { result in
      switch result {
      case .success(let file): self.close(self.told(response, file))
      case .failure(let failure): self.keep(.checkpoint) { self.close(self.unsealed(response, failure)) }
      }
    }
  }

  private func flushed() -> StagedPart.Sync? {
    do {
      try flush()
      return part?.sync
    } catch {
      keep(.checkpoint) { self.close(self.fact(of: error)) }
      return nil
    }
  }

  private func keep(_ keeping: Keeping, _ then: @escaping @Sendable () -> Void) {
    guard !order.request.isUpload else { return then() }
    switch keeping {
    case .all: syncLast(then)
    case .checkpoint: cutBack(then)
    case .nothing:
      part?.restart(nil, length: nil)
      reportLower()
      then()
    }
  }

  private func syncLast(_ then: @escaping @Sendable () -> Void) {
    try? part?.flush()
    guard let part, part.written > 0 else { return then() }
    guard part.resumePoint != nil else { return cutBack(then) }
    guard part.unsynced > 0 else { return then() }
    let sync = part.sync
    onFiles { () throws(TransferFailure) in
      try sync.run()
    } then: { result in
      guard case .success = result else { return self.cutBack(then) }
      self.checkpoint(sync)
      then()
    }
  }

  /// Closes the files and reports the one terminal fact.
  func close(_ fact: TransferFact) {
    movement.disarm()
    (part, source.file) = (nil, nil)
    report(.measured(measuring.metrics))
    report(fact)
    onEnd(self)
  }
}
