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
    let next = request.trusted(after: response.url)
    guard let carrier else { return completionHandler(next) }
    carrier.hear(.redirected(response, next, completionHandler), of: task)
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
    _ session: FoundationNetworking.URLSession, dataTask: FoundationNetworking.URLSessionDataTask,
    willCacheResponse proposed: CachedURLResponse, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    guard let carrier else { return completionHandler(proposed) }
    carrier.hear(.caching(proposed, completionHandler), of: dataTask)
  }

  func urlSession(
    _ session: FoundationNetworking.URLSession, task: FoundationNetworking.URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) { carrier?.hear(.ended(error), of: task) }
}

extension URLRequest {
  /// The request as it may follow a redirect from a URL: what names the person goes to no other server, nor to the same
  /// one in the clear (RFC 9110, section 15.4). FoundationNetworking would not add the cookies again.
  func trusted(after redirecting: URL?) -> URLRequest {
    guard let redirecting, url.map({ Origin($0).isTrusted(after: Origin(redirecting)) }) != true else { return self }
    var stripped = self
    for name in allHTTPHeaderFields?.keys.map({ $0 }) ?? [] {
      if ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased()) {
        stripped.setValue(nil, forHTTPHeaderField: name)
      }
    }
    return stripped
  }
}

/// A server as far as credentials go (RFC 6454): scheme, host and port.
private struct Origin: Equatable {
  let scheme: String?
  let host: String?
  let port: Int?

  init(_ url: URL) {
    (scheme, host, port) = (url.scheme?.lowercased(), url.host?.lowercased(), url.effectivePort)
  }

  /// Whether it is the same server; also where that one sends to its own TLS, as most do that were asked over plain HTTP.
  func isTrusted(after other: Origin) -> Bool {
    let isUpgrade = (other.scheme, other.port) == ("http", 80) && (scheme, port) == ("https", 443)
    return self == other || isUpgrade && host == other.host
  }
}

extension URL {
  /// The port that is meant, be it named or not.
  var effectivePort: Int? { port ?? ["http": 80, "https": 443, "ftp": 21][scheme?.lowercased() ?? ""] }
}
