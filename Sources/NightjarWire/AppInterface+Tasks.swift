extension AppInterface {
  /// Queues a task in an open session. `resumed` is what it goes on with.
  public enum Enqueue: WireMethod {
    public static let name = "dev.nightjar.App.Enqueue"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var session: String
      public var task: NewTask

      /// Fills in every field; what may be null is null unless given.
      public init(session: String, task: NewTask) {
        self.session = session
        self.task = task
      }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var transfer: Int64
      public var resumed: Remnant?

      /// Fills in every field; what may be null is null unless given.
      public init(transfer: Int64, resumed: Remnant? = nil) {
        self.transfer = transfer
        self.resumed = resumed
      }
    }

  }

  /// Suspends a task: its connection is given up, what it has is kept.
  public enum SuspendTask: WireMethod {
    public static let name = "dev.nightjar.App.SuspendTask"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var session: String
      public var task: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(session: String, task: Int64) {
        self.session = session
        self.task = task
      }
    }

    public typealias Reply = Nothing
  }

  /// Lets a suspended task go on.
  public enum ResumeTask: WireMethod {
    public static let name = "dev.nightjar.App.ResumeTask"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var session: String
      public var task: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(session: String, task: Int64) {
        self.session = session
        self.task = task
      }
    }

    public typealias Reply = Nothing
  }

  /// Cancels a task: it ends with the failure `cancelled`, which is told like any other end.
  public enum CancelTask: WireMethod {
    public static let name = "dev.nightjar.App.CancelTask"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var session: String
      public var task: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(session: String, task: Int64) {
        self.session = session
        self.task = task
      }
    }

    public typealias Reply = Nothing
  }

  /// Cancels a task and keeps what came. Answered once the transfer has stopped; without a remnant there is nothing that
  /// another task could go on with.
  public enum CancelTaskKeeping: WireMethod {
    public static let name = "dev.nightjar.App.CancelTaskKeeping"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var session: String
      public var task: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(session: String, task: Int64) {
        self.session = session
        self.task = task
      }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var remnant: Remnant?

      /// Fills in every field; what may be null is null unless given.
      public init(remnant: Remnant? = nil) {
        self.remnant = remnant
      }
    }

  }

  /// Changes what was asked for of a task; what is null stays as it was. It is kept over crashes and obeyed from now on: an
  /// attempt that is under way goes on. `earliestBegin` is a time of the wall clock in nanoseconds since 1970; a time that
  /// has passed, such as 0, lets the task begin. The guesses are of bytes, header fields included.
  public enum UpdateTask: WireMethod {
    public static let name = "dev.nightjar.App.UpdateTask"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var session: String
      public var task: Int64
      public var label: String?
      public var priority: Double?
      public var earliestBegin: Int64?
      public var expectedToSend: Int64?
      public var expectedToReceive: Int64?

      /// Fills in every field; what may be null is null unless given.
      public init(
        session: String, task: Int64, label: String? = nil, priority: Double? = nil, earliestBegin: Int64? = nil,
        expectedToSend: Int64? = nil, expectedToReceive: Int64? = nil
      ) {
        self.session = session
        self.task = task
        self.label = label
        self.priority = priority
        self.earliestBegin = earliestBegin
        self.expectedToSend = expectedToSend
        self.expectedToReceive = expectedToReceive
      }
    }

    public typealias Reply = Nothing
  }
}
