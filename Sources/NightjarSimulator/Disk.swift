import NightjarCore
import NightjarModel

/// The committed state: the daemon's database, as it is after any crash.
struct Disk: Sendable {
  var clock: DeviceClock?
  var counters = Counters()
  var apps: [AppID: AppRecord] = [:]
  var sessions: [SessionID: SessionRecord] = [:]
  var transfers: [TransferID: TransferRecord] = [:]
  var wakes: [Int64: Wake] = [:]
  var remnants: [RequestKey: Remnant] = [:]
  var departed: Set<AppID> = []
  var history: [HistoryEntry.ID: HistoryEntry] = [:]
  var simulated = SimulatedConditions.none
  var scheduled: [NoticeKey: ScheduledNotice] = [:]
  var notices: [NoticeID: FiredNotice] = [:]
  var refreshes = true
  var fetches: [AppID: FetchRecord] = [:]
  var requests: [RequestRecord.ID: RequestRecord] = [:]
  var decisions: [Int64: FetchDecision] = [:]
  var habits: [UInt8]?
  var budget: FetchBudget?

  /// All of it, as a store gives it back at start.
  var memory: Memory {
    var memory = Memory()
    (memory.clock, memory.counters) = (clock, counters)
    memory.apps = apps.values.sorted { $0.installed.id < $1.installed.id }
    memory.sessions = sessions.values.sorted { $0.id < $1.id }
    memory.transfers = transfers.values.sorted { $0.id < $1.id }
    (memory.simulated, memory.departed) = (simulated, departed.sorted())
    memory.remnants = remnants.values.sorted { $0.key < $1.key }
    memory.history = history.values.sorted { $0.id < $1.id }
    memory.scheduled = scheduled.values.sorted { $0.key < $1.key }
    (memory.notices, memory.refreshes) = (notices.values.sorted { $0.id < $1.id }, refreshes)
    (memory.habits, memory.budget) = (habits, budget)
    memory.fetches = fetches.values.sorted { $0.app < $1.app }
    memory.requests = requests.values.sorted { $0.id < $1.id }
    memory.decisions = decisions.values.sorted { $0.number < $1.number }
    memory.wakes = wakes.values.sorted { $0.number < $1.number }
    return memory
  }

  /// Makes changes durable. Returns what is wrong with them; nil if nothing is.
  mutating func commit(_ changes: Changes, _ ledger: (clock: DeviceClock, counters: Counters)) -> String? {
    (clock, counters) = ledger
    for (id, app) in changes.apps { apps[id] = app }
    for (id, session) in changes.sessions { sessions[id] = session }
    for (number, wake) in changes.wakes { wakes[number] = wake }
    for (key, remnant) in changes.remnants { remnants[key] = remnant }
    for (id, entry) in changes.history { history[id] = entry }
    simulated = changes.simulated ?? simulated
    for (key, notice) in changes.scheduled { scheduled[key] = notice }
    for (id, notice) in changes.notices { notices[id] = notice }
    refreshes = changes.refreshes ?? refreshes
    for (id, record) in changes.fetches { fetches[id] = record }
    (habits, budget) = (changes.habits ?? habits, changes.budget ?? budget)
    for (id, record) in changes.requests { requests[id] = record }
    for (number, decision) in changes.decisions { decisions[number] = decision }
    for (id, isLeft) in changes.departures {
      if isLeft { departed.insert(id) } else { departed.remove(id) }
    }
    var complaint: String?
    for (id, change) in changes.transfers {
      switch change {
      case .added(let record): transfers[id] = record
      case .revised(let record):
        if transfers[id] == nil { complaint = "transfer \(id) is revised, which is not there" }
        transfers[id] = record
      case .removed: transfers[id] = nil
      case .changed(let state):
        if transfers[id] == nil { complaint = "a state is kept of transfer \(id), which is not there" }
        transfers[id]?.state = state
      }
    }
    return complaint
  }
}
