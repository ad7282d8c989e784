import Foundation
import Nightjar

import class FoundationNetworking.URLAuthenticationChallenge
import class FoundationNetworking.URLCredential
import class FoundationNetworking.URLResponse
import struct FoundationNetworking.URLRequest

// What it is asked, and answers as the instructions say.
extension Probe {
  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    switch challenge.protectionSpace.authenticationMethod {
    case NSURLAuthenticationMethodServerTrust: judge(challenge, completionHandler)
    case NSURLAuthenticationMethodClientCertificate: showItself(completionHandler)
    default: fatalError("asked of a session: \(challenge.protectionSpace)")
    }
  }

  private func judge(
    _ challenge: URLAuthenticationChallenge,
    _ answer: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let trust = challenge.protectionSpace.serverTrust else { fatalError("no trust in \(challenge)") }
    var distrust: CFError?
    _ = SecTrustEvaluateWithError(trust, &distrust)
    diary.write(
      Heard(
        call: "didReceiveCertificate", pid: getpid(), count: Int64(SecTrustGetCertificateCount(trust)),
        error: distrust?.code, detail: distrust?.localizedDescription))
    switch instructions.certificates {
    case "trust": answer(.useCredential, URLCredential(trust: trust))
    case "refuse": answer(.cancelAuthenticationChallenge, nil)
    case "reject": answer(.rejectProtectionSpace, nil)
    default: answer(.performDefaultHandling, nil)
    }
  }

  private func showItself(_ answer: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
    note("didReceiveCertificateRequest")
    guard let own = instructions.identity else { return answer(.performDefaultHandling, nil) }
    let identity = SecIdentity(certificateChain: own.certificate, privateKey: own.key)
    answer(.useCredential, URLCredential(identity: identity, certificates: nil, persistence: .forSession))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let call = challenge.protectionSpace.isProxy() ? "didReceiveProxyChallenge" : "didReceiveChallenge"
    note(call, task, count: Int64(challenge.previousFailureCount))
    if instructions.keepsSilent == true { return }
    guard let password = instructions.password, challenge.previousFailureCount == 0 else {
      return completionHandler(.performDefaultHandling, nil)
    }
    completionHandler(.useCredential, URLCredential(user: "anna", password: password, persistence: .forSession))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    note("willBeginDelayedRequest", task)
    let transfer = instructions.transfers.first { $0.name == task.taskDescription }
    switch transfer?.delayed {
    case "replace":
      guard let url = transfer?.instead.flatMap(URL.init) else { fatalError("nothing instead of \(request)") }
      completionHandler(.useNewRequest, URLRequest(url: url))
    case "cancel": completionHandler(.cancel, nil)
    default: completionHandler(.continueLoading, nil)
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    note("didReceiveResponse", dataTask, count: response.expectedContentLength)
    switch instructions.transfers.first(where: { $0.name == dataTask.taskDescription })?.onAnswer {
    case "becomeDownload": completionHandler(.becomeDownload)
    case "cancel": completionHandler(.cancel)
    default: completionHandler(.allow)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask) {
    note("didBecome", downloadTask)
  }
}
