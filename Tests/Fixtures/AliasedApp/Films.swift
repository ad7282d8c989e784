// A file as it stands in packages that serve both systems: it imports FoundationNetworking, and has to compile.

import Foundation
import Nightjar

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

public final class Films: NSObject, URLSessionDownloadDelegate, Sendable {
  public func session() -> URLSession {
    URLSession(configuration: .background(withIdentifier: "films"), delegate: self, delegateQueue: nil)
  }

  public func start(_ request: URLRequest) -> URLSessionDownloadTask { session().downloadTask(with: request) }

  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    guard let response = downloadTask.response as? HTTPURLResponse, response.statusCode == 200 else { return }
  }

  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard task.countOfBytesExpectedToReceive != NSURLSessionTransferSizeUnknown else { return }
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    let seconds = metrics.transactionMetrics.compactMap { (one: URLSessionTaskTransactionMetrics) in one.responseEndDate
    }
    print(seconds.count, metrics.redirectCount)
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
    let space = challenge.protectionSpace
    switch space.authenticationMethod {
    case NSURLAuthenticationMethodHTTPBasic where space.protocol == NSURLProtectionSpaceHTTP: break
    case NSURLAuthenticationMethodServerTrust: return (.performDefaultHandling, nil)
    default: return (.rejectProtectionSpace, nil)
    }
    return (.cancelAuthenticationChallenge, nil)
  }

  public func title(of film: URL) async throws -> String {
    let (data, _) = try await URLSession.shared.data(for: URLRequest(url: film))
    return String(decoding: data, as: UTF8.self)
  }
}
