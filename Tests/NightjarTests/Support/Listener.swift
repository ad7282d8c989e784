import Patience
import Foundation
import Nightjar
import Synchronization

import class FoundationNetworking.CachedURLResponse
import class FoundationNetworking.HTTPURLResponse
import struct FoundationNetworking.URLRequest
import class FoundationNetworking.URLResponse

/// A delegate for every kind of task, whose answers a test chooses. It writes down what it hears and on which queue.
final class Listener: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, Sendable {
  struct Answers: Sendable {
    var toResponse: @Sendable (_ answer: @escaping @Sendable (URLSession.ResponseDisposition) -> Void) -> Void = {
      $0(.allow)
    }
    var toRedirect: @Sendable (URLRequest) -> URLRequest? = { $0 }
    var stream: @Sendable () -> InputStream? = { nil }
  }

  private struct Book {
    var lines: [String] = []
    var data = Data()
    var metrics: URLSessionTaskMetrics?
    var error: (any Error)?
    var file: Data?
  }

  let answers: Answers
  let queue: OperationQueue?
  private let name: String
  private let book = Mutex(Book())

  /// - Parameter queue: The delegate queue that every call but `created` has to come on, if that is to be checked.
  init(name: String = "", queue: OperationQueue? = nil, answers: Answers = Answers()) {
    (self.name, self.queue, self.answers) = (name, queue, answers)
  }

  var heard: [String] { book.withLock { $0.lines } }
  var data: Data { book.withLock { $0.data } }
  var metrics: URLSessionTaskMetrics? { book.withLock { $0.metrics } }
  var error: URLError? { book.withLock { $0.error } as? URLError }
  var file: Data? { book.withLock { $0.file } }

  /// What was heard, once the end is among it.
  func whole() async throws -> [String] {
    try await eventually("the end of a task") {
      heard.last.map { $0.hasSuffix("done") || $0.contains("failed") } == true
    }
    return heard
  }

  private func note(_ line: String, anywhere: Bool = false) {
    let isLost = queue.map { OperationQueue.current !== $0 } ?? false
    book.withLock { book in
      let whole = name + line + (isLost && !anywhere ? " on the wrong queue" : "")
      if book.lines.last != whole || !line.hasPrefix("data") { book.lines.append(whole) }
    }
  }

  func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
    note("\(task.taskIdentifier) created", anywhere: true)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    note("\(response.statusCode) to \(request.url?.path ?? "")")
    completionHandler(answers.toRedirect(request))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    note("stream")
    completionHandler(answers.stream())
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    note("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    answers.toResponse(completionHandler)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask) {
    note("\(dataTask.taskIdentifier) became \(downloadTask.taskIdentifier)")
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    book.withLock { $0.data.append(data) }
    note("data")
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    book.withLock { $0.file = try? Data(contentsOf: location) }
    note("file")
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset offset: Int64,
    expectedTotalBytes: Int64
  ) { note("resumed at \(offset) of \(expectedTotalBytes)") }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) { note("informed \(response.statusCode)") }

  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    book.withLock { $0.metrics = metrics }
    note("metrics")
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    book.withLock { $0.error = error }
    note((error as? URLError).map { "failed \($0.code.rawValue)" } ?? "done")
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { note("invalid") }
}
