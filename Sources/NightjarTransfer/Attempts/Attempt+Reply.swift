import Logging
import NIOCore
import NightjarModel

/// How much of the answer to an upload is kept.
struct ReplyKeeping {
  /// How long it is so far.
  var bytes: Int64 = 0
  /// Why the body could not be kept, if so.
  var loss: TransferFailure?
}

/// What is kept of a server's answer to an upload.
///
/// The file for it is opened, and room looked for, before anything is sent. If there is no room all the same, or the
/// body itself is unusable (cut off, too long, in an unsupported coding), only the answer's body is lost: the server
/// has what was sent, so a failure would be false, and a retry would send it twice. The transfer ends with the answer's
/// head, whatever its status, an empty file, and a `Warning` that says so (RFC 7234, section 5.5).
extension Attempt {
  /// Whether all of the file has left.
  var hasSentAll: Bool {
    guard order.request.isUpload, let file = source.file else { return false }
    return upload.sent == file.stamp.size
  }

  /// Finishes at once with an answer whose body is unusable. No more of it is read: it may have no end.
  func finish(_ response: Response, without failure: TransferFailure) {
    lose(failure)
    measureEnd()
    report(finalProgress: true)
    end(.finished(response))
  }

  /// Ends the upload with an answer's head, before its body, which is unusable, has come.
  func loseBody(of head: AnswerHead, _ failure: TransferFailure) {
    lose(failure)
    report(finalProgress: true)
    ignore(then: .finish(head.response(from: shownURL)))
  }

  /// Takes in bytes of the answer to an upload.
  func keepReply(_ bytes: ByteBuffer) throws(TransferFailure) {
    try boundReply(by: bytes.readableBytes)
    guard reply.loss == nil else { return }
    do { try part?.append(bytes, isHeld: false) } catch { lose(error) }
  }

  private func boundReply(by count: Int) throws(TransferFailure) {
    reply.bytes += Int64(count)
    guard reply.bytes > tools.settings.replyMax else { return }
    let limit = tools.settings.replyMax >> 20
    throw TransferFailure(.badServerResponse, "\(host) replies to the upload with more than \(limit) MiB")
  }

  /// Writes what has been taken in.
  func flush() throws(TransferFailure) {
    guard reply.loss == nil else { return }
    do {
      try part?.flush()
    } catch {
      guard order.request.isUpload else { throw error }
      lose(error)
    }
  }

  private func lose(_ failure: TransferFailure) {
    guard reply.loss == nil else { return }
    reply.loss = failure
    let facts: Logger.Metadata = ["transfer": "\(order.id)", "reason": "\(failure.detail)"]
    tools.logger.warning("the body of the answer to an upload is lost", metadata: facts)
    part?.clear()
  }

  /// The terminal fact of a transfer whose file is safe.
  func told(_ response: Response, _ file: StagedFile) -> TransferFact {
    var response = response
    if let length = source.length, (200...299).contains(response.status), !hasSentAll, !answer.saysComplete {
      response.noteEarly(sent: upload.sent, of: length)
    }
    guard let loss = reply.loss else { return .finished(response, file) }
    let words = loss.detail.map { $0 == "\"" ? "'" : $0 }
    response.warn("the body of this answer is lost: \(String(words))")
    return .finished(response, file)
  }

  /// The terminal fact of a transfer whose file cannot be made safe.
  func unsealed(_ response: Response, _ failure: TransferFailure) -> TransferFact {
    guard order.request.isUpload, failure.code != .sourceChanged else { return fact(of: failure) }
    lose(failure)
    guard let part, let stamp = try? part.file.stamp() else {
      return isRepeatable ? .failed(failure, retryAfter: nil) : .unanswered(doubtful(failure))
    }
    return told(response, StagedFile(path: part.file.path, stamp: stamp))
  }
}
