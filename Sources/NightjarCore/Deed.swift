public import NightjarModel

/// What is done in the world, after the commit. A crash can repeat a deed and never forget one.
///
/// What carries much does so in a box, so that the others are as small as they look.
public enum Deed: Hashable, Sendable {
  /// Answer a client's call.
  indirect case answer(Ticket, Answer)
  /// Send an event to an attached app.
  indirect case tell(ConnectionID, Message)
  /// Close the connection of a client whose app is no more.
  case dismiss(ConnectionID)
  /// Begin an attempt at a transfer.
  indirect case start(TransferOrder)
  /// Stop that attempt; `stopped` is the answer, unless it had ended already.
  case stop(TransferID, attempt: Int)
  /// Remove what lies in the staging area for this transfer, its attempt too if one is under way.
  case discard(TransferID)
  /// Deliver a finished file.
  indirect case deliver(DeliveryOrder)
  /// Bring up an app.
  indirect case launch(LaunchOrder)
  /// Make all processes of an app stand still; ``AppFact/suspended(stint:_:)`` is the answer.
  case suspend(AppID, life: Int, stint: Int)
  /// Let an app run on that stands still, or was told to.
  case thaw(AppID, life: Int)
  /// Look whether a debugger holds an app up; ``AppFact/inspected(tracer:)`` is the answer.
  case inspect(AppID, life: Int)
  /// End an app's life: ask it to, or kill all its processes.
  case end(AppID, life: Int, politely: Bool)
  /// Keep the view that an app shows as its snapshot.
  case keepSnapshot(AppID)
  /// Forget the view that an app has shown.
  case dropView(AppID)
  /// Remove an app's snapshots, and the state that it would be restored to.
  case forgetLooks(AppID)
  /// Measure what these take up in memory; ``Event/measured(question:_:)`` is the answer.
  case measure(question: Int, [AppLifeID])
  /// Measure how much processor time an app's processes have taken, and how many bytes they have moved;
  /// ``AppFact/metered(errand:cpu:received:sent:)`` is the answer.
  case meter(AppID, life: Int, errand: Int64)
  /// Remove an app that has ended from the disk, with its container.
  case uninstall(AppID)
  /// Show a notification; ``Event/shown(_:)`` is the answer.
  indirect case show(Banner)
  /// Notifications that an earlier daemon has left: `seen` were shown, `unseen` are about to be, and no other is to be shown any
  /// longer.
  case restore(seen: [Banner], unseen: [NoticeID])
  /// Show a notification no longer.
  case retract(NoticeID)
  /// A line for an app's log and the daemon's: what was decided and why.
  case note(AppID?, String)
}

/// Stands for one call of a client that waits for its answer.
public struct Ticket: Hashable, Sendable {
  /// Counted by the front.
  public let rawValue: UInt64

  /// A ticket of this number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// Stands for one client's connection.
public struct ConnectionID: Hashable, Comparable, Sendable {
  /// Counted by the front.
  public let rawValue: UInt64

  /// A connection of this number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  public static func < (a: ConnectionID, b: ConnectionID) -> Bool { a.rawValue < b.rawValue }
}

/// An event on its way to an attached app.
public enum Message: Hashable, Sendable {
  /// The session's events wait: open it.
  case handleEvents(session: String)
  /// Bytes moved.
  case progressed(session: String, task: Int, count: Int64, expected: Int64?)
  /// A server has said something before its answer.
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
  case expireTasks
  /// A person did something in its view.
  case acted(ViewAction)
  /// Memory is short: give back what can be made again.
  case memoryWarning
  /// What the app is allowed, or the number on its icon, has changed.
  case standing(Standing)
  /// The app is to refresh its content, and to say under this number what came of it; it may run for so long.
  case performFetch(number: Int64, remaining: Duration)
  /// The app is to run a task that it has asked for, and to say under this number when it is done.
  case performTask(number: Int64, kind: BackgroundRequest.Kind, identifier: String, remaining: Duration)
  /// The time of the task of this number is nearly up.
  case expireTask(number: Int64)
  /// A notification that was fired while it was in the foreground, or by which a person has opened it.
  case noticed(Noticed)

  /// A notification for the app's delegate.
  public struct Noticed: Hashable, Sendable {
    /// Its number, under which the app says that it was told.
    public var id: NoticeID
    /// What the app has asked for.
    public var request: NoticeRequest
    /// Whether a person has tapped it.
    public var isTapped: Bool
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
    /// What came of it.
    public var outcome: Outcome
    /// What was measured of its last attempt; nil where that is not remembered.
    public var metrics: TransferMetrics?
    /// What a failed download has left.
    public var remnant: Remnant?
  }
}
