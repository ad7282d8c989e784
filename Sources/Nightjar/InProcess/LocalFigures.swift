import Foundation
import FoundationNetworking
import Synchronization

extension URLResponse {
  /// The number of bytes that the app will receive; unknown if the body has a content coding (RFC 9110, section 8.4).
  var bodyLength: Int64 {
    let coding = (self as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding")
    return coding == nil || coding == "identity" ? expectedContentLength : NSURLSessionTransferSizeUnknown
  }
}

extension URLSessionTask {
  /// The number of bytes that FoundationNetworking will send; unknown for a stream.
  func sendLength(_ foreign: FoundationNetworking.URLSessionTask) -> Int64? {
    if foreign.countOfBytesExpectedToSend > 0 { return foreign.countOfBytesExpectedToSend }
    return facts.withLock { $0.guessToSend >= 0 ? $0.guessToSend : nil }
  }

  /// Makes a change, updates ``progress``, and calls the task's observers. The progress covers both directions, and its
  /// total is known as soon as that of one is. The total is not reached before the task has ended or the length of the
  /// answer is known, since a progress that is completed twice counts twice.
  func showProgress<Result: Sendable>(isDone: Bool = false, after change: (inout TaskFacts) -> Result) -> Result {
    ProgressWatch.shared.move(self) {
      let (result, sent, received) = facts.withLock { (change(&$0), $0.sent, $0.received) }
      let count = sent.count + received.count
      let total = max(sent.expected, sent.count).plus(max(received.expected, received.count))
      let isKnown = sent.expected > 0 || received.expected >= 0
      let shown = received.expected < 0 ? max(total, count + 1) : total
      return (result, isDone ? max(count, 1) : count, isDone ? max(count, 1) : isKnown ? shown : -1)
    }
  }
}

extension Int64 {
  /// The sum, or the greatest number if it is greater: servers and apps expect what they like.
  fileprivate func plus(_ other: Int64) -> Int64 { Int64(clamping: Int128(self) + Int128(other)) }
}

extension URLError {
  /// The error with the resume data of a download in its user info, if there is any.
  func leaving(_ data: Data?) -> URLError {
    guard let data else { return self }
    return URLError(code, userInfo: userInfo.merging([NSURLSessionDownloadTaskResumeData: data]) { $1 })
  }
}
