import NightjarCore
import NightjarModel

/// An app as it stands on the disk, with what it keeps in its container over all its lives.
struct Household: Sendable {
  var installed: InstalledApp
  /// Whether its bundle is there; a program has none.
  var isOnDisk: Bool
  /// The sessions that it ever made, and whether each launches it.
  var sessions: [(name: String, sendsLaunchEvents: Bool)]
  /// What its user asked for and no session has queued yet.
  var wishes = 0
  /// Requests that were made and not accepted yet, with the tasks they will be.
  var outbox: [Parcel] = []
  /// How often it wants to be refreshed, as it said last.
  var interval: Duration?
  /// What its downloads have left.
  var kept: [Remnant] = []

  /// A request on its way to the daemon.
  struct Parcel: Sendable {
    var request: TransferRequest
    var isSuspended: Bool
    /// What it goes on with.
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

  /// Whether it declares that it is woken to do something.
  var isRefreshable: Bool { isBundle && installed.modes.contains("fetch") }

  var isBundle: Bool {
    if case .bundle = installed.kind { true } else { false }
  }
}

/// A process of an app, with the client library in it.
struct Process: Sendable {
  /// A session as the process has it.
  struct Session: Sendable {
    var name: String
    var isOpen = false
    /// It has asked for the session to be opened, and has no answer yet.
    var isOpening = false
    /// The next task identifier, once the daemon has said it.
    var nextTask: Int?
    /// It was told to handle the session's events, and owes a call of the completion handler.
    var owesFinish = false
    /// The daemon has said that all events were sent.
    var isFinished = false
  }

  let app: AppID
  /// The life it was launched for; 0 for a program that somebody started.
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
  /// It has been asked to end.
  var isLeaving = false
  /// It gets no processor time, and what would have happened to it waits.
  var isFrozen = false
  var held: [Happening] = []
  /// The order to stand still that is being carried out.
  var stint: Int?
  /// Its background tasks, and how many it ever began.
  var tasks: Set<Int64> = []
  var taskLast: Int64 = 0
  /// What it was woken to do: under which number, by which daemon, and until when it may, in milliseconds of uptime.
  var errand: (number: Int64, daemon: Int, until: Int64)?
  /// It does nothing that it owes any more.
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

/// What the world waits to be answered.
enum Inquiry: Sendable {
  case attachment(ConnectionID)
  case call(ConnectionID, AppCall)
  case person
}
