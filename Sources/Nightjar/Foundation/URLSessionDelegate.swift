public import Foundation
public import FoundationNetworking

// Apple's protocols have optional methods; here every method has a default that does what iOS does when it is left out.
// `@preconcurrency` lets classes of Swift 5 conform without remarks about Sendable, as with Apple's SDK.

/// What a session tells about itself (Apple's `NSURLSessionDelegate`). Called on the session's delegate queue.
@preconcurrency
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
  /// The session has ended: after `finishTasksAndInvalidate()` or `invalidateAndCancel()` with nil, or with
  /// `URLError.backgroundSessionInUseByAnotherProcess` if another live process holds it. The last call of a session.
  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

  /// All events that waited for this session have been told. Call the completion handler now that
  /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)` gave.
  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

/// What a session tells about every kind of task (Apple's `NSURLSessionTaskDelegate`).
@preconcurrency
public protocol URLSessionTaskDelegate: URLSessionDelegate {
  /// Bytes of an upload have been sent. Thinned out; a broken connection may start the count again.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64)

  /// The last call about a task. A server's answer of 404 is no error here: see `task.response`.
  ///
  /// Once this has returned, the daemon is told and forgets the task. Should the process die before, everything about
  /// the task is told again in its next life.
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

/// What a session tells about a body that comes back in memory (Apple's `NSURLSessionDataDelegate`): the answer to an
/// upload.
@preconcurrency
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  /// The answer's head has come. Nothing further is told about this session's tasks until the handler is called;
  /// `.cancel` ends the task with `URLError.cancelled`.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)

  /// A part of the answer's body. May be called many times, in order.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

/// What a session tells about downloads (Apple's `NSURLSessionDownloadDelegate`).
@preconcurrency
public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
  /// The last byte is there, in a file of the app's own under its `tmp` folder. Move it or open it before returning:
  /// it is removed afterwards.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)

  /// Bytes have arrived since the last call. Thinned out. The expected total is
  /// `NSURLSessionTransferSizeUnknown` (-1) while the server has not said one.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)
}

/// The size of a transfer whose size is not known.
public let NSURLSessionTransferSizeUnknown: Int64 = -1

extension URLSessionDelegate {
  public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}
  public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
}

extension URLSessionTaskDelegate {
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {}

  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}
}

extension URLSessionDataDelegate {
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) { completionHandler(.allow) }

  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
}

extension URLSessionDownloadDelegate {
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {}
}
