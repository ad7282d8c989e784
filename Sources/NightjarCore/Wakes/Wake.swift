public import NightjarModel

/// Something to tell an app. It stays until the app has acknowledged it, over any crash.
///
/// Transfers and fetches post wakes; so will pushes. What follows is the same for all: the queue, the gate, the app's
/// life, the acknowledgement.
public struct Wake: Hashable, Sendable {
  /// What there is to tell.
  public enum Reason: Hashable, Sendable {
    /// This transfer of the session has ended.
    case transferEnded(TransferID, session: String)
    /// This transfer of the session asks. Such a wake is never written down: after a crash the transfer asks again.
    case question(TransferID, session: String)
    /// The app is to refresh its content. Never written down either: after a crash the rule decides anew.
    case fetch
    /// The app is to run this task, which it has asked for. Never written down: its request is, until the task has
    /// ended.
    case task(BackgroundRequest)
  }

  /// Given out once; what the app acknowledges.
  public var number: Int64
  /// The app to tell.
  public var app: AppID
  /// What there is to tell.
  public var reason: Reason
  /// How often telling it has crashed the app.
  public var crashes: Int

  /// A wake as it was saved, or a new one.
  public init(number: Int64, app: AppID, reason: Reason, crashes: Int = 0) {
    (self.number, self.app, self.reason, self.crashes) = (number, app, reason, crashes)
  }

  /// The session whose opening lets it be told; an errand needs none, and never stands in a session's line.
  var session: String {
    switch reason {
    case .transferEnded(_, let session), .question(_, let session): session
    case .fetch, .task: preconditionFailure("errand \(number) has no session")
    }
  }

  /// The transfer it is about; an errand is about none.
  var transfer: TransferID {
    switch reason {
    case .transferEnded(let id, _), .question(let id, _): id
    case .fetch, .task: preconditionFailure("errand \(number) has no transfer")
    }
  }

  /// Whether it asks rather than tells.
  var isQuestion: Bool {
    switch reason {
    case .transferEnded, .fetch, .task: false
    case .question: true
    }
  }
}
