import Foundation
import class FoundationNetworking.HTTPURLResponse
import Nightjar

/// A delegate that writes down what it hears, and can be waited for.
// Unchecked: the condition guards everything that changes.
final class Recorder: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate, @unchecked Sendable {
  private let condition = NSCondition()
  private var lines: [String] = []
  private var paths: [URL] = []
  private var errors: [any Error] = []
  /// Runs inside each delegate call, after it is written down.
  let during: @Sendable (String) -> Void
  /// What is done with an answer whose head has come.
  let disposition: URLSession.ResponseDisposition

  init(disposition: URLSession.ResponseDisposition = .allow, during: @escaping @Sendable (String) -> Void = { _ in }) {
    (self.disposition, self.during) = (disposition, during)
  }

  /// What was heard.
  var heard: [String] { condition.withLock { lines } }
  /// Where files were.
  var locations: [URL] { condition.withLock { paths } }
  /// The errors of tasks and of the session, in order.
  var failures: [any Error] { condition.withLock { errors } }

  /// Waits until so much was heard; hands it back.
  @discardableResult
  func wait(for count: Int) -> [String] {
    let end = Date(timeIntervalSinceNow: 60)
    return condition.withLock {
      while lines.count < count { precondition(condition.wait(until: end), "heard only \(lines)") }
      return lines
    }
  }

  private func note(_ line: String, location: URL? = nil, error: (any Error)? = nil) {
    condition.withLock {
      lines.append(line)
      if let location { paths.append(location) }
      if let error { errors.append(error) }
      condition.broadcast()
    }
    during(line)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData new: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) { note("\(downloadTask.taskIdentifier) wrote \(new) to \(totalBytesWritten) of \(totalBytesExpectedToWrite)") }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset offset: Int64,
    expectedTotalBytes: Int64
  ) { note("\(downloadTask.taskIdentifier) resumed at \(offset) of \(expectedTotalBytes)") }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let text = (try? String(contentsOf: location, encoding: .utf8)) ?? "nothing"
    note("\(downloadTask.taskIdentifier) file \(text)", location: location)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData new: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) { note("\(task.taskIdentifier) sent \(new) to \(totalBytesSent) of \(totalBytesExpectedToSend)") }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    note("\(dataTask.taskIdentifier) response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    completionHandler(disposition)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) { note("\(task.taskIdentifier) informed \(response.statusCode)") }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    note("\(dataTask.taskIdentifier) data \(String(decoding: data, as: UTF8.self))")
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let end = (error as? URLError).map { "failed \($0.code.rawValue)" } ?? "done"
    note("\(task.taskIdentifier) \(end)", error: error)
  }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    note("all told of \(session.configuration.identifier ?? "?")")
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    note("invalid \((error as? URLError)?.code.rawValue ?? 0)", error: error)
  }
}
