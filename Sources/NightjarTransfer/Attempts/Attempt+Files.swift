import NIOCore
import NIOPosix
import NightjarModel

/// How an attempt opens its files, and has work done on them off its event loop.
extension Attempt {
  /// Opens the files, and asks.
  func prepare() {
    guard ending == nil else { return }  // It was stopped before it began: its files may be another's by now.
    do {
      guard let prepared = try Prepared(atOnce: order, tools) else { return prepareOnFiles() }
      adopt(prepared)
    } catch { fail(error) }
  }

  private func prepareOnFiles() {
    let (order, tools) = (order, tools)
    armStallTimer()
    onFiles { () throws(TransferFailure) in
      try Prepared(order, tools)
    } then: { result in
      switch result {
      case .success(let prepared): self.adopt(prepared)
      case .failure(let failure): self.fail(failure)
      }
    }
  }

  private func adopt(_ prepared: Prepared) {
    (part, source) = (prepared.part, prepared.source)
    // The file has been renamed, whatever becomes of the attempt.
    if order.resume?.heritage != nil, let point = part?.resumePoint { report(.checkpointed(point)) }
    do { try part?.file.checkSpace(for: 0, beyond: tools.settings.freeSpaceMin) } catch { return fail(error) }
    if source.mount != nil { return openSource() }
    if source.file != nil {
      openDialogue()
    } else if !turnsToPage() {
      reportLower()
    }
    sendRequest()
  }

  /// Tells the core if less is safe than it believes.
  func reportLower() {
    guard let part, part.synced == 0, reported > 0 else { return }
    reported = 0
    report(.checkpointed(ResumePoint(offset: 0, validator: nil, length: nil)))
  }

  /// Runs blocking work on a file thread, then `then` on the event loop. The attempt does not wind up in between.
  func onFiles<Value: Sendable>(
    _ work: @escaping @Sendable () throws(TransferFailure) -> Value,
    then: @escaping @Sendable (Result<Value, TransferFailure>) -> Void
  ) {
    jobs += 1
    let done = tools.files.runIfActive(eventLoop: loop) { Result { () throws(TransferFailure) in try work() } }
    done.whenComplete { result in
      self.jobs -= 1
      switch result {
      case .success(let result): then(result)
      case .failure: then(.failure(.shutDown))
      }
      self.goOnIfIdle()
    }
  }

  /// Makes the file safe together with others that have come whole, then runs `then` on the event loop.
  func onSealed(
    _ sync: StagedPart.Sync, then: @escaping @Sendable (Result<StagedFile, TransferFailure>) -> Void
  ) {
    jobs += 1
    tools.sealer.add(
      Sealing(sync: sync, source: source.mount == nil ? source.file : nil, loop: loop) { result in
        self.jobs -= 1
        then(result)
        self.goOnIfIdle()
      })
  }
}
