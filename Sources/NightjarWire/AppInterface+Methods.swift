extension AppInterface {
  /// Attaches the caller: its events follow for as long as the connection lives. Call with `more`.
  /// Exactly one field of each reply is set.
  public enum Attach: WireMethod {
    public static let name = "dev.nightjar.App.Attach"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var program: Program?

      /// Fills in every field; what may be null is null unless given.
      public init(program: Program? = nil) {
        self.program = program
      }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var attached: Attached?
      public var handleEvents: HandleEvents?
      public var progressed: Progressed?
      public var ended: Ended?
      public var eventsFinished: EventsFinished?
      public var asked: Asked?
      public var enterBackground: EnterBackground?
      public var enterForeground: EnterForeground?
      public var expireTasks: ExpireTasks?
      public var acted: Acted?
      public var memoryWarning: MemoryWarning?
      public var standing: Standing?
      public var notified: Notified?
      public var performFetch: PerformFetch?
      public var performTask: PerformTask?
      public var expireTask: ExpireTask?
      public var informed: Informed?
      public var significantTimeChange: SignificantTimeChange?

      /// Fills in every field; what may be null is null unless given.
      public init(
        attached: Attached? = nil, handleEvents: HandleEvents? = nil, progressed: Progressed? = nil,
        ended: Ended? = nil, eventsFinished: EventsFinished? = nil, asked: Asked? = nil,
        enterBackground: EnterBackground? = nil, enterForeground: EnterForeground? = nil,
        expireTasks: ExpireTasks? = nil, acted: Acted? = nil, memoryWarning: MemoryWarning? = nil,
        standing: Standing? = nil, notified: Notified? = nil, performFetch: PerformFetch? = nil,
        performTask: PerformTask? = nil, expireTask: ExpireTask? = nil, informed: Informed? = nil,
        significantTimeChange: SignificantTimeChange? = nil
      ) {
        self.attached = attached
        self.handleEvents = handleEvents
        self.progressed = progressed
        self.ended = ended
        self.eventsFinished = eventsFinished
        self.asked = asked
        self.enterBackground = enterBackground
        self.enterForeground = enterForeground
        self.expireTasks = expireTasks
        self.acted = acted
        self.memoryWarning = memoryWarning
        (self.standing, self.notified) = (standing, notified)
        (self.performFetch, self.performTask, self.expireTask) = (performFetch, performTask, expireTask)
        self.informed = informed
        self.significantTimeChange = significantTimeChange
      }
    }

  }

  /// Opens a session, new or known. Its waiting events follow on the attachment. `nextTask` is one more than the
  /// highest task identifier this session has used; 2147483648 if none is left. An idle session is forgotten if its app
  /// has a thousand, and begins at 1 again.
  public enum OpenSession: WireMethod {
    public static let name = "dev.nightjar.App.OpenSession"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var session: String
      public var options: SessionOptions?

      /// Fills in every field; what may be null is null unless given.
      public init(session: String, options: SessionOptions? = nil) {
        self.session = session
        self.options = options
      }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var nextTask: Int64
      public var taskCount: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(nextTask: Int64, taskCount: Int64) {
        self.nextTask = nextTask
        self.taskCount = taskCount
      }
    }

  }

  /// The tasks of an open session with an identifier above `after`, lowest first, at most 500 at a time, and fewer if
  /// their texts are long.
  public enum ListTasks: WireMethod {
    public static let name = "dev.nightjar.App.ListTasks"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var session: String
      public var after: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(session: String, after: Int64) {
        self.session = session
        self.after = after
      }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var tasks: [Task]
      public var complete: Bool

      /// Fills in every field; what may be null is null unless given.
      public init(tasks: [Task], complete: Bool) {
        self.tasks = tasks
        self.complete = complete
      }
    }

  }

  /// Acknowledges events: their delegate calls have returned. They are never sent again, and their staged files are
  /// removed.
  public enum Acknowledge: WireMethod {
    public static let name = "dev.nightjar.App.Acknowledge"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var numbers: [Int64]

      /// Fills in every field; what may be null is null unless given.
      public init(numbers: [Int64]) {
        self.numbers = numbers
      }
    }

    public typealias Reply = Nothing
  }

  /// Answers a question. A second answer, or one to a question that is no longer open, changes nothing. With `asks` the
  /// session wants to be asked only these from now on. If the given request cannot be sent, the task fails.
  public enum AnswerQuestion: WireMethod {
    public static let name = "dev.nightjar.App.AnswerQuestion"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var number: Int64
      public var decision: Decision
      public var asks: Asks?

      /// Fills in every field; what may be null is null unless given.
      public init(number: Int64, decision: Decision, asks: Asks? = nil) {
        self.number = number
        self.decision = decision
        self.asks = asks
      }
    }

    public typealias Reply = Nothing
  }

  /// Reports that a staged file no longer looks as the event described it: it is downloaded again before the task ends
  /// again. Do not call this for an upload, which would fail although it has succeeded: acknowledge it without its
  /// answer's body.
  public enum ReportDamage: WireMethod {
    public static let name = "dev.nightjar.App.ReportDamage"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var number: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(number: Int64) {
        self.number = number
      }
    }

    public typealias Reply = Nothing
  }

  /// Says that the app has called the completion handler that it was given for a session's events.
  public enum FinishEvents: WireMethod {
    public static let name = "dev.nightjar.App.FinishEvents"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var session: String

      /// Fills in every field; what may be null is null unless given.
      public init(session: String) {
        self.session = session
      }
    }

    public typealias Reply = Nothing
  }

  /// Forgets the decisions that hold for all tasks of a session, and with them its names and passwords: the next tasks
  /// ask again. A task keeps the decisions about its own questions.
  public enum ForgetDecisions: WireMethod {
    public static let name = "dev.nightjar.App.ForgetDecisions"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var session: String

      /// Fills in every field; what may be null is null unless given.
      public init(session: String) {
        self.session = session
      }
    }

    public typealias Reply = Nothing
  }

  /// Forgets a session. Its tasks are cancelled first if `cancel` is set; otherwise they must have ended.
  public enum CloseSession: WireMethod {
    public static let name = "dev.nightjar.App.CloseSession"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var session: String
      public var cancel: Bool

      /// Fills in every field; what may be null is null unless given.
      public init(session: String, cancel: Bool) {
        self.session = session
        self.cancel = cancel
      }
    }

    public typealias Reply = Nothing
  }

}
