import NightjarHabits
public import NightjarModel

/// What to make durable in one commit. Of two changes to one thing the later counts.
public struct Changes: Sendable {
  /// A change to a transfer.
  public enum TransferChange: Hashable, Sendable {
    /// It is new.
    case added(TransferRecord)
    /// What was asked for has been changed; how it stands comes along.
    case revised(TransferRecord)
    /// It stands differently.
    case changed(TransferState)
    /// It is gone.
    case removed
  }

  /// Changed transfers.
  public private(set) var transfers: [TransferID: TransferChange] = [:]
  /// Whether a request with credentials is gone, or an upload's URL, which is a secret: they are to go from the disk,
  /// too, and not only from the database.
  public private(set) var forgetsCredentials = false
  /// Changed sessions; nil for one that is gone.
  public private(set) var sessions: [SessionID: SessionRecord?] = [:]
  /// Changed wakes by number; nil for one that is gone.
  public private(set) var wakes: [Int64: Wake?] = [:]
  /// Changed apps; nil for one that is gone.
  public private(set) var apps: [AppID: AppRecord?] = [:]
  /// Changed remnants by key; nil for one that is gone.
  public private(set) var remnants: [RequestKey: Remnant?] = [:]
  /// Apps that were removed and whose bundles are still to go, or with false are gone.
  public private(set) var departures: [AppID: Bool] = [:]
  /// New entries of apps' histories; nil for one that is gone.
  public private(set) var history: [HistoryEntry.ID: HistoryEntry?] = [:]
  /// What is simulated of the device; nil while that has not changed.
  public private(set) var simulated: SimulatedConditions?
  /// Changed scheduled notifications; nil for one that is gone.
  public private(set) var scheduled: [NoticeKey: ScheduledNotice?] = [:]
  /// Changed fired notifications; nil for one that is gone.
  public private(set) var notices: [NoticeID: FiredNotice?] = [:]
  /// Whether apps may refresh in the background; nil while that has not changed.
  public private(set) var refreshes: Bool?

  /// Changed records of fetches; nil for one that is gone.
  public private(set) var fetches: [AppID: FetchRecord?] = [:]
  /// Changed requests of apps; nil for one that is gone.
  public private(set) var requests: [RequestRecord.ID: RequestRecord?] = [:]
  /// New decisions about fetches, and those whose outcome has come; nil for one that is gone.
  public private(set) var decisions: [Int64: FetchDecision?] = [:]

  /// What was learned of a person's habits, as bytes, which are made anew each time that this is asked; nil unless it
  /// is to be saved.
  public var habits: [UInt8]? { learned?.saved }
  /// Whether that is to be saved; to ask costs nothing.
  public var savesHabits: Bool { learned != nil }
  private var learned: Habits?
  /// What fetches may cost; nil while that has not changed.
  public private(set) var budget: FetchBudget?

  /// No change.
  public init() {}

  /// Whether there is nothing to make durable.
  public var isEmpty: Bool {
    transfers.isEmpty && sessions.isEmpty && wakes.isEmpty && apps.isEmpty && remnants.isEmpty && simulated == nil
      && departures.isEmpty && history.isEmpty && scheduled.isEmpty && notices.isEmpty && refreshes == nil
      && fetches.isEmpty && requests.isEmpty && decisions.isEmpty
      && learned == nil && budget == nil
  }

  /// Forgets all changes, and keeps the room that they took up.
  mutating func clear() {
    Self.empty(&transfers)
    Self.empty(&sessions)
    Self.empty(&wakes)
    Self.empty(&apps)
    Self.empty(&remnants)
    Self.empty(&departures)
    Self.empty(&history)
    Self.empty(&scheduled)
    Self.empty(&notices)
    Self.empty(&fetches)
    Self.empty(&requests)
    Self.empty(&decisions)
    (simulated, refreshes, learned, budget) = (nil, nil, nil, nil)
    forgetsCredentials = false
  }

  /// Mostly there is nothing to forget.
  private static func empty<Key, Change>(_ table: inout [Key: Change]) {
    if !table.isEmpty { table.removeAll(keepingCapacity: true) }
  }

  mutating func add(_ record: TransferRecord) { transfers[record.id] = .added(record) }

  mutating func revise(_ record: TransferRecord) {
    if case .added? = transfers[record.id] { add(record) } else { transfers[record.id] = .revised(record) }
  }

  mutating func change(_ id: TransferID, to state: TransferState) {
    switch transfers[id] {
    case .added(var record):
      record.state = state
      transfers[id] = .added(record)
    case .revised(var record):
      record.state = state
      transfers[id] = .revised(record)
    case .changed, .removed, nil:
      transfers[id] = .changed(state)
    }
  }

  mutating func remove(_ id: TransferID) { transfers[id] = .removed }
  mutating func forget(_ request: TransferRequest) { if request.holdsCredentials { forgetsCredentials = true } }
  mutating func forget(_ point: ResumePoint?) { if point?.upload != nil { forgetsCredentials = true } }
  mutating func keep(_ session: SessionRecord) { sessions[session.id] = .some(session) }
  mutating func remove(_ session: SessionID) { sessions[session] = .some(nil) }
  mutating func keep(_ wake: Wake) { wakes[wake.number] = .some(wake) }
  mutating func removeWake(_ number: Int64) { wakes[number] = .some(nil) }
  mutating func keep(_ app: AppRecord) { apps[app.installed.id] = .some(app) }
  mutating func remove(_ app: AppID) { apps[app] = .some(nil) }
  mutating func keep(_ remnant: Remnant) { remnants[remnant.key] = .some(remnant) }
  mutating func removeRemnant(_ key: RequestKey) { remnants[key] = .some(nil) }
  mutating func keep(_ entry: HistoryEntry) { history[entry.id] = .some(entry) }
  mutating func removeEntry(_ id: HistoryEntry.ID) { history[id] = .some(nil) }
  mutating func depart(_ app: AppID, _ isLeft: Bool) { departures[app] = isLeft }
  mutating func keep(_ simulated: SimulatedConditions) { self.simulated = simulated }
  mutating func keep(_ notice: ScheduledNotice) { scheduled[notice.key] = .some(notice) }
  mutating func removeScheduled(_ key: NoticeKey) { scheduled[key] = .some(nil) }
  mutating func keep(_ notice: FiredNotice) { notices[notice.id] = .some(notice) }
  mutating func removeNotice(_ id: NoticeID) { notices[id] = .some(nil) }
  mutating func keep(refreshes: Bool) { self.refreshes = refreshes }
  mutating func keep(_ record: FetchRecord) { fetches[record.app] = .some(record) }
  mutating func removeFetches(of app: AppID) { fetches[app] = .some(nil) }
  mutating func keep(_ request: RequestRecord) { requests[request.id] = .some(request) }
  mutating func removeRequest(_ id: RequestRecord.ID) { requests[id] = .some(nil) }
  mutating func keep(_ decision: FetchDecision) { decisions[decision.number] = .some(decision) }
  mutating func keep(_ habits: Habits) { learned = habits }
  mutating func keep(_ budget: FetchBudget) { self.budget = budget }
  mutating func removeDecision(_ number: Int64) { decisions[number] = .some(nil) }
}
