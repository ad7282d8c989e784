import Foundation
import FoundationNetworking

/// The delegate of FoundationNetworking's session, on a queue of its own; passes events on to the carrier.
///
/// Downloads are data tasks of FoundationNetworking, since it reopens a download's file for every 16 KiB; we write the
/// file.
// Unchecked: `carrier` is set once, before the first task.
final class LocalEar: NSObject, FoundationNetworking.URLSessionDataDelegate, @unchecked Sendable {
  weak var carrier: LocalCarrier?

  func urlSession(
    _ session: FoundationNetworking.URLSession, dataTask: FoundationNetworking.URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (FoundationNetworking.URLSession.ResponseDisposition) -> Void
  ) {
    carrier?.hear(.answered(response), of: dataTask)
    completionHandler(.allow)  // It has no effect: the carrier holds bytes back until the app has decided.
  }

  func urlSession(
    _ session: FoundationNetworking.URLSession, dataTask: FoundationNetworking.URLSessionDataTask, didReceive data: Data
  ) { carrier?.hear(.received(data), of: dataTask) }

  func urlSession(
    _ session: FoundationNetworking.URLSession, task: FoundationNetworking.URLSessionTask,
    didSendBodyData bytesSent: Int64, totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) { carrier?.hear(.progressed, of: task) }

  func urlSession(
    _ session: FoundationNetworking.URLSession, task: FoundationNetworking.URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let carrier else { return completionHandler(nil) }
    carrier.hear(.redirected(response, request, completionHandler), of: task)
  }

  /// The whole refusal has arrived, and FoundationNetworking would now handle the challenge itself. Its task is
  /// cancelled, and further events of it are ignored.
  func urlSession(
    _ session: FoundationNetworking.URLSession, task: FoundationNetworking.URLSessionTask,
    didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (
        FoundationNetworking.URLSession.AuthChallengeDisposition, URLCredential?
      ) -> Void
  ) {
    carrier?.hearLast(of: task)
    completionHandler(.cancelAuthenticationChallenge, nil)
  }

  func urlSession(
    _ session: FoundationNetworking.URLSession, task: FoundationNetworking.URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    guard let carrier else { return completionHandler(nil) }
    carrier.hear(.needsStream { completionHandler($0.stream) }, of: task)
  }

  func urlSession(
    _ session: FoundationNetworking.URLSession, task: FoundationNetworking.URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) { carrier?.hear(.ended(error), of: task) }
}
