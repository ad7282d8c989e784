public import Foundation
public import FoundationNetworking

// Apple's protocols have optional methods; here every method has a default that does what iOS does for a delegate
// without it. `@preconcurrency` lets classes of Swift 5 conform without warnings about Sendable, as with Apple's SDK.

/// Methods that a session calls about itself (Apple's `NSURLSessionDelegate`), on the session's delegate queue.
@preconcurrency
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
  /// The session has ended: with nil after `finishTasksAndInvalidate()` or `invalidateAndCancel()`, as the last call of
  /// the session. Or it was refused: with `URLError.backgroundSessionInUseByAnotherProcess` if another live process
  /// holds it, with another error for another reason. Its delegate is kept then, because tasks that are resumed in it
  /// afterwards still end, each with that error.
  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

  /// The delegate has to judge a server's certificate (`NSURLAuthenticationMethodServerTrust`), or the server requires
  /// a client certificate (`NSURLAuthenticationMethodClientCertificate`). If the delegate does not implement this
  /// method, the one for tasks is called instead.
  ///
  /// An app that does not run is launched for it. Call the handler once, from any thread, at any time; but an app in
  /// the background that has not answered after 30 seconds is killed, and is asked again in its next life. A decision
  /// about a certificate applies to exactly that certificate, in the session, until the daemon ends; a new daemon asks
  /// again.
  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

  /// The async form of the method above.
  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)

  /// All events that waited for this session have been delivered. Call the completion handler of
  /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)` now.
  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

/// Methods that a session calls about every kind of task (Apple's `NSURLSessionTaskDelegate`).
@preconcurrency
public protocol URLSessionTaskDelegate: URLSessionDelegate {
  /// A task was created. Called on the thread that created it, before the method that creates it returns, as on iOS.
  func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask)

  /// A server requires a name and a password (`NSURLAuthenticationMethodHTTPBasic`,
  /// `NSURLAuthenticationMethodHTTPDigest`), or there is a challenge about a certificate and the delegate does not
  /// implement the session's method.
  ///
  /// A credential with a persistence other than `.none` is used for the session's other tasks, too, until the daemon
  /// ends. It is never written to a disk. `previousFailureCount` is the number of credentials that the server has
  /// refused.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

  /// The async form of the method above.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)

  /// The server redirects the task to another URL. Call the handler with the request to follow, or with nil to make the
  /// redirect itself the response. Not called in background sessions, which follow redirects, as on iOS.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)

  /// The async form of the method above.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest
  ) async -> URLRequest?

  /// A task created with `uploadTask(withStreamedRequest:)` needs its body, at the beginning or again.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)

  /// The async form of the method above.
  func urlSession(_ session: URLSession, needNewBodyStreamForTask task: URLSessionTask) async -> InputStream?

  /// An interrupted upload needs its body again, from an offset. Never called here: the body of a background upload is
  /// spooled once and goes on from there, and an upload in this process starts over.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
    completionHandler: @escaping @Sendable (InputStream?) -> Void)

  /// The async form of the method above.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64
  ) async -> InputStream?

  /// A task of a background session whose ``URLSessionTask/earliestBeginDate`` has come is about to start.
  ///
  /// An app that does not run is launched for it. A session whose delegate does not implement the method is asked once,
  /// and then never again by this build of the app, in any life: its delayed tasks begin without waking the app.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void)

  /// The async form of the method above.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest
  ) async -> (URLSession.DelayedRequestDisposition, URLRequest?)

  /// A task waits for a network that it may use. Never called: tasks of background sessions always wait, as on iOS, and
  /// in this process FoundationNetworking does not wait.
  func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

  /// A server has sent an interim response, with a status of 1xx other than 101 (RFC 9110, section 15.2). In a
  /// background session this is called for the first eight of each attempt, while the app runs and has the session
  /// open. Interim responses neither wake an app nor are delivered later.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse)

  /// The metrics of a task that was resumed are complete. The last call before `didCompleteWithError`.
  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)

  /// Bytes of an upload have been sent. Not called for every packet; after a broken connection the count may start
  /// again. The body of a background download's request is reported once, when the server has begun to answer it.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64)

  /// The task has ended; the last call about it. A response of 404 is not an error here: see `task.response`.
  ///
  /// When this has returned, the daemon is told and forgets the task. If the process dies before, the task's events are
  /// delivered again in its next life.
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

/// Methods that a session calls about data tasks and uploads, whose response bodies come in memory (Apple's
/// `NSURLSessionDataDelegate`).
@preconcurrency
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  /// The response has arrived, without its body. No other method is called for this task until the handler is called;
  /// `.cancel` ends it with `URLError.cancelled`.
  ///
  /// Not called for an upload of a background session, as on iOS: see `task.response`. A data task of a background
  /// session can only become a download: `.allow` cancels it. An app that does not run is launched to be asked; then
  /// the daemon sends the request once more, for the file.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)

  /// The async form of the method above.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
  ) async -> URLSession.ResponseDisposition

  /// A data task has become a download task, with the same identifier. No other method is called for the data task.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask)

  /// A part of the response's body has arrived. May be called many times, in order.
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

  /// A response is about to be stored in the session's cache. Call the handler with the response to store, or with nil.
  /// Never called here, where no response is stored.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposed: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void)

  /// The async form of the method above.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposed: CachedURLResponse
  ) async -> CachedURLResponse?
}

/// Methods that a session calls about downloads (Apple's `NSURLSessionDownloadDelegate`).
@preconcurrency
public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
  /// The download has finished, in a file of the app's own in its `tmp` folder. Move or open the file before you
  /// return; it is removed afterwards.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)

  /// Bytes have arrived since the last call. Not called for every packet. The expected total is
  /// `NSURLSessionTransferSizeUnknown` (-1) while it is not known.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)

  /// A download created with resume data goes on: `fileOffset` bytes were there already, and the server sends the rest.
  /// Called once, before any byte of the rest is reported, also if the daemon restarts meanwhile. Not called if the
  /// download starts at its first byte, or in a later life of the app than the one that created it.
  /// `expectedTotalBytes` is `NSURLSessionTransferSizeUnknown` if it is not known.
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64)
}

/// The value for a transfer size that is not known.
public let NSURLSessionTransferSizeUnknown: Int64 = -1

extension URLSessionDelegate {
  public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}
  public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
}
