import Foundation
import FoundationNetworking
import Synchronization

/// The delivery of one event of a task in this process. Runs on the delegate queue.
struct LocalTelling: @unchecked Sendable {  // Unchecked: FoundationNetworking's task guards itself.
  let task: URLSessionTask
  let hearer: LocalHearer
  let sink: FileSink?
  let foreign: FoundationNetworking.URLSessionTask?

  private var session: URLSession { task.session }

  /// Delivers the event. `then` is called when the delegate's method has returned, or has called its completion
  /// handler.
  func run(_ event: LocalEvent, by carrier: LocalCarrier, then: @escaping @Sendable () -> Void) {
    switch event {
    case .answered(let response): return answered(response, by: carrier, then: then)
    case .informed(let words):
      task.toldDelegate?.urlSession(session, task: task, didReceiveInformationalResponse: words)
    case .resumed(let response, let offset, let expected): resumed(response, at: offset, of: expected, by: carrier)
    case .challenged(let question): return challenged(question, by: carrier, then: then)
    case .received(let data): received(data, by: carrier)
    case .progressed: progressed()
    case .redirected(let response, let request, let answer):
      return redirected(response, request, by: carrier, answer, then: then)
    case .needsStream(let answer): return needsStream(answer, then: then)
    case .ended(let error): return ended(error, by: carrier, then: then)
    }
    then()
  }

  func answered(_ response: URLResponse, by carrier: LocalCarrier, then: @escaping @Sendable () -> Void) {
    let response = response.named
    take(response, expected: response.bodyLength, by: carrier)
    switch hearer {
    case .feed(let feed): feed.answered(response)
    case .delegate:
      guard let dataTask = task as? URLSessionDataTask, let delegate = dataTask.dataDelegate else { break }
      let reply = Once<URLSession.ResponseDisposition> { dispose($0, by: carrier, then: then) }
      return delegate.urlSession(session, dataTask: dataTask, didReceive: response) { reply.give($0) }
    case .data, .file: break
    }
    then()
  }

  private func take(_ response: URLResponse, at offset: Int64? = nil, expected: Int64, by carrier: LocalCarrier) {
    carrier.state.withLock { $0.tasks[task.taskIdentifier]?.record.answered(response, to: foreign?.currentRequest) }
    let current = foreign?.currentRequest
    task.showProgress { facts in
      facts.response = response
      facts.currentRequest = current ?? facts.currentRequest
      facts.received = TaskFacts.Bytes(count: offset ?? facts.received.count, expected: expected)
    }
    carrier.keepCredential(of: task)
  }

  /// Tells the delegate that a download with resume data goes on.
  private func resumed(_ response: HTTPURLResponse, at offset: Int64, of length: Int64?, by carrier: LocalCarrier) {
    let expected = length ?? NSURLSessionTransferSizeUnknown
    take(response, at: offset, expected: expected, by: carrier)
    guard hearer.isDelegate, let download = task as? URLSessionDownloadTask else { return }
    download.downloadDelegate?.urlSession(
      session, downloadTask: download, didResumeAtOffset: offset, expectedTotalBytes: expected)
  }

  private func dispose(
    _ disposition: URLSession.ResponseDisposition, by carrier: LocalCarrier, then: @escaping @Sendable () -> Void
  ) {
    switch disposition {
    case .allow: break
    case .cancel: carrier.cancel(task)
    case .becomeStream:
      Console.warn("a task cannot become a stream task on Linux; it is cancelled")
      carrier.cancel(task)
    case .becomeDownload:
      guard !(task is URLSessionUploadTask), let dataTask = task as? URLSessionDataTask else { break }
      return session.delegateQueue.addCall {
        becomeDownload(dataTask, by: carrier)
        then()
      }
    }
    then()
  }

  private func becomeDownload(_ dataTask: URLSessionDataTask, by carrier: LocalCarrier) {
    guard task.state == .running || task.state == .suspended else { return }  // It was cancelled meanwhile.
    let facts = task.facts.withLock { $0 }
    let download = URLSessionDownloadTask(
      session: session, identifier: task.taskIdentifier, request: task.originalRequest, kind: .download, facts: facts)
    carrier.become(download)
    task.watch.lookAgain { task.facts.withLock { $0.state = .completed } }
    dataTask.dataDelegate?.urlSession(session, dataTask: dataTask, didBecome: download)
    dataTask.releaseDelegate()
  }

  private func received(_ data: Data, by carrier: LocalCarrier) {
    task.showProgress { $0.received.count += Int64(data.count) }
    switch hearer {
    case .data: carrier.state.withLock { $0.tasks[task.taskIdentifier]?.collected.append(data) }
    case .feed(let feed): feed.received(data)
    case .delegate:
      guard let dataTask = task as? URLSessionDataTask else { return }
      dataTask.dataDelegate?.urlSession(session, dataTask: dataTask, didReceive: data)
    case .file: break
    }
  }

