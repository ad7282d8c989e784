import NightjarCore
import NightjarModel

/// An app on the disk, with what it keeps in its container over all its lives.
struct Household: Sendable {
  var installed: InstalledApp
  /// Whether its bundle exists; a program has none.
  var isOnDisk: Bool
  /// The sessions that it ever created, and whether each launches it.
  var sessions: [(name: String, sendsLaunchEvents: Bool)]
  /// How many requests of its user no session has queued yet.
  var wishes = 0
  /// Requests that were made and not accepted yet.
  var outbox: [Parcel] = []
  /// The fetch interval that it asked for last.
  var interval: Duration?
  /// The remnants of its downloads.
  var kept: [Remnant] = []

  /// A request on its way to the daemon.
  struct Parcel: Sendable {
    var request: TransferRequest
    var isSuspended: Bool
    /// The remnant that it resumes from.
    var remnant: RequestKey?

    var call: AppCall { .enqueue(request, isSuspended: isSuspended, remnant: remnant) }
  }

  init(installed: InstalledApp, dice: inout Dice) {
    self.installed = installed
    sessions = [("main", true)]
    if dice.falls(400) { sessions.append(("quiet", false)) }
    if dice.falls(300) { sessions.append(("second", true)) }
    if case .bundle = installed.kind { isOnDisk = true } else { isOnDisk = false }
  }

  /// Whether it declares the background mode `fetch`.
  var isRefreshable: Bool { isBundle && installed.modes.contains("fetch") }

  var isBundle: Bool {
    if case .bundle = installed.kind { true } else { false }
  }
}

/// A process of an app, with the client library in it.
struct Process: Sendable {
  /// A session in the process.
  struct Session: Sendable {
    var name: String
    var isOpen = false
    /// Whether it has asked to open the session and has no answer yet.
    var isOpening = false
    /// The next task identifier, once the daemon has reported it.
    var nextTask: Int?
    /// Whether it was told to handle the session's events, and has not called the completion handler yet.
    var owesFinish = false
    /// Whether the daemon has reported that all events were sent.
    var isFinished = false
  }

  let app: AppID
  /// The life it was launched for; 0 for a program that a person started.
  let life: Int
  let pid: Int32
  /// Whether the daemon's launcher started it and watches it.
  let isLaunched: Bool
  var isForeground: Bool
  /// The daemon that watches it.
  var daemon: Int
  var connection: ConnectionID?
  var isAttached = false
  var sessions: [Session] = []
  /// Events to deliver, in order.
  var inbox: [Message.Ended] = []
  /// Numbers whose delegate calls have returned in this process.
  var delivered: Set<Int64> = []
  /// Delivered and not yet acknowledged.
  var owed: [Int64] = []
  var isBusy = false
  var isAcknowledging = false
  /// Whether it has been asked to end.
  var isLeaving = false
  /// Whether it is frozen: it gets no processor time, and its happenings wait.
  var isFrozen = false
  var held: [Happening] = []
  /// The stint of the order to freeze that is being carried out.
  var stint: Int?
  /// Its background tasks, and how many it ever began.
  var tasks: Set<Int64> = []
  var taskLast: Int64 = 0
  /// The errand it was woken for: its number, its daemon, and its deadline in milliseconds of uptime.
  var errand: (number: Int64, daemon: Int, until: Int64)?
  /// Whether it hangs: it does nothing that it owes any more.
  var isHung = false

  func session(_ name: String) -> Session? { sessions.first { $0.name == name } }

  mutating func change(_ name: String, _ change: (inout Session) -> Void) {
    if let index = sessions.firstIndex(where: { $0.name == name }) { change(&sessions[index]) }
  }
}

/// A client's connection to one daemon. What is sent on it arrives in order, or never.
struct Connection: Sendable {
  let id: ConnectionID
  let pid: Int32
  let app: AppID
  /// Whether the client's end is open.
  var isOpen = true
  /// When the last message each way arrives.
  var upLast: Int64 = 0
  var downLast: Int64 = 0
}

/// A call of the world that waits for its answer.
enum Inquiry: Sendable {
  case attachment(ConnectionID)
  case call(ConnectionID, AppCall)
  case person
}
