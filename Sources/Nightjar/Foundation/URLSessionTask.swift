public import Foundation
public import FoundationNetworking
import NightjarWire
import Synchronization

/// One transfer of a session (Apple's `NSURLSessionTask`). Made by a ``URLSession``, suspended; ``resume()`` starts it.
///
/// The object belongs to one life of the app; the transfer is the daemon's. A later life finds it again with the same
/// ``taskIdentifier`` and ``taskDescription`` through `URLSession.getAllTasks`.
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
  /// How far the transfer is. Its `cancel()` cancels the task.
  public let progress: Progress

  let session: URLSession
  let kind: TaskKind
  let facts: Mutex<TaskFacts>
  /// Who observes it.
  let watch = Watch()

  init(session: URLSession, identifier: Int, request: URLRequest?, kind: TaskKind, facts: TaskFacts) {
    (self.session, self.kind, taskIdentifier, originalRequest) = (session, kind, identifier, request)
    self.facts = Mutex(facts)
    progress = Progress(totalUnitCount: -1)
    super.init()
    progress.isPausable = true
    progress.cancellationHandler = { [weak self] in self?.cancel() }
    progress.pausingHandler = { [weak self] in self?.suspend() }
    progress.resumingHandler = { [weak self] in self?.resume() }
  }

  /// What is being loaded now: the original request, or what a redirect has made of it. A background session follows
  /// redirects without showing them, as on iOS, and knows the last one when the task has ended.
  open var currentRequest: URLRequest? { facts.withLock { $0.currentRequest } ?? originalRequest }

  /// Who is told of this task first; what its protocol leaves out goes to the session's delegate. Kept alive until the
  /// task has ended, then nil. Background sessions do not heed it, as on iOS, since it would not outlive the process, but for
  /// challenges and delayed requests in the process that has set it.
  open var delegate: (any URLSessionTaskDelegate)? {
    get { facts.withLock { $0.delegate } }
    // The old one ends outside the lock, for it may call the task then.
    set { withExtendedLifetime(delegate) { facts.withLock { $0.delegate = newValue } } }
  }

  /// The server's answer, once its head has come; in a background session at the latest once the delegate is told of bytes.
  open var response: URLResponse? { facts.withLock { $0.response } }

  /// Why the task failed, once it has.
  open var error: (any Error)? { facts.withLock { $0.error } }

  /// What the task is doing. It runs until its delegate is about to be told that it has ended.
  open var state: State { facts.withLock { $0.state } }

  /// The app's own words about the task, kept with the transfer over all lives of the app.
  open var taskDescription: String? {
    get { facts.withLock { $0.label } }
    set { change(.label(newValue)) { $0.label = newValue } }
  }

  /// Which of the app's transfers go first, 0 to 1. It may be changed at any time.
  open var priority: Float {
    get { facts.withLock { $0.priority } }
    set {
      let priority = newValue.isNaN ? Self.defaultPriority : min(max(newValue, 0), 1)
      change(.priority(priority)) { $0.priority = priority }
    }
  }

  /// The earliest moment to start, on the wall clock. Background sessions heed it, and it may be changed at any time; in
  /// this process it decides nothing.
  open var earliestBeginDate: Date? {
    get { facts.withLock { $0.earliestBeginDate } }
    set { change(.earliestBegin(newValue)) { $0.earliestBeginDate = newValue } }
  }

  /// The app's guess of what will be sent, in bytes; `NSURLSessionTransferSizeUnknown` unless it has one. Kept, in a
  /// background session with the transfer over all lives of the app, and decides nothing (<doc:Conditions>).
  open var countOfBytesClientExpectsToSend: Int64 {
    get { facts.withLock { $0.guessToSend } }
    set { change(.guessToSend(newValue)) { $0.guessToSend = newValue } }
  }

  /// The app's guess of what will be received, in bytes; `NSURLSessionTransferSizeUnknown` unless it has one. Kept, in a
  /// background session with the transfer over all lives of the app, and decides nothing (<doc:Conditions>).
  open var countOfBytesClientExpectsToReceive: Int64 {
    get { facts.withLock { $0.guessToReceive } }
    set { change(.guessToReceive(newValue)) { $0.guessToReceive = newValue } }
  }

  /// Whether the app has a use for a part of the answer before the whole is there. `true` unless the task is a download or has
  /// a completion handler. Kept in this life of the app, and decides nothing: the delegate of a data task, or of an upload in
  /// this process, is told of bytes as they come; all others have them at the end.
  open var prefersIncrementalDelivery: Bool {
    get { facts.withLock { $0.prefersIncrementalDelivery } ?? (kind != .download) }
    set { change(nil) { $0.prefersIncrementalDelivery = newValue } }
  }

  /// Bytes of the body that have been received, as last told.
  open var countOfBytesReceived: Int64 { facts.withLock { $0.received.count } }
  /// The size of the body that is being received; `NSURLSessionTransferSizeUnknown` until it is known.
  open var countOfBytesExpectedToReceive: Int64 { facts.withLock { $0.received.expected } }
  /// Bytes of the body that have been sent, as last told.
  open var countOfBytesSent: Int64 { facts.withLock { $0.sent.count } }
  /// The size of the body that is being sent; `NSURLSessionTransferSizeUnknown` until it is known.
  open var countOfBytesExpectedToSend: Int64 { facts.withLock { $0.sent.expected } }

  /// Makes a change of the app's, and passes on what concerns whoever carries the task.
  private func change(_ change: TaskChange?, _ set: (inout TaskFacts) -> Void) {
    watch.lookAgain {
      facts.withLock { set(&$0) }
    } then: {
      if let change { session.carrier.changed(self, change) }
    }
  }

  /// Starts the task, or lets it go on once ``suspend()`` has been undone as often as it was called.
  ///
  /// When this returns for the first time, the transfer survives the end of this process: it is written to the
  /// container and, if the daemon runs, to its socket. Without a daemon it starts when there is one.
  open func resume() { session.carrier.resume(self) }

  /// Stops the task until it is resumed. May be called several times; each needs its own ``resume()``.
  /// What a download has is kept. In a session of the app's own process, what must not be sent twice goes on once it was
  /// begun: an upload, and any request but a GET or HEAD.
  open func suspend() { session.carrier.suspend(self) }

  /// Ends the task: its delegate is told `didCompleteWithError` with `URLError.cancelled`, unless it ended before.
  open func cancel() { session.carrier.cancel(self) }

  /// The task itself, as on iOS.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// What a task does.
enum TaskKind: Hashable, Sendable {
  case download
  /// A download into memory; in a background session one that is yet to become a download.
  case data
  /// From the file at an absolute path.
  case upload(file: String)

  /// The file that is sent, if one is.
  var file: String? { if case .upload(let file) = self { file } else { nil } }

  /// The task's word on the wire.
  var direction: WireDirection {
    switch self {
    case .download, .data: .download
    case .upload: .upload
    }
  }
}
