public import Foundation
import Synchronization

/// A group of transfers and their delegate (Apple's `NSURLSession`).
///
/// A background session's transfers are the daemon's: they go on while the app is frozen, after it was killed and after
/// a reboot. Create the session with the same identifier early in every life of the app; its tasks are there again, and
/// what happened meanwhile is told to the delegate. The session keeps its delegate alive until it is invalidated.
///
/// Creating a session with an identifier that this process has in use gives a second handle on the first session: its
/// delegate and queue stay, and a warning is written to the standard error, as on iOS.
///
/// This version has background sessions only; others end the process with a word of advice.
// Unchecked: the mutex guards what changes.
open class URLSession: NSObject, @unchecked Sendable {
  /// What to do with an answer whose head has come. A background session knows `allow` and `cancel`.
  public enum ResponseDisposition: Int, Sendable {
    case cancel
    case allow
    case becomeDownload
    case becomeStream
  }

  /// Where the delegate is called: the queue that was given, or a serial one of the session's own.
  public let delegateQueue: OperationQueue

  let link: Link
  let identifier: String
  private let settings: URLSessionConfiguration
  private let words: Mutex<Words>

  private struct Words {
    var delegate: (any URLSessionDelegate)?
    var description: String?
  }

  /// Creates a session and begins to fetch what is known about its tasks. Does not wait for the daemon.
  ///
  /// - Parameters:
  ///   - configuration: A background configuration; it is copied.
  ///   - delegate: Who is told. A background session must have one.
  ///   - queue: Where the delegate is called; it should be serial. With nil the session makes a serial queue.
  public required convenience init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?
  ) {
    self.init(configuration: configuration, delegate: delegate, delegateQueue: queue, link: Link.shared)
  }

  /// Creates a session without a delegate, which background sessions do not allow: it ends the process and says so.
  public required convenience init(configuration: URLSessionConfiguration) {
    self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
  }

  init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?,
    link: Link
  ) {
    guard let identifier = configuration.identifier else { Misuse.noBackground.happened() }
    guard !identifier.isEmpty else { Misuse.emptyIdentifier.happened() }
    guard let delegate else { Misuse.noDelegate.happened() }
    let first = link.session(identifier)
    (self.link, self.identifier) = (link, identifier)
    settings = first?.settings ?? configuration.copied
    self.delegateQueue = first?.delegateQueue ?? delegateQueue ?? Self.serialQueue()
    words = Mutex(Words(delegate: first?.delegate ?? delegate))
    super.init()
    link.open(self)
  }

  /// The configuration, as a copy.
  open var configuration: URLSessionConfiguration { settings.copied }

  /// Who is told, until the session is invalidated.
  open var delegate: (any URLSessionDelegate)? { words.withLock { $0.delegate } }

  /// The app's own name for the session. It has no meaning to Nightjar and does not outlive the process.
  open var sessionDescription: String? {
    get { words.withLock { $0.description } }
    set { words.withLock { $0.description = newValue } }
  }

  /// Ends the session once its tasks have ended; no new ones can be made. The delegate is told
  /// `didBecomeInvalidWithError` last. Returns at once.
  open func finishTasksAndInvalidate() { link.invalidate(self, cancelling: false) }

  /// Cancels all tasks and ends the session; no new ones can be made. The delegate is told `didCompleteWithError` with
  /// `URLError.cancelled` for each, and `didBecomeInvalidWithError` last. Returns at once.
  open func invalidateAndCancel() { link.invalidate(self, cancelling: true) }

  /// Calls back on the delegate queue. A background session caches nothing that could be written out.
  open func flush(completionHandler: @escaping @Sendable () -> Void) {
    delegateQueue.addOperation { completionHandler() }
  }

  /// Calls back on the delegate queue. A background session keeps no cookies, caches and credentials to be emptied.
  open func reset(completionHandler: @escaping @Sendable () -> Void) {
    delegateQueue.addOperation { completionHandler() }
  }

  /// Lets the delegate go: the session has told it the last.
  func releaseDelegate() { words.withLock { $0.delegate = nil } }

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
