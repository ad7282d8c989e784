import Foundation
import FoundationNetworking

/// The times and bytes of a task in this process, as far as FoundationNetworking reports them.
struct LocalMetrics {
  var start: Date?
  /// The source of the final answer.
  var source = URLSessionTaskTransactionMetrics.ResourceFetchType.networkLoad
  private var finished: [URLSessionTaskTransactionMetrics] = []
  private var redirects = 0
  private var began: Date?
  private var answer: (at: Date, response: URLResponse, request: URLRequest?)?

  /// Notes the head of the final answer.
  mutating func answered(_ response: URLResponse, to request: URLRequest?) { answer = (Date(), response, request) }

  /// Notes a request that was answered with a redirect.
  mutating func redirected(_ request: URLRequest, _ response: HTTPURLResponse, sent: Int64) {
    let now = Date()
    let transaction = URLSessionTaskTransactionMetrics(request: request)
    (transaction.response, transaction.fetchStartDate) = (response, began ?? start)
    (transaction.responseStartDate, transaction.responseEndDate) = (now, now)
    transaction.resourceFetchType = .networkLoad
    transaction.countOfRequestBodyBytesSent = sent
    finished.append(transaction)
    (redirects, began) = (redirects + 1, now)
  }

  /// The metrics at the end; nil if the task was never resumed. The last request has sent `sent` bytes of its body; a
  /// task whose resume data cannot be read has none.
  func metrics(of task: URLSessionTask, sent: Int64) -> URLSessionTaskMetrics? {
    guard let start else { return nil }
    let now = Date()
    let last = (answer?.request ?? task.currentRequest).map { transaction($0, of: task, sent: sent, endedAt: now) }
    let interval = DateInterval(start: start, end: max(start, now))
    return URLSessionTaskMetrics(
      transactions: finished + [last].compactMap(\.self), interval: interval, redirects: redirects)
  }

  private func transaction(
    _ request: URLRequest, of task: URLSessionTask, sent: Int64, endedAt now: Date
  ) -> URLSessionTaskTransactionMetrics {
    let last = URLSessionTaskTransactionMetrics(request: request)
    (last.response, last.fetchStartDate, last.requestStartDate) = (answer?.response, began ?? start, began ?? start)
    if let answer { (last.responseStartDate, last.responseEndDate) = (answer.at, now) }
    last.resourceFetchType = source
    last.countOfRequestBodyBytesSent = sent
    last.countOfResponseBodyBytesAfterDecoding = task.countOfBytesReceived
    return last
  }
}
