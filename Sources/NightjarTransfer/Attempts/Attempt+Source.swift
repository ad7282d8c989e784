import NIOCore
import NightjarModel

/// How the file that is uploaded is touched. It lies wherever the client likes, so its file system may be one that does not
/// answer: then the attempt fails in words, and is tried again later, but nobody waits for the call that does not return.
extension Attempt {
  /// Opens the file, and begins.
  func openSource() {
    guard case .upload(let path, let stamp) = order.request.direction else { return }
    let lane = tools.fileSystems.lane(for: path, .looking)
    sourceLane = lane
    onSource { () throws(TransferFailure) in
      try SourceFile(path, stamp, on: lane)
    } then: { result in
      guard self.ending == nil else { return }
      switch result {
      case .success(let source): self.begin(with: source)
      case .failure(let failure): self.fail(failure)
      }
    }
  }

  private func begin(with source: SourceFile) {
    self.source = source
    openDialogue()
    ask()
  }

  /// Makes sure that what was sent is still what was queued. Of a file that cannot be looked at any more it is believed: the
  /// server has what was sent.
  func verifySource(then: @escaping @Sendable () -> Void) {
    guard let source else { return then() }
    onSource { () throws(TransferFailure) in
      try source.verify()
    } then: { result in
      if case .failure(let failure) = result, failure.code == .sourceChanged {
        self.close(.failed(failure, retryAfter: nil))
      } else {
        then()
      }
    }
  }

  /// Touches the file to upload, where nobody else has to wait for its file system, and comes back once: with what the work
  /// has found, or within the request timeout with the failure that there was no answer.
  func onSource<Value: Sendable>(
    _ work: @escaping @Sendable () throws(TransferFailure) -> Value,
    then: @escaping @Sendable (Result<Value, TransferFailure>) -> Void
  ) {
    guard let sourceLane else { return onFiles(work, then: then) }
    looks += 1
    let (loop, isOpen) = (loop, NIOLoopBoundBox(true, eventLoop: loop))
    let settle: @Sendable (Result<Value, TransferFailure>) -> Void = { result in
      guard isOpen.value else { return }
      isOpen.value = false
      self.looks -= 1
      then(result)
      self.goOnIfIdle()
    }
    let patience = loop.scheduleTask(in: TimeAmount(order.request.requestTimeout)) { settle(.failure(self.noAnswer)) }
    sourceLane.submit {
      let result = Result { () throws(TransferFailure) in try work() }
      loop.execute {
        patience.cancel()
        settle(result)
      }
    }
  }

  private var noAnswer: TransferFailure {
    guard case .upload(let path, _) = order.request.direction else {
      preconditionFailure("transfer \(order.id) sends no file")
    }
    let seconds = order.request.requestTimeout.inSeconds
    return TransferFailure(.timedOut, "the file system of \(path) has not answered for \(seconds) s")
  }
}
