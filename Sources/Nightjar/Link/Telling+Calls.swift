import Foundation
import FoundationNetworking
import NightjarWire
import Synchronization

// The delegate calls themselves, in Apple's order. All of it runs on the delegate queue.
extension Telling {
  /// Makes the calls; `then` follows the return of the last one.
  func run(file: String?, then: @escaping @Sendable () -> Void) {
    switch what {
    case .progressed: progressed()
    case .informed(let words): informed(words.response)
    case .resumed: if let task { _ = task.show { (0, $0.bytes(for: task.kind)) } }
    case .asked: preconditionFailure("a question is put, not told")
    case .ended(let event): return ended(event, file: file, then: then)
    case .endedHere(_, let failure, let remnant): task.map { fail($0, failure, leaving: remnant) }
    case .eventsFinished: session.delegate?.urlSessionDidFinishEvents(forBackgroundURLSession: session)
    case .invalidated(let failure):
      session.delegate?.urlSession(session, didBecomeInvalidWithError: failure?.error(for: nil))
    }
    then()
  }

  /// Tells the delegate of a download with resume data that it goes on, once a count shows that.
  private func tellResumption(of task: URLSessionTask, at count: Int64) {
    guard let point = task.facts.withLock({ $0.takeResumption(at: count) }) else { return }
    guard let delegate = session.delegate as? any URLSessionDownloadDelegate, let task = task as? URLSessionDownloadTask
    else { return }
    delegate.urlSession(
      session, downloadTask: task, didResumeAtOffset: point.offset,
      expectedTotalBytes: point.length ?? NSURLSessionTransferSizeUnknown)
  }

  private func informed(_ words: AppInterface.Response) {
    guard let task else { return }
    guard words.status < 200 else {
      task.facts.withLock { $0.resumption?.isAnswered = true }
      task.learn(words)
      return sentBody(of: task)
    }
    guard let response = NamedResponse(words) else { return }
    session.taskDelegate?.urlSession(session, task: task, didReceiveInformationalResponse: response)
  }

  private func progressed() {
    guard let task, let figures else { return }
    tellResumption(of: task, at: figures.count)
    move(task, to: figures.count, of: figures.expected)
  }

  /// Takes new counts, and tells the delegate.
  private func move(_ task: URLSessionTask, to count: Int64, of expected: Int64?) {
    let (new, bytes) = task.show { $0.take(count, of: expected, for: task.kind) }
    guard new > 0 else { return }  // The daemon also reports a running task of which nothing has moved.
    sentBody(of: task)
    switch task.kind {
    case .download, .data: wrote(new, bytes, task)
    case .upload: sent(new, bytes, task)
    }
  }

  private func wrote(_ new: Int64, _ bytes: TaskFacts.Bytes, _ task: URLSessionTask) {
    guard let delegate = session.delegate as? any URLSessionDownloadDelegate, let task = task as? URLSessionDownloadTask
    else { return }
    delegate.urlSession(
      session, downloadTask: task, didWriteData: new, totalBytesWritten: bytes.count,
      totalBytesExpectedToWrite: bytes.expected)
  }

  private func sent(_ new: Int64, _ bytes: TaskFacts.Bytes, _ task: URLSessionTask) {
    (session.delegate as? any URLSessionTaskDelegate)?.urlSession(
      session, task: task, didSendBodyData: new, totalBytesSent: bytes.count, totalBytesExpectedToSend: bytes.expected)
  }

  /// Tells, once, that the body of a download's request has left: the server has begun to answer it. The daemon reports
  /// no part of it, since it is small. A life of the app that does not know the body learns its size from the metrics.
  private func sentBody(of task: URLSessionTask, measured: Int64 = 0) {
    guard task.kind.file == nil else { return }
    let request = task.facts.withLock { $0.replacement } ?? task.originalRequest
    let length = request?.httpBody.map { Int64($0.count) } ?? measured
    guard length > 0, task.takeSent(length) else { return }
    sent(length, TaskFacts.Bytes(count: length, expected: length), task)
  }

  private func ended(_ told: AppInterface.Ended, file: String?, then: @escaping @Sendable () -> Void) {
    guard let task else { return then() }
    let (event, body) = task is URLSessionDataTask ? told.withBody(in: file) : (told, nil)
    task.learn(event.response)
    if let head = event.response { session.ownSettings.keepCookies(of: head, to: task.originalRequest) }
    task.facts.withLock { facts in
      facts.metrics = event.metrics
      if event.failure == nil || event.response != nil { facts.resumption?.isAnswered = true }
    }
    if event.response != nil { sentBody(of: task, measured: event.metrics?.exchanges.first?.requestBodyBytes ?? 0) }
    tellResumption(of: task, at: event.countBefore)
    let hasMoved = event.count > task.facts.withLock { $0.bytes(for: task.kind).count }
    if let failure = event.failure {
      if hasMoved { _ = task.show { $0.take(event.count, of: event.expected, for: task.kind) } }
      fail(task, SessionFailure(failure), leaving: event.remnant)
      return then()
    }
    if hasMoved { move(task, to: event.count, of: event.expected) }
    task.showEnd()
    switch task {
    case let task as URLSessionDownloadTask: finish(task, file: file, then: then)
    case let task as URLSessionDataTask: answer(task, body, then: then)
    default: preconditionFailure("a task of no kind: \(task)")
    }
  }

