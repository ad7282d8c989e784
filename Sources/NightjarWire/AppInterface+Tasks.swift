extension AppInterface {
  /// Queues a task in an open session. `resumed` is the remnant that it resumes from.
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

  /// Suspends a task: its connection is closed, the bytes it has are kept.
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

  /// Resumes a suspended task.
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

  /// Cancels a task: it ends with the failure `cancelled`, and the app is sent this end like any other.
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

  /// Cancels a task and keeps its bytes. Answers once the transfer has stopped; without a remnant there is nothing for
  /// another task to resume from.
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

  /// Changes the options of a task; null leaves one as it was. The change survives crashes and applies from now on, but
  /// an attempt that is under way goes on. `earliestBegin` is a time of the wall clock in nanoseconds since 1970; a
  /// time that has passed, such as 0, lets the task begin. The estimates are in bytes, including header fields.
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
