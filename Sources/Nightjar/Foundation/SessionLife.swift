import Synchronization

/// What all handles on one session share: who is told, and whether that is over.
final class SessionLife: Sendable {
  private struct Facts {
    var delegate: (any URLSessionDelegate)?
    var isOver = false
  }

  private let facts: Mutex<Facts>

  init(_ delegate: (any URLSessionDelegate)?) { facts = Mutex(Facts(delegate: delegate)) }

  var delegate: (any URLSessionDelegate)? { facts.withLock { $0.delegate } }

  var isOver: Bool {
    get { facts.withLock { $0.isOver } }
    set { facts.withLock { $0.isOver = newValue } }
  }

  /// The delegate ends outside the lock, for it may call the session then.
  func releaseDelegate() { withExtendedLifetime(delegate) { facts.withLock { $0.delegate = nil } } }
}