  private func finish(_ task: URLSessionDownloadTask, file: String?, then: () -> Void) {
    if let file, let delegate = session.delegate as? any URLSessionDownloadDelegate {
      let location = URL(fileURLWithPath: file, isDirectory: false)
      delegate.urlSession(session, downloadTask: task, didFinishDownloadingTo: location)
    }
    complete(task, nil)
    then()
  }

  /// Tells the delegate of an upload's answer: its body in parts, and its end, but not its head, as on iOS.
  private func answer(_ task: URLSessionDataTask, _ body: AnswerBody?, then: () -> Void) {
    var trouble: FileTrouble?
    if let body, let delegate = session.delegate as? any URLSessionDataDelegate {
      do throws(FileTrouble) {
        try body.tell { part in
          task.take(Int64(part.count), of: body)
          delegate.urlSession(session, dataTask: task, didReceive: part)
        }
      } catch { trouble = error }
    } else if let body {
      task.take(body.length, of: body)
    }
    let failure = trouble.map { SessionFailure(.cannotOpenFile, "the rest of the answer's body is lost: \($0)") }
    complete(task, failure?.error(for: task.originalRequest?.url))
    then()
  }

  /// Completes a task with an error that has the data to go on with what is left of it.
  private func fail(_ task: URLSessionTask, _ failure: SessionFailure, leaving remnant: AppInterface.Remnant?) {
    let (data, isUpload) = (task.resumeData(remnant, spool), task is URLSessionUploadTask)
    let (url, trust) = (task.originalRequest?.url, task.facts.withLock { $0.trust })
    complete(task, failure.error(for: url, resumeData: data, isUpload: isUpload, trust: trust))
  }

  private func complete(_ task: URLSessionTask, _ error: URLError?) {
    tellMetrics(of: task)
    task.watch.lookAgain { task.facts.withLock { ($0.state, $0.error) = (.completed, error) } }
    (session.delegate as? any URLSessionTaskDelegate)?.urlSession(session, task: task, didCompleteWithError: error)
    task.releaseDelegate()
  }
}

extension Telling {
  /// Tells the metrics of a task that has begun, also where the daemon has none: an app may wait for them.
  private func tellMetrics(of task: URLSessionTask) {
    let (hasBegun, known) = task.facts.withLock { ($0.hasBegun, $0.metrics) }
    guard hasBegun else { return }
    let now = (session.carrier as? Link)?.now ?? Date()
    let metrics = known.flatMap(URLSessionTaskMetrics.init) ?? URLSessionTaskMetrics(of: task, endedAt: now)
    session.taskDelegate?.urlSession(session, task: task, didFinishCollecting: metrics)
  }
}

extension URLSessionTask {
  /// Takes new counts, if any, and shows them in ``progress``.
  fileprivate func show(
    _ take: (inout TaskFacts) -> (new: Int64, bytes: TaskFacts.Bytes)
  ) -> (new: Int64, bytes: TaskFacts.Bytes) {
    ProgressWatch.shared.move(self) {
      let taken = facts.withLock { take(&$0) }
      return (taken, taken.bytes.count, taken.bytes.expected)
    }
  }

  /// Notes that the whole body of a download's request has left; false if that is known.
  fileprivate func takeSent(_ length: Int64) -> Bool {
    watch.lookAgain {
      facts.withLock { facts in
        guard facts.sent.count == 0 else { return false }
        facts.sent = TaskFacts.Bytes(count: length, expected: length)
        return true
      }
    }
  }

  /// Counts bytes of the body of an upload's answer.
  fileprivate func take(_ count: Int64, of body: AnswerBody) {
    watch.lookAgain {
      facts.withLock { $0.received = TaskFacts.Bytes(count: $0.received.count + count, expected: body.length) }
    }
  }

  /// Shows in ``progress`` that the task is done, even for an empty file.
  fileprivate func showEnd() {
    ProgressWatch.shared.move(self) {
      let count = max(facts.withLock { $0.bytes(for: kind).count }, 1)
      return ((), count, count)
    }
  }

  /// Takes an answer, whose URL may differ after redirects. Without one, as at the end of a task that was cancelled,
  /// the task keeps the answer that it has.
  func learn(_ response: AppInterface.Response?) {
    guard let response else { return }
    watch.lookAgain {
      facts.withLock { facts in
        (facts.ownResponse, facts.told) = (nil, response)
        guard var request = facts.replacement ?? originalRequest, response.url != request.url?.absoluteString,
          let url = URL(string: response.url)
        else { return }
        request.url = url
        facts.currentRequest = request
      }
    }
  }
}

extension AppInterface.Ended {
  /// The bytes that were there before those of the last answer; all of them if nothing was measured.
  fileprivate var countBefore: Int64 { count - (metrics?.exchanges.last?.decodedBodyBytes ?? 0) }
}

extension NamedResponse {
  /// Creates a response from its wire form.
  convenience init?(_ response: AppInterface.Response) {
    guard let url = URL(string: response.url) else { return nil }
    let fields = Dictionary(response.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
    self.init(url: url, statusCode: Int(response.status), httpVersion: "HTTP/1.1", headerFields: fields)
  }
}
