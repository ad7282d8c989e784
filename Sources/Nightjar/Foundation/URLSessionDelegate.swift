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

  /// A server's certificate is to be judged (`NSURLAuthenticationMethodServerTrust`), or a server wants to see one of ours
  /// (`NSURLAuthenticationMethodClientCertificate`). Without this method the task's is called instead.
  ///
  /// The app is launched for it if it must be. Call the handler once, from any thread, when you like; but an app in the
  /// background that has answered nothing after 30 seconds is killed, and is asked again in its next life. A decision about a
  /// certificate holds for exactly that certificate, for the session, until the daemon ends. A daemon that ended meanwhile asks
  /// again.
  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

  /// The same, for delegates that answer in their own time.
  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)

  /// All events that waited for this session have been told. Call the completion handler now that
  /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)` gave.
  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

/// What a session tells about every kind of task (Apple's `NSURLSessionTaskDelegate`).
@preconcurrency
public protocol URLSessionTaskDelegate: URLSessionDelegate {
  /// A task was made. Called before the method that made it returns, on the thread that called it, as on iOS.
  func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask)

  /// A server wants a name and a password (`NSURLAuthenticationMethodHTTPBasic`, `NSURLAuthenticationMethodHTTPDigest`), or
  /// the session's own method for certificates was left out.
  ///
  /// A credential with a persistence other than `.none` serves the session's other tasks too, until the daemon ends. It is
  /// never written to a disk. `previousFailureCount` tells how many credentials the server has refused.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

  /// The same, for delegates that answer in their own time.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)

  /// The server sends the task on to another URL. Answer with the request to follow it with, or with nil for the redirect
  /// itself as the answer. Not called in background sessions, which follow redirects, as on iOS.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)

  /// The same, for delegates that answer in their own time.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest
  ) async -> URLRequest?

  /// A task made with `uploadTask(withStreamedRequest:)` needs its body, at the beginning or once again.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)

  /// The same, for delegates that answer in their own time.
  func urlSession(_ session: URLSession, needNewBodyStreamForTask task: URLSessionTask) async -> InputStream?

  /// A broken upload needs its body again, from an offset on. Never called here: the body of a background upload is
  /// spooled once and goes on from there, and an upload in this process begins again.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
    completionHandler: @escaping @Sendable (InputStream?) -> Void)

  /// The same, for delegates that answer in their own time.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64
  ) async -> InputStream?

  /// A task of a background session whose ``URLSessionTask/earliestBeginDate`` has come is about to start.
  ///
  /// The app is launched for it if it must be. A session whose delegate leaves the method out is asked once, and then no
  /// more in any life of this build of the app: its delayed tasks begin with nobody woken.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void)

  /// The same, for delegates that answer in their own time.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest
  ) async -> (URLSession.DelayedRequestDisposition, URLRequest?)

  /// A task waits for a network that it may use. Never called for a task of a background session, as on iOS: those
  /// always wait. Nor in this process, where FoundationNetworking does not wait.
  func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

  /// A server has sent a status of 1xx other than 101 (RFC 9110, section 15.2); its answer is still to come. For a task of a
  /// background session it is told of the first eight of each attempt, while the app runs and has the session open: nobody is
  /// woken for it, and what was said meanwhile is not told later.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse)

  /// When the task did what. The last call before `didCompleteWithError`.
  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)

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
  /// The answer's head has come. Nothing further is told about this task until the handler is called; `.cancel` ends it
  /// with `URLError.cancelled`. Not called for an upload of a background session, as on iOS: see `task.response`. Any other
  /// data task of a background session can only become a download: `.allow` cancels it. The app is launched to be asked if it
  /// must be; then the daemon asks the server once more, for the file.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)

  /// The same, for delegates that answer in their own time.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
  ) async -> URLSession.ResponseDisposition

  /// A data task has become a download task, with the same identifier; nothing more is told about the data task.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask)

  /// A part of the answer's body. May be called many times, in order.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

  /// An answer is about to be kept in the session's cache. Answer with what to keep, or with nil. Not called on Linux, where no
  /// load is kept.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposed: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void)

  /// The same, for delegates that answer in their own time.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposed: CachedURLResponse
  ) async -> CachedURLResponse?
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

  /// A download made with resume data goes on: `fileOffset` bytes were there already. `expectedTotalBytes` is
  /// `NSURLSessionTransferSizeUnknown` where the server has not said it.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64)
}

/// The size of a transfer whose size is not known.
public let NSURLSessionTransferSizeUnknown: Int64 = -1

extension URLSessionDelegate {
  public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}
  public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
}
