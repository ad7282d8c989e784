public import NightjarModel

/// How a transfer stands: the machine that every transfer goes through.
///
///     queued ──► running ──► (delivering) ──► ended
///       ▲  ▲       │  │            │
///       │  │       │  └► stopping  └► undelivered
///       │  └ asking ◄┤
///       └── waiting ◄┘
///
/// Attempts are numbered, and a fact about any but the newest is late: it is ignored.
public struct TransferState: Hashable, Sendable {
  /// Where in the machine it stands. Payloads are boxed, so that the many transfers that merely wait stay small.
  public enum Phase: Hashable, Sendable {
    /// Waits for its turn.
    case queued
    /// The newest attempt is under way.
    case running
    /// The newest attempt was told to stop, and has not yet done so.
    case stopping
    /// The newest attempt failed; the next is due then.
    indirect case waiting(until: Age, TransferFailure)
    /// The newest attempt cannot go on without an answer of the app. Without one the default applies then, which is far
    /// off while the app hears another transfer's question first. Never written down: the database says `queued`.
    indirect case asking(Question, until: Age)
    /// The finished file is being delivered.
    indirect case delivering(Response, StagedFile)
    /// It could not be delivered. Retried then or, with nil, only on request; a session's is given up in the end.
    indirect case undelivered(until: Age?, Response, StagedFile, TransferFailure)
    /// It is over.
    indirect case ended(Outcome, at: Age)
  }

  /// Where in the machine it stands.
  public var phase: Phase
  /// Attempts begun; the newest carries this number.
  public var attempts: Int
  /// Attempts begun at the delivery of the finished file; the newest carries this number.
  public var deliveries: Int
  /// Failures since the transfer last made progress.
  public var failures: Int
  /// Answers of a busy server since the transfer last made progress.
  public var serverErrors: Int
  /// Whether it is suspended.
  public var isSuspended: Bool
  /// Where a download can go on from.
  public var resume: ResumePoint?
  /// Whether its app is to be asked before it begins, because it was put off.
  public var asksBeforeBegin = false
  /// The furthest byte that was reported as reached, safe or not, of the version that the transfer resumes. Never
  /// written down.
  var farthest: Int64 = 0
  /// The furthest byte that the newest attempt has reported, of the whole file. Never written down.
  var reached: Int64 = 0
  /// How many attempts since the transfer last made progress have moved bytes in vain. Never written down.
  var wasted = 0
  /// Failures in a row that may be passing faults of something between here and the server. Never written down: after
  /// a restart they are taken a few times more.
  var doubts = 0
  /// How often its finished file was lost before it could be delivered. Never written down.
  var losses = 0
  /// How many attempts, from the first on, are known not to have touched the file that it inherits from another
  /// transfer. Never written down: of an attempt that a crash of the daemon cut short, that is unknown.
  var untouching = 0

  /// A state as it was saved, or of a new transfer.
  public init(
    phase: Phase = .queued, attempts: Int = 0, deliveries: Int = 0, failures: Int = 0, serverErrors: Int = 0,
    isSuspended: Bool = false,
    resume: ResumePoint? = nil
  ) {
    (self.phase, self.attempts, self.deliveries, self.failures) = (phase, attempts, deliveries, failures)
    (self.serverErrors, self.isSuspended, self.resume) = (serverErrors, isSuspended, resume)
  }

  /// Whether an attempt at the transfer is with the engine.
  public var isUnderWay: Bool {
    switch phase {
    case .running, .stopping: true
    case .queued, .waiting, .asking, .delivering, .undelivered, .ended: false
    }
  }

  /// Whether the engine owes a report on it: on an attempt, or on its delivery.
  var isOwedWord: Bool {
    if case .delivering = phase { true } else { isUnderWay }
  }

  /// Whether it waits for an answer.
  public var isAsking: Bool {
    if case .asking = phase { true } else { false }
  }

  /// Whether it is over.
  public var isEnded: Bool {
    if case .ended = phase { true } else { false }
  }

  /// Begins the next attempt.
  mutating func begin() {
    precondition(phase == .queued && !isSuspended, "an attempt began at a transfer that is \(phase)")
    phase = .running
    attempts += 1
    reached = 0
    if let resume, resume.canGoOn { farthest = resume.offset }  // Of another version, more may have been reached.
  }

  /// Puts back what was under way when the daemon died.
  mutating func recover() {
    (farthest, reached, wasted, doubts, losses, untouching) = (0, 0, 0, 0, 0, 0)
    switch phase {
    case .running, .stopping, .asking: phase = .queued
    case .delivering(let response, let file):
      phase = .undelivered(until: .zero, response, file, TransferFailure(.cannotWrite, "the daemon was interrupted"))
    case .queued, .waiting, .undelivered, .ended: break
    }
  }

  /// Lets it go on at once, whatever it waits for; false if it waits for nothing.
  mutating func hurry() -> Bool {
    switch phase {
    case .waiting: phase = .queued
    case .undelivered(_, let response, let file, let failure):
      phase = .undelivered(until: .zero, response, file, failure)
    case .queued, .running, .stopping, .asking, .delivering, .ended: return false
    }
    return true
  }
}
