import NightjarModel

/// What an app is woken to do, rather than to hear: to refresh its content, or to run a task that it has asked for.
///
/// An app has one errand at a time. Errands are never written down: one that a crash of the daemon cuts short has failed, and
/// the rule decides anew. What is written down is the request of a task, until the task has ended.
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

    /// The kind of what runs a request, or none.
    init(of request: BackgroundRequest?) {
      switch request?.kind {
      case nil: self = .fetch
      case .refresh: self = .refresh
      case .processing: self = .processing
      }
    }
  }

  /// What the app is told, under the number that it answers.
  let wake: Wake
  /// The decision that it follows from.
  let decision: Int64
  /// How long the app may take over it.
  let within: Duration
  /// The life that the app was in when it was posted.
  let life: Int
  var stage: Stage
  /// How long the app could not work at it since it was told: the device slept, the daemon stood still, or a tracer held it.
  private(set) var lost: Duration = .zero
  /// Whether it was asked what the app had taken before.
  var isMetered = false
  /// Whether the app was told that its time is nearly up.
  var isWarned = false
  /// Whether its time was cut short, since a person began to use the device.
  var isCutShort = false
  /// Who waits for the outcome.
  var tickets: [Ticket] = []
  /// The newest of all transfers when the app was told of it: those after that are its own.
  var newestBefore = TransferID(0)
  /// Bytes that its transfers have moved meanwhile.
  var received: Int64 = 0
  var sent: Int64 = 0
  /// What its processes had taken when it began, once that was measured.
  var before: Reading?

  /// What processes have taken so far.
  struct Reading: Hashable, Sendable {
    /// Processor time; nil where one cannot tell.
    var cpu: Duration?
    /// Bytes over the connections that they have open.
    var received: Int64
    var sent: Int64
  }

  var number: Int64 { wake.number }

  /// The task that is run; nil for a fetch.
  var request: BackgroundRequest? {
    if case .task(let request) = wake.reason { request } else { nil }
  }

  var kind: Kind { Kind(of: request) }

  /// Leaves it no more than so long to come to its end.
  mutating func cutShort(to limit: Age) {
    guard case .told(let at, let by) = stage else { return }
    stage = .told(at: at, by: min(by, limit))
    (isWarned, isCutShort) = (true, true)
  }

  var isTold: Bool { stage.isTold }

  /// When it is over at the latest.
  var end: Age { stage.end }

  /// How long the app has been at it: no longer than it may, though it is noticed late that a tracer has let it go.
  func time(until now: Age) -> Duration {
    guard case .told(let at, _) = stage else { return .zero }
    return min(max(now - at - lost, .zero), within)
  }

  /// Its whole time runs from now.
  mutating func beginTimeAnew(at now: Age) {
    guard case .told(let at, _) = stage else { return }
    lost = now - at
    stage = .told(at: at, by: now + within)
  }

  /// Its time stood still for so long.
  mutating func postpone(by pause: Duration) {
    switch stage {
    case .waiting(let until): stage = .waiting(until: until + pause)
    case .told(let at, let by):
      stage = .told(at: at, by: by + pause)
      lost += pause
    }
  }

  /// When something must be done about it. Only tasks are warned, so long before their time is up.
  func due(warning: Duration) -> Age {
    switch stage {
    case .waiting(let until): until
    case .told(_, let by): request == nil || isWarned ? by : by + (.zero - warning)
    }
  }
}

/// An errand that has ended, and whose cost is being measured. It never changes, and few apps have one, so they do not carry
/// room for it.
final class Bill: Sendable {
  let errand: Errand
  let outcome: FetchOutcome
  /// How long the app was at it, from the telling to the answer.
  let wall: Duration
  /// By when the room must have answered what it has cost.
  let by: Age

  init(errand: Errand, outcome: FetchOutcome, wall: Duration, by: Age) {
    (self.errand, self.outcome, self.wall, self.by) = (errand, outcome, wall, by)
  }

  /// The same, due so much later.
  func postponed(by lost: Duration) -> Bill { Bill(errand: errand, outcome: outcome, wall: wall, by: by + lost) }
}
