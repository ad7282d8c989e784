public import NightjarModel

/// All that is remembered over a crash or a reboot, as the store gives it back.
public struct Memory: Hashable, Sendable {
  /// The clock that all ages stand on; nil in a new database.
  public var clock: DeviceClock?
  /// What has been counted so far.
  public var counters = Counters()
  /// Installed apps and registered programs.
  public var apps: [AppRecord] = []
  /// Sessions that were opened and not forgotten.
  public var sessions: [SessionRecord] = []
  /// Transfers that were queued and neither acknowledged nor removed, in the order of their numbers.
  public var transfers: [TransferRecord] = []
  /// What apps have yet to be told, in the order of their numbers.
  public var wakes: [Wake] = []
  /// What cancelled and failed downloads have left, by key.
  public var remnants: [Remnant] = []
  /// Apps that were removed and whose bundles may still lie on the disk, by name.
  public var departed: [AppID] = []
  /// What has happened to apps, each one's entries in the order of their numbers.
  public var history: [HistoryEntry] = []
  /// What a person has put in the place of the sensors.
  public var simulated = SimulatedConditions.none
  /// Notifications that are scheduled, by app and key.
  public var scheduled: [ScheduledNotice] = []
  /// Notifications that were fired and neither put away nor taken by their apps, in the order of their numbers.
  public var notices: [FiredNotice] = []
  /// Whether apps may be launched to refresh their content.
  public var refreshes = true
  /// The records of apps' fetches, by app name.
  public var fetches: [FetchRecord] = []
  /// The tasks that apps have asked for, by name and identifier.
  public var requests: [RequestRecord] = []
  /// What was decided about fetches, in the order of its numbers.
  public var decisions: [FetchDecision] = []
  /// What was learned of a person's habits, as `Habits` saves it; nil while nothing was.
  public var habits: [UInt8]?
  /// What fetches may cost; nil before the first.
  public var budget: FetchBudget?

  /// Whether nothing is remembered that has files in the data folder, as in a new database.
  public var isBlank: Bool { apps.isEmpty && transfers.isEmpty && remnants.isEmpty && departed.isEmpty }

  /// The memory of a new database.
  public init() {}
}

/// Numbers that are given out once and never again.
public struct Counters: Hashable, Sendable {
  /// The last number given to a transfer.
  public var transfer: Int64 = 0
  /// The last number given to a wake.
  public var wake: Int64 = 0
  /// The last number given to a notification that was fired.
  public var notice: Int64 = 0
  /// The last number given to a decision about a fetch.
  public var decision: Int64 = 0

  /// Counters of a new database.
  public init() {}

  /// Counters as they were saved.
  public init(transfer: Int64, wake: Int64, notice: Int64 = 0, decision: Int64 = 0) {
    (self.transfer, self.wake, self.notice, self.decision) = (transfer, wake, notice, decision)
  }
}

/// What is remembered of an app.
public struct AppRecord: Hashable, Sendable {
  /// The app as it is installed.
  public var installed: InstalledApp
  /// Its latest life, counted from 1; 0 before the first launch.
  public var life: Int
  /// Whether that life began in the background.
  public var isBackground: Bool
  /// The latest of its lives in which a process of it attached; 0 for none.
  public var attachedLife = 0
  /// Lives in a row that ended without acknowledging anything while something waited.
  public var failures: Int
  /// No launch into the background before this age.
  public var notBefore: Age?
  /// Up to when its launches into the background are paid for; nil when it has its whole budget.
  public var paidUntil: Age?
  /// Its place in the app switcher.
  public var card = Card()
  /// What a person allows it.
  public var settings = AppSettings()
  /// The number that its icon shows; 0 for none.
  public var badge = 0
  /// The keys of its latest notifications that a person put away or the app took, the oldest first: a request with one
  /// of them repeats one whose answer was lost.
  public var pastNotices: [RequestKey] = []

  /// A record as it was saved, or of an app that has never run.
  public init(
    installed: InstalledApp, life: Int = 0, isBackground: Bool = false, failures: Int = 0, notBefore: Age? = nil,
    paidUntil: Age? = nil
  ) {
    (self.installed, self.life, self.isBackground) = (installed, life, isBackground)
    (self.failures, self.notBefore, self.paidUntil) = (failures, notBefore, paidUntil)
  }
}

/// What is remembered of a background session.
public struct SessionRecord: Hashable, Sendable {
  /// Its name.
  public var id: SessionID
  /// Whether the app is launched to be told.
  public var sendsLaunchEvents: Bool
  /// The lowest task identifier that was never used.
  public var nextTask: Int
  /// What it wants to be asked.
  public var asks = Asks.nothing
  /// Launches in a row in which the app was told to handle its events and did not open it.
  public var unopened: Int

  /// A record as it was saved, or of a new session.
  public init(id: SessionID, sendsLaunchEvents: Bool = true, nextTask: Int = 1, unopened: Int = 0) {
    (self.id, self.sendsLaunchEvents, self.nextTask, self.unopened) = (id, sendsLaunchEvents, nextTask, unopened)
  }
}

/// What is remembered of a transfer.
public struct TransferRecord: Hashable, Sendable {
  /// Its number.
  public var id: TransferID
  /// What was asked for, as last changed.
  public var request: TransferRequest
  /// From when its resource timeout runs: when it was asked for, its time came, or it was begun anew.
  public var born: Age
  /// Its state.
  public var state: TransferState

  /// A record as it was saved.
  public init(id: TransferID, request: TransferRequest, born: Age, state: TransferState) {
    (self.id, self.request, self.born, self.state) = (id, request, born, state)
  }
}

extension Memory {
  /// Points all staged files to this folder, wherever it was when they were written down: a home may have been moved,
  /// and in a copied one the old paths lead to the original's files.
  public mutating func stage(in folder: String) {
    for place in transfers.indices {
      transfers[place].state.phase.changeFile { $0 = $0.moved(to: folder) }
    }
  }

  /// Gives files that were restored from a backup the stamps that they have now.
  ///
  /// - Parameter look: The present stamp of the restored file at a path, which had the given one; nil if there is none.
  /// - Returns: The changes to make durable.
  public mutating func restamp(_ look: (_ path: String, FileStamp) -> FileStamp?) -> Changes {
    var changes = Changes()
    for place in transfers.indices {
      var record = transfers[place]
      if case .upload(let path, let old) = record.request.direction, !record.state.isEnded, let new = look(path, old) {
        record.request.direction = .upload(path: path, stamp: new)
      }
      record.state.phase.changeFile { $0.stamp = look($0.path, $0.stamp) ?? $0.stamp }
      guard record != transfers[place] else { continue }
      transfers[place] = record
      changes.revise(record)
    }
    return changes
  }
}

extension TransferState.Phase {
  /// Changes what is known of the staged file, if there is one.
  fileprivate mutating func changeFile(_ change: (inout StagedFile) -> Void) {
    switch self {
    case .delivering(let response, var file):
      change(&file)
      self = .delivering(response, file)
    case .undelivered(let until, let response, var file, let failure):
      change(&file)
      self = .undelivered(until: until, response, file, failure)
    case .ended(.succeeded(let response, var file), let at):
      change(&file)
      self = .ended(.succeeded(response, file), at: at)
    case .queued, .running, .stopping, .waiting, .asking, .ended(.failed, _): break
    }
  }
}

extension StagedFile {
  fileprivate func moved(to folder: String) -> StagedFile {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), path[..<slash] != folder else { return self }
    return StagedFile(path: folder + path[slash...], stamp: stamp)
  }
}
