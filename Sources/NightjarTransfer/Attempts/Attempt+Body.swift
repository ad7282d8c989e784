import NIOCore
import NightjarModel

/// How the body of a download gets to its file, and when it is made safe.
extension Attempt {
  /// Begins the file at its first byte; bytes of an earlier version are removed first.
  func begin(_ validator: Validator?, _ length: Int64?) {
    guard let file = part?.file, let written = part?.written else { return }
    part?.restart(validator, length: length, from: itinerary.address.provenance)
    guard written > 0 else { return reportLower() }
    if !order.request.isUpload { tell(0, of: length) }  // Before the answer, which does not go on from these bytes.
    isRestarting = true
    exchange?.pause()
    onFiles { () throws(TransferFailure) in
      try StagedPart.empty(file)
    } then: { result in
      self.restarted(result)
    }
  }

  private func restarted(_ result: Result<Void, TransferFailure>) {
    isRestarting = false
    switch result {
    case .failure(let failure): fail(failure)
    case .success:
      reportLower()
      do { try part?.reserve() } catch { return fail(error) }
      takeHeld()
      caughtUp()
    }
  }

  /// Whether the file is being emptied, or bytes that have come are being unfolded or written: the end has to wait.
  var isCatchingUp: Bool { isRestarting || answer.isUnfolding || isWriting }

  /// Finishes with an answer that ended while the file was being emptied or written, once it no longer is.
  func goOnToEnd() {
    guard ending == nil, let response = answer.endedEarly, !isCatchingUp else { return }
    answer.endedEarly = nil
    finish(response)
  }

  /// Prepares to undo the coding of the body that follows. False if that cannot be done; the body is then of no use.
  func prepareToDecode(_ head: AnswerHead) -> Bool {
    do {
      try head.refuseTransferCodings(of: host)
      // A part of a coded body cannot be decoded; only a client that names a range of its own gets one.
      guard head.status != 206 else { return true }
      answer.decoder = try ContentCoding.named(by: head, host: host).map { coding throws(TransferFailure) in
        try BodyDecoder(coding, host: host, tools.settings)
      }
      return true
    } catch {
      let isFinal = !order.request.isUpload && !isRepeatable
      if answer.coversWhole {
        loseBody(of: head, error)
      } else {
        ignore(then: isFinal ? .giveUp(error) : .fail(error, retryAfter: nil))
      }
      return false
    }
  }

  /// Takes in bytes of the body, as they are or as they unfold.
  func take(_ bytes: ByteBuffer) throws(TransferFailure) {
    guard let decoder = answer.decoder else { return try keep(bytes) }
    decoder.hold(bytes)
    if !isRestarting, !answer.isUnfolding { try unfold() }
  }

  /// Takes in what held bytes unfold to, as much as suits one turn of the event loop, which others wait for. The rest
  /// follows, before anything more is read. It takes a timer to let others move meanwhile: what a loop is handed at
  /// once it does before it looks at its connections again.
  private func unfold() throws(TransferFailure) {
    guard let decoder = answer.decoder else { return }
    let most = tools.settings.unfoldedPerTurnMax
    answer.isUnfolding = try decoder.decode(atMost: most) { piece throws(TransferFailure) in
      try keep(piece)
    }
    guard answer.isUnfolding, ending == nil else { return }
    exchange?.pause()
    loop.scheduleTask(in: Self.unfoldingPause) { if self.loop.inEventLoop { self.unfoldRest() } }
  }

  private static let unfoldingPause = TimeAmount.milliseconds(1)

  private func unfoldRest() {
    guard ending == nil, answer.isUnfolding else { return }
    takeHeld()
    if !answer.isUnfolding { caughtUp() }
  }

  private func takeHeld() {
    do { try unfold() } catch { failInBody(error) }
  }

  /// Goes on once all that was held is in the file.
  private func caughtUp() {
    exchangePaused()
    balance()
    goOnToEnd()
  }

  private func keep(_ bytes: ByteBuffer) throws(TransferFailure) {
    guard ending == nil else { return }
    measure { $0.decodedBodyBytes += Int64(bytes.readableBytes) }
    guard !order.request.isUpload else { return try keepReply(bytes) }
    try part?.append(bytes, isHeld: isRestarting)
    try received()
  }

  /// Goes on to the body, if there is room for it.
  func expect(_ response: Response) {
    answer.hearing = .body(response)
    guard let part, let length = part.length else { return }
    // A file that is being emptied gives its own room back first.
    if !isRestarting { do { try part.reserve() } catch { return fail(error) } }
    goDirect(for: length - part.written)
  }

  /// Reports progress, syncs and pauses reading, as far as each is due.
  func received() throws(TransferFailure) {
    guard let part else { return }
    if let length = part.length, part.count > length {
      throw TransferFailure(.badServerResponse, "\(host) sent more than the \(length) bytes it had announced")
    }
    if !isComing(toItsEnd: part), pace.isDue(at: loop.now) {
      tellAnswer()
      tell(part.count, of: part.length)
    }
    balance()
  }

  /// Whether nothing more should be read just now, for the disk's sake or the rate's.
  var isSatiated: Bool {
    isRestarting || answer.isUnfolding || throttle.isOn || isFarBehind
      || (part?.unsynced ?? 0) > tools.settings.unsyncedMax
  }

  /// Writes and syncs if that is due, and pauses or resumes reading by how many bytes are unwritten and unsynced.
  func balance() {
    guard ending == nil, part != nil else { return }
    writeDirectly()
    guard let part else { return }
    let isDue = part.unsynced >= min(tools.settings.checkpointBytes, tools.settings.unsyncedMax)
    if isDue { sync() } else if part.unsynced > 0 { armSyncTimer() }
    isSatiated ? exchange?.pause() : exchange?.resume()
  }

  /// Syncs what has come so far, while more comes.
  func sync() {
    guard !syncing.isUnderWay, !isRestarting, !order.request.isUpload, part != nil else { return }
    do { try part?.flush() } catch { return fail(error) }
    guard let sync = part?.sync, sync.offset > (part?.synced ?? 0) else { return }
    syncing.isUnderWay = true
    syncing.disarm()
    let spare = tools.settings.freeSpaceMin
    onFiles { () throws(TransferFailure) in
      try sync.run()
      return sync.file.isShort(of: spare)
    } then: { result in
      self.synced(sync, result)
    }
  }

  private func synced(_ sync: StagedPart.Sync, _ result: Result<Bool, TransferFailure>) {
    syncing.isUnderWay = false
    if isSatiated { moved() }  // Not reading was our doing.
    switch result {
    case .failure(let failure): fail(failure, .checkpoint)
    case .success(let isNearlyFull):
      checkpoint(sync)
      if isNearlyFull, exchange != nil { failForSpace() }  // What has come whole needs no more.
    }
    balance()
  }

  private func failForSpace() {
    do {
      try part?.file.checkSpace(for: 0, beyond: tools.settings.freeSpaceMin)
    } catch {
      fail(error)
    }
  }

  /// Reports what is safe now, and what has come: nothing more may follow for long. A page is always fetched whole.
  func checkpoint(_ sync: StagedPart.Sync) {
    part?.learn(sync)
    catchUp()
    guard page == nil else { return }
    reported = sync.offset
    if let part { report(.checkpointed(part.point(at: sync.offset, of: sync.validator))) }
  }

  /// Whether the body is as long as announced, which may have been in a range only (HTTP/1.1 over a closing
  /// connection).
  var isComplete: Bool { part?.length.map { $0 == part?.count } ?? true }
}
