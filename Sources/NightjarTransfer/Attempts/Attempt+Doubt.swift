import NIOCore
import NIOSSL
import NightjarModel

/// What must not be done twice (POST, PATCH) and may have been done: here it is decided whether a failure, a stop or a
/// busy answer leaves that open. If so, the transfer ends with a fact of its own (`unanswered`), and is not begun
/// again.
///
/// - Not all of the request has left: it is made again.
/// - All of it has left, and no answer begins: ``mayBeDone``.
/// - The answer of an upload breaks off: one that was taken is not sent again (``isTaken(_:)``).
/// - The answer of a download breaks off, or is of no use: ``isCarriedOut``.
/// - It leads to a page: that alone is asked for (``rememberPage()``), or nothing (``isCarriedOut``).
/// - All has come: a stop changes nothing any more (``endAnswered()``).
///
/// While an upload resource can be asked, its ``UploadDialogue`` decides.
extension Attempt {
  /// Whether the present request may be made twice: for its method, or because the server can be asked how much it has.
  var isRepeatable: Bool { AnswerHead.isRepeatable(itinerary.method) || dialogue?.resource != nil }

  /// Whether the server may have carried out, though it has not answered yet, what must not be carried out twice: all
  /// of the present request has left.
  var mayBeDone: Bool {
    guard let exchange, exchange.hasRequestLeft, !isRepeatable else { return false }
    return !order.request.isUpload || hasSentAll
  }

  /// Whether a download's request that must not be made twice was carried out, for all we know, before something
  /// failed: it has led to a page that is not remembered, or its answer has begun (RFC 9110, section 9.2.2).
  var isCarriedOut: Bool {
    guard page == nil, !order.request.isUpload, !AnswerHead.isRepeatable(order.request.method) else { return false }
    if case .body = answer.hearing { return true }
    return AnswerHead.isRepeatable(itinerary.method)
  }

  /// Whether an upload that must not be sent twice has been answered with success before its end, and all of it has
  /// left since.
  func isTaken(_ response: Response) -> Bool {
    hasSentAll && !isRepeatable && (200...299).contains(response.status)
  }

  /// Ends an upload that is stopped while its answer comes: sent again, it would be there twice. A download that must
  /// not be asked for twice, and has come whole, comes to its end by itself. False if there is nothing to fear.
  func endAnswered() -> Bool {
    let stop = TransferFailure(.connectionLost, "the transfer was stopped")
    switch answer.hearing {
    case .body(let response) where answer.coversWhole && page == nil: finish(response, without: stop)
    case .body(let response) where !answer.coversWhole && isTaken(response): failUnanswered(stop)
    case .unwanted(.finish(let response)) where order.request.isUpload: end(.finished(response))
    case .body where !order.request.isUpload && page == nil && exchange == nil:
      return !AnswerHead.isRepeatable(order.request.method)
    case .head, .body, .unwanted: return false
    }
    return true
  }

  /// Whether the whole is to be asked for again. A page that is remembered is asked for alone. To one that is not the
  /// POST would lead again, which was carried out.
  func isToRepeat(_ head: AnswerHead) -> Bool {
    guard page == nil else { return head.isBusy(for: itinerary.method) }
    let method = order.request.method
    return head.isBusy(for: method) && (itinerary.method == method || AnswerHead.isRepeatable(method))
  }

  /// The terminal fact of a transfer whose file could not be written or made safe at its end.
  func fact(of failure: TransferFailure) -> TransferFact {
    isCarriedOut ? .unanswered(doubtful(failure)) : .failed(failure, retryAfter: nil)
  }

  /// Fails for good.
  func failUnanswered(_ failure: TransferFailure) { end(.unanswered(doubtful(failure))) }

  /// A failure in words that tell why the request is not made again.
  func doubtful(_ failure: TransferFailure) -> TransferFailure {
    let words = "; the server may have carried out the \(order.request.method), which is not sent again"
    return TransferFailure(failure.code, failure.detail + words)
  }
}

extension Error {
  /// Whether it says that the request was not carried out: the server refuses the client's certificate, or wants one,
  /// which it may say when the request has left (RFC 8446, section 6.2). Any other fault may come after it was carried
  /// out.
  var isRefusal: Bool {
    switch self as any Error {
    case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
      let text = "\(self)"
      return certificateAlerts.contains { text.contains("ALERT_\($0)") }
    default: return false
    }
  }
}

/// BoringSSL's words for the alerts about a client's certificate.
private let certificateAlerts = [
  "ACCESS_DENIED", "BAD_CERTIFICATE", "CERTIFICATE_EXPIRED", "CERTIFICATE_REQUIRED", "CERTIFICATE_REVOKED",
  "CERTIFICATE_UNKNOWN", "HANDSHAKE_FAILURE", "UNKNOWN_CA", "UNSUPPORTED_CERTIFICATE",
]
