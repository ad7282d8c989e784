import Foundation
import Nightjar
import Synchronization

import class FoundationNetworking.URLAuthenticationChallenge
import class FoundationNetworking.URLCredential
import struct FoundationNetworking.URLRequest

/// A delegate that decides by a rule, and writes down what it was asked.
// Unchecked: the condition and the mutex guard what changes.
final class Judge: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

  let onDelay = Mutex<(URLSession.DelayedRequestDisposition, URLRequest?)>((.continueLoading, nil))
  private let rule: @Sendable (URLAuthenticationChallenge, @escaping Answer) -> Void
  private let condition = NSCondition()
  private var lines: [String] = []

  init(_ rule: @escaping @Sendable (URLAuthenticationChallenge, @escaping Answer) -> Void) { self.rule = rule }

  var heard: [String] { condition.withLock { lines } }

  func wait(for count: Int) {
    let end = Date(timeIntervalSinceNow: 60)
    condition.withLock { while lines.count < count { precondition(condition.wait(until: end), "heard \(lines)") } }
  }

  private func judge(_ whose: String, _ challenge: URLAuthenticationChallenge, _ answer: @escaping Answer) {
    let space = challenge.protectionSpace
    condition.withLock {
      let words = "\(space.authenticationMethod) \(space.realm ?? "") \(challenge.previousFailureCount) failures"
      lines.append("\(whose) \(words)")
      condition.broadcast()
    }
    rule(challenge, answer)
  }

  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping Answer
  ) { judge("session", challenge, completionHandler) }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping Answer
  ) { judge("task \(task.taskIdentifier)", challenge, completionHandler) }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    let (disposition, new) = onDelay.withLock { $0 }
    completionHandler(disposition, new)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {}
}

/// A delegate that looks at challenges of tasks only, in its own time.
final class TaskJudge: NSObject, URLSessionDownloadDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
    guard let trust = challenge.protectionSpace.serverTrust else { return (.performDefaultHandling, nil) }
    return (.useCredential, URLCredential(trust: trust))
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {}
}
