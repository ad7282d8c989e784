import Foundation
import FoundationNetworking

/// Hears what FoundationNetworking's session says, on a queue of its own, and hands it on.
///
/// Downloads are data tasks to FoundationNetworking, which opens a download's file anew for every 16 KiB; we write them.
// Unchecked: `carrier` is set once, before the first task.
final class LocalEar: NSObject, FoundationNetworking.URLSessionDataDelegate, @unchecked Sendable {
  weak var carrier: LocalCarrier?

  func urlSession(
    _ session: FoundationNetworking.URLSession, dataTask: FoundationNetworking.URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (FoundationNetworking.URLSession.ResponseDisposition) -> Void
  ) {
    carrier?.hear(.answered(response), of: dataTask)
    completionHandler(.allow)  // It is not heeded: the carrier holds back what comes until the app has decided.
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

  /// The whole of a refusal has come, and FoundationNetworking would now see to credentials in its own way. It is asked to
  /// leave the task, and is heard of it no more.
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
