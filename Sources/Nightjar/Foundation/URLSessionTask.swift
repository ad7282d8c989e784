public import Foundation
public import FoundationNetworking
import NightjarWire
import Synchronization

/// A transfer of a session (Apple's `NSURLSessionTask`). A ``URLSession`` creates it, suspended; ``resume()`` starts
/// it.
///
/// The object belongs to one life of the app; in a background session the transfer belongs to the daemon. A later life
/// gets an object with the same ``taskIdentifier`` and ``taskDescription`` from `URLSession.getAllTasks`.
// Unchecked: `facts` is guarded by its mutex, the rest never changes.
open class URLSessionTask: NSObject, NSCopying, ProgressReporting, @unchecked Sendable {
  /// What a task is doing.
  public enum State: Int, Sendable {
    case running
    case suspended
    case canceling
    case completed
  }

  /// The lowest, default and highest ``priority``.
  public static let lowPriority: Float = 0.25
  public static let defaultPriority: Float = 0.5
  public static let highPriority: Float = 0.75

  /// The number of the task, unique within its session for ever, over all lives of the app.
  public let taskIdentifier: Int
  /// What was asked for, without what the session adds to it. For a task of an earlier life without its body.
  public let originalRequest: URLRequest?
  /// The progress of the transfer. Its `cancel()`, `pause()` and `resume()` act on the task.
  public let progress: Progress

  let session: URLSession
  let kind: TaskKind
  let facts: Mutex<TaskFacts>
  /// The observations of the task.
  let watch = Watch()

  init(session: URLSession, identifier: Int, request: URLRequest?, kind: TaskKind, facts: TaskFacts) {
    (self.session, self.kind, taskIdentifier, originalRequest) = (session, kind, identifier, request)
    var facts = facts
    facts.noteBody(of: request, for: kind)
    self.facts = Mutex(facts)
    progress = Progress(totalUnitCount: -1)
    super.init()
    progress.isPausable = true
    progress.cancellationHandler = { [weak self] in self?.cancel() }
    progress.pausingHandler = { [weak self] in self?.suspend() }
    progress.resumingHandler = { [weak self] in self?.resume() }
  }

  /// The request that is being loaded: the original one, the one that the delegate has put in the place of a delayed
  /// one, or the one after redirects. A background session follows redirects without reporting them, as on iOS, and has
  /// the last request when the task has ended.
  open var currentRequest: URLRequest? { facts.withLock { $0.currentRequest ?? $0.replacement } ?? originalRequest }

  /// The task's own delegate. Methods that it does not implement are called on the session's delegate. Kept alive until
  /// the task has ended, then nil.
  ///
  /// Background sessions ignore it, as on iOS, since it would not outlive the process, except for challenges and
  /// delayed requests in the process that has set it.
  open var delegate: (any URLSessionTaskDelegate)? {
    get { facts.withLock { $0.delegate } }
    // The old delegate is released outside the lock, since its deinitializer may call the task.
    set { withExtendedLifetime(delegate) { facts.withLock { $0.delegate = newValue } } }
  }

  /// The server's response, once its head has arrived; in a background session at the latest when the delegate is told
  /// of bytes.
  open var response: URLResponse? { facts.withLock { $0.response } }

  /// The error with which the task failed; nil if it has not failed.
  open var error: (any Error)? { facts.withLock { $0.error } }

  /// The state of the task. It is `running` until the delegate is about to be told of its end.
  open var state: State { facts.withLock { $0.state } }

  /// The app's description of the task, kept with the transfer over all lives of the app.
  ///
  /// In a background session it may have 64 KiB, together with the URL and the header fields, unless the daemon is set
  /// to another bound. With more, the task fails when it is resumed. What is set too long afterwards is kept in this
  /// life only, and the standard error says so.
  open var taskDescription: String? {
    get { facts.withLock { $0.label } }
    set { change(.label(newValue)) { $0.label = newValue } }
  }

  /// The priority among the app's transfers, from 0 to 1. It may be changed at any time.
  open var priority: Float {
    get { facts.withLock { $0.priority } }
    set {
      let priority = newValue.isNaN ? Self.defaultPriority : min(max(newValue, 0), 1)
      change(.priority(priority)) { $0.priority = priority }
    }
  }

