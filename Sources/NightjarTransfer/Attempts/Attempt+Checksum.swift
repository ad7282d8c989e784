import Logging
import NIOCore
import NightjarModel

/// How the file is compared with the checksum that the client gave, before it counts as finished.
///
/// The whole file is read once more, what an earlier attempt left included, on a file thread and in steps. Only the
/// body of a success (2xx) is the file that was meant; the body of a 404 is passed on as it came.
extension Attempt {
  /// Finishes, once the file has been found to be what the client expects.
  func finishVerified(_ response: Response) {
    guard let checksum = order.request.options.checksum, !order.request.isUpload, let part,
      (200...299).contains(response.status)
    else { return end(.finished(response)) }
    do { try self.part?.flush() } catch { return fail(error, .checkpoint) }
    let step = tools.settings.verifyingStep
    let hash = FileHash(of: part.file, length: part.count, by: checksum.algorithm, stepSize: step)
    verify(hash, checksum, response)
  }

  private func verify(_ hash: FileHash, _ checksum: Checksum, _ response: Response) {
    onFiles { () throws(TransferFailure) in
      try hash.step()
    } then: { result in
      guard self.ending == nil else { return }
      switch result {
      case .failure(let failure): self.fail(failure)
      case .success(checksum.digits): self.end(.finished(response))
      case .success(.some(let digits)): self.mismatched(checksum, found: digits)
      case .success(nil):
        self.report(finalProgress: true)
        self.verify(hash, checksum, response)
      }
    }
  }

  /// A bit may have flipped on the way or on the disk: fetches the whole once more, where that may be done, and fails
  /// if it differs again.
  private func mismatched(_ checksum: Checksum, found digits: String) {
    guard manner.isSecondFetch || !isRepeatable || isStopped else {
      tools.logger.debug("fetching again: another checksum", metadata: ["transfer": "\(order.id)"])
      (manner.isSecondFetch, manner.wantsRest) = (true, false)
      syncing.disarm()  // What was written so far is not worth a sync any more.
      return requestAgain()
    }
    let (twice, name) = (manner.isSecondFetch ? "twice " : "", checksum.algorithm.rawValue)
    let failure = TransferFailure(
      .checksumMismatch,
      "the file from \(host) came \(twice)with the \(name) \(digits), not \(checksum.digits); fetch it from "
        + "elsewhere, or correct the checksum")
    fail(failure, .nothing)
  }
}
