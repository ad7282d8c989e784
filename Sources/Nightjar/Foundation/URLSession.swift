public import Foundation
import Synchronization

/// A group of transfers and their delegate (Apple's `NSURLSession`).
///
/// A background session's transfers are the daemon's: they go on while the app is frozen, after it was killed and after
/// a reboot. Create the session with the same identifier early in every life of the app; its tasks are there again, and
/// what happened meanwhile is told to the delegate. The session keeps its delegate alive until it is invalidated.
///
/// Creating a session with an identifier that this process has in use gives a second handle on the first session: its
/// delegate and queue stay, and a warning is written to the standard error, as on iOS. The handles end together.
///
/// Sessions of a default or ephemeral configuration load in the app's own process and end with it. They stand on
/// FoundationNetworking, whose limits the article <doc:InProcessSessions> names.
// Unchecked: the mutex guards what changes.
open class URLSession: NSObject, @unchecked Sendable {
  /// What to do with an answer whose head has come. A background session asks it of data tasks that are no uploads,
  /// which may become downloads.
  public enum ResponseDisposition: Int, Sendable {
    case cancel
    case allow
    /// The data task ends here, and a download task goes on in its place.
    case becomeDownload
    /// There are no stream tasks on Linux: the task is cancelled.
    case becomeStream
  }

  /// What to do with a request whose ``URLSessionTask/earliestBeginDate`` has come.
  public enum DelayedRequestDisposition: Int, Sendable {
    case continueLoading
    case useNewRequest
    case cancel
  }

  /// Where the delegate is called: the queue that was given, or a serial one of the session's own.
  ///
  /// Its `cancelAllOperations()` cancels no call of a delegate or of a completion handler: each is made in its turn.
  public let delegateQueue: OperationQueue

  let carrier: any Carrier
  /// The identifier of a background session; empty for others.
  let identifier: String
  /// Whether it is the one that nobody can end.
  let isShared: Bool
  private let settings: URLSessionConfiguration
  private let life: SessionLife
  private let label = Mutex<String?>(nil)

  /// The session for simple requests: default settings, no delegate, and it cannot be ended.
  open class var shared: URLSession { Self.one }

  private static let one = URLSession(
    local: .default, delegate: nil, delegateQueue: URLSession.serialQueue(), isShared: true)

  /// Creates a session. A background session begins to fetch what is known about its tasks; this does not wait for the
  /// daemon.
  ///
  /// - Parameters:
  ///   - configuration: How the session behaves; it is copied.
  ///   - delegate: Who is told. A background session must have one.
  ///   - queue: Where the delegate is called; it should be serial. With nil the session makes a serial queue.
  public required convenience init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?
  ) {
    if configuration.identifier == nil {
      self.init(local: configuration, delegate: delegate, delegateQueue: queue ?? Self.serialQueue(), isShared: false)
    } else {
      self.init(configuration: configuration, delegate: delegate, delegateQueue: queue, link: Link.shared)
    }
  }

  /// Creates a session without a delegate. A background session must have one: it ends the process and says so.
  public required convenience init(configuration: URLSessionConfiguration) {
    self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
  }

  /// A session in this process.
  private init(
    local configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue,
    isShared: Bool
  ) {
    settings = configuration.copied
    settings.warnOfUnheeded()
    carrier = LocalCarrier(settings)
    (identifier, self.isShared, self.delegateQueue) = ("", isShared, delegateQueue)
    life = SessionLife(delegate)
    super.init()
    carrier.open(self)
  }

  /// A background session.
  init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?,
    link: Link
  ) {
    guard let identifier = configuration.identifier, !identifier.isEmpty else { Misuse.emptyIdentifier.happened() }
    guard let delegate else { Misuse.noDelegate.happened() }
    let first = link.session(identifier)
    (carrier, self.identifier, isShared) = (link, identifier, false)
    settings = first?.settings ?? configuration.copied
    self.delegateQueue = first?.delegateQueue ?? delegateQueue ?? Self.serialQueue()
    life = first?.life ?? SessionLife(delegate)
    super.init()
    link.open(self)
  }

  /// The configuration, as a copy.
  open var configuration: URLSessionConfiguration { settings.copied }

  /// Who is told, until the session is invalidated.
  open var delegate: (any URLSessionDelegate)? { life.delegate }

  /// The app's own name for the session. It has no meaning to Nightjar and does not outlive the process.
  open var sessionDescription: String? {
    get { label.withLock { $0 } }
    set { label.withLock { $0 = newValue } }
  }

  /// Ends the session once its tasks have ended; no new ones can be made. The delegate is told
  /// `didBecomeInvalidWithError` last. Returns at once.
  open func finishTasksAndInvalidate() { carrier.invalidate(self, cancelling: false) }

  /// Cancels all tasks and ends the session; no new ones can be made. The delegate is told `didCompleteWithError` with
  /// `URLError.cancelled` for each, and `didBecomeInvalidWithError` last. Returns at once.
  open func invalidateAndCancel() { carrier.invalidate(self, cancelling: true) }

  /// Calls back on the delegate queue. What the stores keep is on the disk as soon as it is theirs; the next request
  /// makes a connection of its own when the server has closed the last.
  open func flush(completionHandler: @escaping @Sendable () -> Void) {
    delegateQueue.addCall(completionHandler)
  }

  /// Empties the cookies, the cache and the credentials of the session's stores, then calls back on the delegate queue.
  ///
  /// Later tasks of a background session are challenged again, for passwords and certificates: the daemon forgets what
  /// the delegate has decided for the session. A task that is under way keeps what was decided for itself.
  open func reset(completionHandler: @escaping @Sendable () -> Void) { carrier.reset(self, completionHandler) }

  /// The same as ``flush(completionHandler:)``.
  open func flush() async { await withCheckedContinuation { done in flush { done.resume() } } }

  /// The same as ``reset(completionHandler:)``.
  open func reset() async { await withCheckedContinuation { done in reset { done.resume() } } }

  /// Lets the delegate go: the session has told it the last.
  func releaseDelegate() { life.releaseDelegate() }

  /// Whether its delegate was told the last, or is about to be. Another session may have its identifier by then.
  var isOver: Bool {
    get { life.isOver }
    set { life.isOver = newValue }
  }

  /// The settings themselves; nobody changes them.
  var ownSettings: URLSessionConfiguration { settings }

  private static func serialQueue() -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.name = "dev.nightjar.URLSession"
    return queue
  }
}

extension URLSessionConfiguration {
  /// A copy of its own.
  var copied: URLSessionConfiguration {
    guard let copy = copy() as? URLSessionConfiguration else { preconditionFailure("a copy of another class") }
    return copy
  }
}
