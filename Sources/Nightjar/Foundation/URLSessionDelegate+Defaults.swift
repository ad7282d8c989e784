public import Foundation
public import FoundationNetworking

// The defaults of the delegate methods. A task's own delegate forwards the call to the session's. A method with a
// completion handler calls its async form, which the delegate may implement; the default of that one answers as iOS
// does.

extension URLSessionTaskDelegate {
  /// The session's delegate, if this is the task's own; nil otherwise.
  func successor(_ session: URLSession, _ task: URLSessionTask) -> (any URLSessionTaskDelegate)? {
    guard task.delegate === self, let next = session.taskDelegate, next !== self else { return nil }
    return next
  }

  /// The session's delegate, if this is the task's own and the session's is one for data; nil otherwise.
  func dataSuccessor(_ session: URLSession, _ task: URLSessionTask) -> (any URLSessionDataDelegate)? {
    successor(session, task) as? any URLSessionDataDelegate
  }
}

extension URLSession {
  /// Asks the session's delegate, on the delegate queue, what the task's own does not answer. The first answer counts.
  func ask<Answer: Sendable>(_ question: @escaping @Sendable (Once<Answer>) -> Void) async -> Answer {
    await withCheckedContinuation { continuation in
      let answer = Once<Answer> { continuation.resume(returning: $0) }
      delegateQueue.addCall { question(answer) }
    }
  }
}

extension URLSessionTaskDelegate {
  public func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
    successor(session, task)?.urlSession(session, didCreateTask: task)
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    Task {
      let next = await urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: request)
      completionHandler(next)
    }
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest
  ) async -> URLRequest? {
    guard let next = successor(session, task) else { return request }
    return await session.ask { answer in
      next.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: request) {
        answer.give($0)
      }
    }
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    Task { completionHandler(await urlSession(session, needNewBodyStreamForTask: task)) }
  }

  public func urlSession(_ session: URLSession, needNewBodyStreamForTask task: URLSessionTask) async -> InputStream? {
    guard let next = successor(session, task) else { return nil }
    let answer: LocalStream = await session.ask { answer in
      next.urlSession(session, task: task, needNewBodyStream: { answer.give(LocalStream(stream: $0)) })
    }
    return answer.stream
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
    completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    Task { completionHandler(await urlSession(session, task: task, needNewBodyStreamFrom: offset)) }
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64
  ) async -> InputStream? {
    guard let next = successor(session, task) else { return nil }
    let answer: LocalStream = await session.ask { answer in
      next.urlSession(session, task: task, needNewBodyStreamFrom: offset) { answer.give(LocalStream(stream: $0)) }
    }
    return answer.stream
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    Task {
      let (disposition, next) = await urlSession(session, task: task, willBeginDelayedRequest: request)
      completionHandler(disposition, next)
    }
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest
  ) async -> (URLSession.DelayedRequestDisposition, URLRequest?) {
    guard let next = successor(session, task) else { return (.continueLoading, .unheard) }
    return await session.ask { answer in
      next.urlSession(session, task: task, willBeginDelayedRequest: request) { answer.give(($0, $1)) }
    }
  }

  public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
    successor(session, task)?.urlSession(session, taskIsWaitingForConnectivity: task)
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) { successor(session, task)?.urlSession(session, task: task, didReceiveInformationalResponse: response) }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) { successor(session, task)?.urlSession(session, task: task, didFinishCollecting: metrics) }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    successor(session, task)?.urlSession(
      session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
      totalBytesExpectedToSend: totalBytesExpectedToSend)
  }

  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    successor(session, task)?.urlSession(session, task: task, didCompleteWithError: error)
  }
}

extension URLSessionDataDelegate {
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    Task { completionHandler(await urlSession(session, dataTask: dataTask, didReceive: response)) }
  }

  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
  ) async -> URLSession.ResponseDisposition {
    guard let next = dataSuccessor(session, dataTask) else { return .allow }
    return await session.ask { answer in
      next.urlSession(session, dataTask: dataTask, didReceive: response) { answer.give($0) }
    }
  }

  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
  ) { dataSuccessor(session, dataTask)?.urlSession(session, dataTask: dataTask, didBecome: downloadTask) }

  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    dataSuccessor(session, dataTask)?.urlSession(session, dataTask: dataTask, didReceive: data)
  }

  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposed: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    Task { completionHandler(await urlSession(session, dataTask: dataTask, willCacheResponse: proposed)) }
  }

  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposed: CachedURLResponse
  ) async -> CachedURLResponse? {
    guard let next = dataSuccessor(session, dataTask) else { return proposed }
    return await session.ask { answer in
      next.urlSession(session, dataTask: dataTask, willCacheResponse: proposed) { answer.give($0) }
    }
  }
}

extension URLSessionDownloadDelegate {
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64
  ) {
    (successor(session, downloadTask) as? any URLSessionDownloadDelegate)?.urlSession(
      session, downloadTask: downloadTask, didResumeAtOffset: fileOffset, expectedTotalBytes: expectedTotalBytes)
  }

  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    (successor(session, downloadTask) as? any URLSessionDownloadDelegate)?.urlSession(
      session, downloadTask: downloadTask, didWriteData: bytesWritten, totalBytesWritten: totalBytesWritten,
      totalBytesExpectedToWrite: totalBytesExpectedToWrite)
  }
}
