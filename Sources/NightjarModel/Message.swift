/// An event on its way to an attached app.
public enum Message: Hashable, Sendable {
  /// The session's events wait: open it.
  case handleEvents(session: String)
  /// Bytes moved.
  case progressed(session: String, task: Int, count: Int64, expected: Int64?)
  /// A server has sent an interim answer, or the head of its final answer.
  case informed(session: String, task: Int, Response)
  /// A task has ended.
  case ended(Ended)
  /// A task asks.
  case asked(Asked)
  /// All events that waited for the session have been sent.
  case eventsFinished(session: String)
  /// The app has left the foreground: confirm it under this number. Its background tasks may go on for so long.
  case enterBackground(number: Int64, remaining: Duration)
  /// The app comes to the foreground.
  case enterForeground
  /// The time of its background tasks is nearly up.
  case expireBackgroundTasks
  /// A person did something in its view.
  case acted(ViewAction)
  /// Memory is short: give back what can be made again.
  case memoryWarning
  /// A day has begun, or clocks go differently.
  case significantTimeChange
  /// What the app is allowed, or the number on its icon, has changed.
  case standing(Standing)
  /// The app is to refresh its content, and to report the outcome under this number; it may run for so long.
  case performFetch(number: Int64, remaining: Duration)
  /// The app is to run a task that it has asked for, and to report under this number when it is done.
  case performRequestedTask(number: Int64, kind: BackgroundRequest.Kind, identifier: String, remaining: Duration)
  /// The time of the task of this number is nearly up.
  case expireRequestedTask(number: Int64)
  /// A notification that was fired while it was in the foreground, or by which a person has opened it.
  case noticed(Noticed)

  /// A notification for the app's delegate.
  public struct Noticed: Hashable, Sendable {
    /// Its number, under which the app acknowledges it.
    public var id: NoticeID
    /// What the app has asked for.
    public var request: NoticeRequest
    /// Whether a person has tapped it.
    public var isTapped: Bool

    /// A notification, and whether it was tapped.
    public init(id: NoticeID, request: NoticeRequest, isTapped: Bool) {
      (self.id, self.request, self.isTapped) = (id, request, isTapped)
    }
  }

  /// What a task asks, under the number that answers it.
  public struct Asked: Hashable, Sendable {
    /// The number of the wake.
    public var number: Int64
    /// The session of the task.
    public var session: String
    /// The task within it.
    public var task: Int
    /// What it asks.
    public var question: Question

    /// A question of a session's task.
    public init(number: Int64, session: String, task: Int, question: Question) {
      (self.number, self.session, self.task, self.question) = (number, session, task, question)
    }
  }

  /// How a task ended, under the number that acknowledges it.
  public struct Ended: Hashable, Sendable {
    /// The number of the wake.
    public var number: Int64
    /// The session of the task.
    public var session: String
    /// The task within it.
    public var task: Int
    /// Bytes moved.
    public var count: Int64
    /// The whole length, where it was known.
    public var expected: Int64?
    /// How it ended.
    public var outcome: Outcome
    /// The head of the answer whose body came in its last attempt, for a failed task; nil where that is not remembered.
    public var answer: Response?
    /// Where the daemon has put the file that came, instead of leaving it for the app.
    public var destination: String?
    /// What was measured of its last attempt; nil where that is not remembered.
    public var metrics: TransferMetrics?
    /// What a failed download has left.
    public var remnant: Remnant?

    /// The end of a session's task.
    public init(
      number: Int64, session: String, task: Int, count: Int64, expected: Int64?, outcome: Outcome,
      answer: Response? = nil, destination: String? = nil, metrics: TransferMetrics? = nil, remnant: Remnant? = nil
    ) {
      (self.number, self.session, self.task, self.count) = (number, session, task, count)
      (self.expected, self.outcome, self.answer, self.destination) = (expected, outcome, answer, destination)
      (self.metrics, self.remnant) = (metrics, remnant)
    }
  }
}
