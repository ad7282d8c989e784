import NightjarModel

/// What an app is woken to do, rather than to hear: to refresh its content, or to run a task that it has asked for.
///
/// An app has one errand at a time. Errands are never written down: one that a crash of the daemon cuts short has
/// failed, and the rule decides anew. What is written down is the request of a task, until the task has ended.
struct Errand: Sendable {
  enum Stage: Hashable, Sendable {
    /// The app is brought up, and has to be told by then.
    case waiting(until: Age)
    /// It was told, and may run until it has answered, at the most until then.
    case told(at: Age, by: Age)

    var isTold: Bool {
      if case .told = self { true } else { false }
    }

    /// When it is over at the latest.
    var end: Age {
      switch self {
      case .waiting(let until): until
      case .told(_, let by): by
      }
    }
  }

  /// What kind of work it is.
  enum Kind: Hashable, Sendable {
    /// To refresh the app's content, by the app's interval or a person's order.
    case fetch
    /// The same, for a task that the app has asked for.
    case refresh
    /// A task of upkeep.
    case processing

    /// The kind of an errand that runs this request; a fetch without one.
    init(of request: BackgroundRequest?) {
      switch request?.kind {
      case nil: self = .fetch
      case .refresh: self = .refresh
      case .processing: self = .processing
      }
    }
  }

  /// Given out once, as those of wakes are; what the app answers.
  let number: Int64
  let app: AppID
  /// The task that is run; nil for a fetch.
  let request: BackgroundRequest?
  /// The decision that it follows from.
  let decision: Int64
  /// What was decided.
  let verdict: FetchDecision.Verdict
  /// How long the app may take over it.
  let within: Duration
  /// The life that the app was in when it was posted.
  let life: Int
  var stage: Stage
  /// How long the app could not work at it since it was told: the device slept, the daemon stood still, or a tracer
  /// held it.
  private(set) var lost: Duration = .zero
  /// Whether a first reading of what the app has used was asked for.
  var isMetered = false
  /// Whether the app was told that its time is nearly up.
  var isWarned = false
  /// Why its time was cut short: a person began to use the device, or what a task needs of it was gone.
  private(set) var cutShortFor: FetchObstacle.Code?
  /// Who waits for the outcome.
  var tickets: [Ticket] = []
  /// The newest transfer of all when the app was told: later ones of the app count as the errand's own.
  var newestBefore = TransferID(0)
  /// The conditions under which the app was told, by which its cost is charged.
  var conditions = Conditions()
  /// Bytes that its transfers have moved meanwhile.
  var received: Int64 = 0
  var sent: Int64 = 0
  /// What the app's processes had used when it began, once that was measured.
  var before: Reading?

  /// What the app's processes have used so far.
  struct Reading: Hashable, Sendable {
    /// CPU time; nil where it cannot be measured.
    var cpu: Duration?
    /// Bytes over the connections that they have open.
    var received: Int64
    var sent: Int64
  }

  var kind: Kind { Kind(of: request) }

  /// Whether it is a fetch that the rule has chosen, for which it took one from the budget.
  var isChosen: Bool {
    switch verdict {
    case .fetch, .joins: kind != .processing
    case .asked, .waits: false
    }
  }

  /// Brings its end forward to `limit` if that is sooner. It then counts as warned.
  mutating func cutShort(to limit: Age, for reason: FetchObstacle.Code) {
    guard case .told(let at, let by) = stage else { return }
    stage = .told(at: at, by: min(by, limit))
    (isWarned, cutShortFor) = (true, reason)
  }

  var isTold: Bool { stage.isTold }

  /// When it is over at the latest.
  var end: Age { stage.end }

  /// How long the app has worked at it, at most `within`: it may be noticed late that a tracer has let the app go.
  func time(until now: Age) -> Duration {
    guard case .told(let at, _) = stage else { return .zero }
    return min(max(now - at - lost, .zero), within)
  }

  /// Restarts its whole time from now.
  mutating func beginTimeAnew(at now: Age) {
    guard case .told(let at, _) = stage else { return }
    lost = now - at
    stage = .told(at: at, by: now + within)
  }

  /// Moves its end by a pause in which its time stood still.
  mutating func postpone(by pause: Duration) {
    switch stage {
    case .waiting(let until): stage = .waiting(until: until + pause)
    case .told(let at, let by):
      stage = .told(at: at, by: by + pause)
      lost += pause
    }
  }

  /// When something must be done about it next. Only tasks are warned, `warning` before their time is up.
  func due(warning: Duration) -> Age {
    switch stage {
    case .waiting(let until): until
    case .told(_, let by): request == nil || isWarned ? by : by + (.zero - warning)
    }
  }
}

/// An errand that has ended and whose cost is being measured. It is immutable, and a class because few apps have one:
/// the others carry only a pointer.
final class Bill: Sendable {
  let errand: Errand
  let outcome: FetchOutcome
  /// How long the app worked at it, from the telling to the answer.
  let wall: Duration
  /// The deadline for the room's answer about its cost.
  let by: Age

  init(errand: Errand, outcome: FetchOutcome, wall: Duration, by: Age) {
    (self.errand, self.outcome, self.wall, self.by) = (errand, outcome, wall, by)
  }

  /// The same bill with a deadline that is `lost` later.
  func postponed(by lost: Duration) -> Bill { Bill(errand: errand, outcome: outcome, wall: wall, by: by + lost) }
}
