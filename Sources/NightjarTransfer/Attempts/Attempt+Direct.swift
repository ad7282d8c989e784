import NightjarModel

/// How a large download goes past the page cache: written on a file thread, while more is read.
extension Attempt {
  /// Whether the body goes past the page cache.
  var isDirect: Bool { part?.isDirect ?? false }

  /// Whether a batch of it is being written. What comes after that batch has to wait, the end included.
  var isWriting: Bool { part?.isWriting ?? false }

  /// Whether the disk is further behind than memory allows.
  var isFarBehind: Bool { (part?.waiting ?? 0) > tools.settings.directWaitingMax }

  /// Has the `rest` bytes still to come go past the page cache, if that is possible and worth it.
  func goDirect(for rest: Int64) {
    let settings = tools.settings
    guard rest >= settings.directBytesMin, !order.request.isUpload, !isReadAgain, exchange?.isOwnLine == true else {
      return
    }
    part?.goDirect(pieceSize: min(settings.directPieceSize, Int(settings.directWaitingMax)), tools.directPlaces)
    if isDirect { exchange?.readOnceATurn() }
  }

  /// Whether the engine reads the file again, for its checksum or to copy it to another mount. That is quicker from the
  /// page cache.
  private var isReadAgain: Bool {
    let isCopied = order.request.destination.map { tools.fileSystems.mount(of: $0.path) != nil } ?? false
    return isCopied || order.request.options.checksum != nil
  }

  /// Has the waiting bytes written, as far as they make whole pieces.
  func writeDirectly() {
    guard !isRestarting, let batch = part?.nextBatch() else { return }
    onFiles { () throws(TransferFailure) in
      try batch.write()
    } then: { result in
      self.wrote(batch, result)
    }
  }

  private func wrote(_ batch: DirectWriting.Batch, _ result: Result<Void, TransferFailure>) {
    if isSatiated { moved() }  // Not reading was our doing.
    switch result {
    case .success: part?.landed(batch)
    case .failure(let failure):
      part?.forgetWaiting()  // It would leave a hole.
      fail(failure)
    }
    balance()
    goOnToEnd()
  }
}