  private func progressed() {
    if let sink { wrote(Int64(sink.count)) }
    guard let foreign, foreign.countOfBytesSent > 0 else { return }
    let (count, length) = (foreign.countOfBytesSent, task.sendLength(foreign))
    let (new, bytes) = task.showProgress { $0.take(sent: count, of: length) }
    guard new > 0 else { return }
    task.toldDelegate?.urlSession(
      session, task: task, didSendBodyData: new, totalBytesSent: bytes.count, totalBytesExpectedToSend: bytes.expected)
  }

  private func wrote(_ count: Int64) {
    let (new, bytes) = task.showProgress { $0.take(count, of: nil, for: .download) }
    guard new > 0, hearer.isDelegate, let download = task as? URLSessionDownloadTask else { return }
    download.downloadDelegate?.urlSession(
      session, downloadTask: download, didWriteData: new, totalBytesWritten: bytes.count,
      totalBytesExpectedToWrite: bytes.expected)
  }

  private func redirected(
    _ response: HTTPURLResponse, _ request: URLRequest, by carrier: LocalCarrier,
    _ answer: @escaping @Sendable (URLRequest?) -> Void, then: @escaping @Sendable () -> Void
  ) {
    let reply = Once<URLRequest?> { next in
      carrier.follow(response, to: next, of: task, asked: foreign, answer)
      then()
    }
    guard let delegate = task.toldDelegate else { return reply.give(request) }
    delegate.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: request) {
      reply.give($0)
    }
  }

  private func needsStream(
    _ answer: @escaping @Sendable (LocalStream) -> Void, then: @escaping @Sendable () -> Void
  ) {
    let reply = Once<LocalStream> {
      answer($0)
      then()
    }
    guard let delegate = task.toldDelegate else { return reply.give(LocalStream(stream: nil)) }
    delegate.urlSession(session, task: task, needNewBodyStream: { reply.give(LocalStream(stream: $0)) })
  }

  // MARK: The end

  /// Delivers the end of the task, after its resume data was synced, which may take some time.
  private func ended(_ error: (any Error)?, by carrier: LocalCarrier, then: @escaping @Sendable () -> Void) {
    sink?.catchUp()  // What a task that is cancelled has received may be about to be written.
    let record = carrier.state.withLock { $0.tasks[task.taskIdentifier] }
    let trouble = record?.trouble ?? sink?.trouble.map { SessionFailure(.cannotWriteToFile, "\($0)") }
    let url = task.originalRequest?.url
    let error: (any Error)? = trouble?.error(for: url) ?? error.map { ($0 as? URLError)?.telling(url) ?? $0 }
    guard error != nil, let leaving = record?.leaving else {
      conclude(error, leaving: nil, by: carrier)
      return then()
    }
    DispatchQueue.global().async {
      let data = leaving()
      session.delegateQueue.addCall {
        conclude((error as? URLError)?.leaving(data) ?? error, leaving: data, by: carrier)
        then()
      }
    }
  }

  private func conclude(_ error: (any Error)?, leaving data: Data?, by carrier: LocalCarrier) {
    let record = carrier.state.withLock { $0.tasks[task.taskIdentifier] }
    if error == nil { progressed() }
    let metrics = record?.record.metrics(of: task, sent: foreign?.countOfBytesSent ?? 0)
    let (answer, current) = (foreign?.answer?.named, foreign?.currentRequest)
    task.showProgress(isDone: error == nil) { facts in
      facts.response = facts.response ?? answer
      facts.currentRequest = current ?? facts.currentRequest
    }
    if error == nil, hearer.isDelegate { finishFile() }
    if let metrics { task.toldDelegate?.urlSession(session, task: task, didFinishCollecting: metrics) }
    task.watch.lookAgain { task.facts.withLock { ($0.state, $0.error) = (.completed, error) } }
    for keeper in carrier.state.withLock({ $0.tasks[task.taskIdentifier]?.conclude() }) ?? [] { keeper(data) }
    complete(error, collected: record?.collected ?? Data())
    task.releaseDelegate()
  }

  private func finishFile() {
    guard let sink, let download = task as? URLSessionDownloadTask else { return }
    download.downloadDelegate?.urlSession(
      session, downloadTask: download, didFinishDownloadingTo: sink.url)
    sink.remove()
  }

  private func complete(_ error: (any Error)?, collected: Data) {
    switch hearer {
    case .delegate: task.toldDelegate?.urlSession(session, task: task, didCompleteWithError: error)
    case .data(let handler):
      if let error { handler(nil, task.response, error) } else { handler(collected, task.response, nil) }
    case .feed(let feed): feed.ended(error)
    case .file(let keepsFile, let handler):
      let file = error == nil ? sink?.url : nil
      handler(file, task.response, error)
      if !keepsFile { sink?.remove() }
    }
    if error != nil { sink?.remove() }
  }
}

/// A question that is answered once; later answers are ignored.
final class Once<Answer>: Sendable {
  private let open: Mutex<Bool>
  private let then: @Sendable (Answer) -> Void

  init(_ then: @escaping @Sendable (Answer) -> Void) {
    open = Mutex(true)
    self.then = then
  }

  func give(_ answer: Answer) {
    let isFirst = open.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if isFirst { then(answer) }
  }
}