  /// The earliest time to start, on the wall clock. It may be changed at any time. In this process it has no effect.
  open var earliestBeginDate: Date? {
    get { facts.withLock { $0.earliestBeginDate } }
    set { change(.earliestBegin(newValue)) { $0.earliestBeginDate = newValue } }
  }

  /// The number of bytes that the app expects to send; `NSURLSessionTransferSizeUnknown` by default. Kept but without
  /// effect (<doc:Conditions>); in a background session it is kept with the transfer over all lives of the app.
  open var countOfBytesClientExpectsToSend: Int64 {
    get { facts.withLock { $0.guessToSend } }
    set { change(.guessToSend(newValue)) { $0.guessToSend = newValue } }
  }

  /// The number of bytes that the app expects to receive; `NSURLSessionTransferSizeUnknown` by default. Kept but
  /// without effect (<doc:Conditions>); in a background session it is kept with the transfer over all lives of the app.
  open var countOfBytesClientExpectsToReceive: Int64 {
    get { facts.withLock { $0.guessToReceive } }
    set { change(.guessToReceive(newValue)) { $0.guessToReceive = newValue } }
  }

  /// Whether the app can use parts of the response before the whole has arrived. `true` unless the task is a download
  /// or has a completion handler. Kept in this life of the app but without effect: the delegate of a data task, or of
  /// an upload in this process, receives bytes as they arrive; all others at the end.
  open var prefersIncrementalDelivery: Bool {
    get { facts.withLock { $0.prefersIncrementalDelivery } ?? (kind != .download) }
    set { change(nil) { $0.prefersIncrementalDelivery = newValue } }
  }

  /// The number of body bytes received, as last reported.
  open var countOfBytesReceived: Int64 { facts.withLock { $0.received.count } }
  /// The size of the body that is being received; `NSURLSessionTransferSizeUnknown` until it is known.
  open var countOfBytesExpectedToReceive: Int64 { facts.withLock { $0.received.expected } }
  /// The number of body bytes sent, as last reported.
  open var countOfBytesSent: Int64 { facts.withLock { $0.sent.count } }
  /// The size of the body that is sent: 0 without a body; `NSURLSessionTransferSizeUnknown` while it is not known, as
  /// that of a file or a stream before bytes have moved.
  open var countOfBytesExpectedToSend: Int64 { facts.withLock { $0.expectedToSend } }

  /// Makes a change of the app's, and passes it on to the carrier if it concerns that.
  private func change(_ change: TaskChange?, _ set: (inout TaskFacts) -> Void) {
    watch.lookAgain {
      facts.withLock { set(&$0) }
    } then: {
      if let change { session.carrier.changed(self, change) }
    }
  }

  /// Starts the task, or lets it go on once there has been one call for each call of ``suspend()``.
  ///
  /// When this returns for the first time in a background session, the transfer survives the end of this process: it
  /// has been written to the container and, if the daemon runs, to its socket. Without a daemon it starts as soon as
  /// one runs.
  open func resume() { session.carrier.resume(self) }

  /// Stops the task until it is resumed. May be called several times; each call needs its own ``resume()``.
  ///
  /// A download keeps its bytes. In a session of the app's own process, a request that must not be sent twice (an
  /// upload, or any method but GET and HEAD) goes on once it was begun.
  open func suspend() { session.carrier.suspend(self) }

  /// Cancels the task: its delegate is told `didCompleteWithError` with `URLError.cancelled`, unless it has already
  /// ended.
  open func cancel() { session.carrier.cancel(self) }

  /// The task itself, as on iOS.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The kind of a task.
enum TaskKind: Hashable, Sendable {
  case download
  /// A load into memory; in a background session a task that is yet to become a download.
  case data
  /// An upload of the file at an absolute path.
  case upload(file: String)

  /// The file that is sent, if any.
  var file: String? { if case .upload(let file) = self { file } else { nil } }

  /// The direction on the wire.
  var direction: WireDirection {
    switch self {
    case .download, .data: .download
    case .upload: .upload
    }
  }
}
