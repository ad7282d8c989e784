import NIOCore
import NightjarModel

/// The file that an upload sends. A download has none.
struct UploadSource: Sendable {
  /// The file, from when it is open until the attempt closes it.
  var file: SourceFile?
  /// The mount on whose lanes it is touched; nil where the file threads may touch it.
  var mount: FileSystems.Mount?
  /// Calls under way on its mount's lanes. The end does not wait for them: they may never return.
  var looks = 0

  /// How long it is; nil while it is not open.
  var length: Int64? { file?.stamp.size }
}

/// How the file of an upload is touched. It lies wherever the client likes, so its file system may not answer: then the
/// attempt fails with that reason, and is retried later. Nothing waits for the call that does not return, and no other
/// call is made behind it.
extension Attempt {
  /// Opens the file on its mount, and begins.
  func openSource() {
    guard case .upload(let path, let stamp) = order.request.direction, let mount = source.mount else { return }
    let lane = mount.lane(.looking)
    onSource(.looking) { () throws(TransferFailure) in
      try SourceFile(path, stamp, on: lane)
    } then: { result in
      guard self.ending == nil else { return }
      switch result {
      case .success(let file): self.begin(with: file)
      case .failure(let failure): self.fail(failure)
      }
    }
  }

  private func begin(with file: SourceFile) {
    source.file = file
    openDialogue()
    sendRequest()
  }

  /// Makes sure that the file that was sent is still the file that was queued, unless the sealing of the answer does
  /// so. A file that can no longer be looked at counts as unchanged: the server has what was sent.
  func verifySource(then: @escaping @Sendable () -> Void) {
    guard let file = source.file, source.mount != nil else { return then() }
    onSource(.looking) { () throws(TransferFailure) in
      try file.verify()
    } then: { result in
      if case .failure(let failure) = result, failure.code == .sourceChanged {
        self.close(.failed(failure, retryAfter: nil))
      } else {
        then()
      }
    }
  }

  /// Runs work on the file of an upload where nothing else has to wait for its file system. Calls `then` once: with the
  /// result, or with a failure if the file system does not answer.
  func onSource<Value: Sendable>(
    _ kind: FileSystems.Work, _ work: @escaping @Sendable () throws(TransferFailure) -> Value,
    then: @escaping @Sendable (Result<Value, TransferFailure>) -> Void
  ) {
    guard let lane = source.mount?.lane(kind) else { return onFiles(work, then: then) }
    guard !lane.isSilent(for: patience) else { return then(.failure(noAnswer)) }
    source.looks += 1
    let timer = NIOLoopBoundBox<Scheduled<Void>?>(nil, eventLoop: loop)
    let settle: @Sendable (Result<Value, TransferFailure>) -> Void = { result in
      guard let waiting = timer.value else { return }
      waiting.cancel()
      timer.value = nil
      self.source.looks -= 1
      then(result)
      self.goOnIfIdle()
    }
    let end = NIODeadline.now() + TimeAmount(order.request.requestTimeout)
    wait(for: lane, timer, atMostUntil: end) { settle(.failure(self.noAnswer)) }
    lane.submit { [loop] in
      let result = Result { () throws(TransferFailure) in try work() }
      loop.execute { settle(result) }
    }
  }

  /// Gives up once a lane has made no progress for too long. A lane that is only busy has as long as a server has.
  private func wait(
    for lane: FileLane, _ timer: NIOLoopBoundBox<Scheduled<Void>?>, atMostUntil end: NIODeadline,
    _ giveUp: @escaping @Sendable () -> Void
  ) {
    let rest = TimeAmount(max(patience - (lane.silence ?? .zero), .milliseconds(1)))
    timer.value = loop.scheduleTask(deadline: min(.now() + rest, end)) { [self] in
      guard timer.value != nil else { return }  // A timer that was due just as the answer came runs all the same.
      let isOver = lane.isSilent(for: patience) || NIODeadline.now() >= end
      isOver ? giveUp() : wait(for: lane, timer, atMostUntil: end, giveUp)
    }
  }

  private var patience: Duration { min(tools.settings.filePatience, order.request.requestTimeout) }

  private var noAnswer: TransferFailure {
    guard case .upload(let path, _) = order.request.direction else {
      preconditionFailure("transfer \(order.id) sends no file")
    }
    return TransferFailure(.timedOut, "the file system of \(path) has not answered for too long")
  }
}
