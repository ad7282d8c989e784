@testable import NightjarCore
import NightjarHabits
import NightjarModel

/// A seeded row of commits, and beside it what a store that took them must remember.
struct Walk {
  private var dice: Dice
  private var transfers: [TransferID: TransferRecord] = [:]
  private var sessions: [SessionID: SessionRecord] = [:]
  private var apps: [AppID: AppRecord] = [:]
  private var wakes: [Int64: Wake] = [:]
  private var remnants: [RequestKey: Remnant] = [:]
  private var departed: Set<AppID> = []
  private var history: [HistoryEntry.ID: HistoryEntry] = [:]
  private var simulated = SimulatedConditions.none
  private var scheduled: [NoticeKey: ScheduledNotice] = [:]
  private var notices: [NoticeID: FiredNotice] = [:]
  private var refreshes = true
  private var fetches: [AppID: FetchRecord] = [:]
  private var requests: [RequestRecord.ID: RequestRecord] = [:]
  private var decisions: [Int64: FetchDecision] = [:]
  private var habits: [UInt8]?
  private var budget: FetchBudget?
  private var counters = Counters()
  /// Commits so far; the clock of each carries its number.
  private(set) var count: Int64 = 0

  init(seed: UInt64) { dice = Dice(seed: seed) }

  struct Step {
    var changes = Changes()
    var clock: DeviceClock
    var counters: Counters
  }

  /// The number of the last commit that a memory holds.
  static func count(_ memory: Memory) -> Int64 { memory.clock.map { $0.latest.sinceFirst.components.seconds } ?? 0 }

  /// What a store must give back now.
  var memory: Memory {
    var memory = Memory()
    guard count > 0 else { return memory }
    (memory.clock, memory.counters) = (clock, counters)
    memory.apps = apps.keys.sorted().map { apps[$0]! }
    memory.sessions = sessions.keys.sorted().map { sessions[$0]! }
    memory.transfers = transfers.keys.sorted().map { transfers[$0]! }
    (memory.simulated, memory.departed) = (simulated, departed.sorted())
    memory.remnants = remnants.keys.sorted().map { remnants[$0]! }
    memory.history = history.keys.sorted().map { history[$0]! }
    memory.scheduled = scheduled.keys.sorted().map { scheduled[$0]! }
    memory.notices = notices.keys.sorted().map { notices[$0]! }
    memory.refreshes = refreshes
    memory.fetches = fetches.keys.sorted().map { fetches[$0]! }
    memory.requests = requests.keys.sorted().map { requests[$0]! }
    memory.decisions = decisions.keys.sorted().map { decisions[$0]! }
    (memory.habits, memory.budget) = (habits, budget)
    memory.wakes = wakes.keys.sorted().map { wakes[$0]! }
    return memory
  }

  private var clock: DeviceClock {
    DeviceClock(bootID: BootID("boot \(count / 10)"), offset: .seconds(-count), latest: Age(.seconds(count)))
  }

  /// Draws the next commit.
  mutating func step() -> Step {
    var changes = Changes()
    for _ in 0...dice.count() { change(&changes) }
    count += 1
    return Step(changes: changes, clock: clock, counters: counters)
  }

  private mutating func change(_ changes: inout Changes) {
    switch Int.random(in: 0..<19, using: &dice) {
    case 0..<3: addTransfer(&changes)
    case 3..<5: changeTransfer(&changes)
    case 5: removeTransfer(&changes)
    case 6: changeWake(&changes)
    case 7, 8: changeSession(&changes)
    case 9: reviseTransfer(&changes)
    case 10: dice.flag() ? simulate(&changes) : depart(&changes)
    case 11: changeRemnant(&changes)
    case 12: changeHistory(&changes)
    case 13: changeScheduled(&changes)
    case 14: changeNotice(&changes)
    case 15: changeFetches(&changes)
    case 16: changeRequest(&changes)
    case 17: dice.chance(oneIn: 4) ? changeHabits(&changes) : changeDecision(&changes)
    default: changeApp(&changes)
    }
  }

  private mutating func addTransfer(_ changes: inout Changes) {
    counters.transfer += 1
    let id = TransferID(counters.transfer)
    let (request, born) = (dice.request(), dice.age())
    let record = TransferRecord(id: id, request: request, born: born, state: dice.state(of: request))
    transfers[id] = record
    changes.add(record)
  }

  private mutating func changeTransfer(_ changes: inout Changes) {
    guard let id = transfers.keys.sorted().randomElement(using: &dice) else { return }
    let state = dice.state(of: transfers[id]!.request)
    transfers[id]?.state = state
    changes.change(id, to: state)
  }

  private mutating func reviseTransfer(_ changes: inout Changes) {
    guard let id = transfers.keys.sorted().randomElement(using: &dice) else { return }
    transfers[id]!.request.label = dice.text()
    transfers[id]!.request.priority = Float.random(in: 0...1, using: &dice)
    let other = dice.request()
    (transfers[id]!.request.options, transfers[id]!.request.body) = (other.options, other.body)
    transfers[id]!.born = dice.age()
    changes.revise(transfers[id]!)
  }

  private mutating func changeRemnant(_ changes: inout Changes) {
    if let key = remnants.keys.sorted().randomElement(using: &dice), dice.flag() {
      remnants[key] = nil
      changes.removeRemnant(key)
    } else {
      let remnant = dice.remnant()
      remnants[remnant.key] = remnant
      changes.keep(remnant)
    }
  }

  private mutating func changeScheduled(_ changes: inout Changes) {
    if let key = scheduled.keys.sorted().randomElement(using: &dice), dice.flag() {
      scheduled[key] = nil
      return changes.removeScheduled(key)
    }
    let since = dice.flag() ? Timestamp(seconds: Int64(dice.count()) * 900_000) : nil
    let notice = ScheduledNotice(request: dice.noticeRequest(), since: since)
    scheduled[notice.key] = notice
    changes.keep(notice)
  }

  private mutating func changeNotice(_ changes: inout Changes) {
    if dice.chance(oneIn: 4) {
      refreshes = dice.flag()
      return changes.keep(refreshes: refreshes)
    }
    if let id = notices.keys.sorted().randomElement(using: &dice), dice.flag() {
      notices[id] = nil
      return changes.removeNotice(id)
    }
    counters.notice += 1
    let notice = dice.firedNotice(NoticeID(counters.notice))
    notices[notice.id] = notice
    changes.keep(notice)
  }

  private mutating func changeFetches(_ changes: inout Changes) {
    let app = dice.app()
    if dice.chance(oneIn: 3) {
      fetches[app] = nil
      return changes.removeFetches(of: app)
    }
    fetches[app] = dice.fetchRecord(app)
    changes.keep(fetches[app]!)
  }

  private mutating func changeRequest(_ changes: inout Changes) {
    let errand = dice.flag() ? dice.number() : nil
    let record = RequestRecord(app: dice.app(), request: dice.backgroundRequest(), errand: errand)
    if dice.chance(oneIn: 3) {
      requests[record.id] = nil
      return changes.removeRequest(record.id)
    }
    requests[record.id] = record
    changes.keep(record)
  }

  private mutating func changeDecision(_ changes: inout Changes) {
    if let number = decisions.keys.sorted().randomElement(using: &dice), dice.chance(oneIn: 3) {
      decisions[number] = nil
      return changes.removeDecision(number)
    }
    counters.decision += 1
    decisions[counters.decision] = dice.fetchDecision(counters.decision)
    changes.keep(decisions[counters.decision]!)
  }

  private mutating func changeHabits(_ changes: inout Changes) {
    if dice.flag() {
      var learned = Habits()
      learned.opened(dice.app(), at: LocalTime(seconds: Int64(dice.count()) * 3600))
      habits = learned.saved
      changes.keep(learned)
    } else {
      budget = dice.budget()
      changes.keep(budget!)
    }
  }

  private mutating func depart(_ changes: inout Changes) {
    let (app, isLeft) = (dice.app(), dice.flag())
    if isLeft { departed.insert(app) } else { departed.remove(app) }
    changes.depart(app, isLeft)
  }

  private mutating func simulate(_ changes: inout Changes) {
    simulated = dice.simulated()
    changes.keep(simulated)
  }

  private mutating func removeTransfer(_ changes: inout Changes) {
    guard let id = transfers.keys.sorted().randomElement(using: &dice) else { return }
    transfers[id] = nil
    changes.remove(id)
    for number in wakes.keys.sorted() where wakes[number]?.transfer == id {
      wakes[number] = nil
      changes.removeWake(number)
    }
  }

  private mutating func changeWake(_ changes: inout Changes) {
    if dice.flag(), let number = wakes.keys.sorted().randomElement(using: &dice) {
      wakes[number] = nil
      return changes.removeWake(number)
    }
    guard let id = transfers.keys.sorted().randomElement(using: &dice) else { return }
    counters.wake += 1
    let session = SessionID(app: dice.app(), identifier: dice.text())
    let wake = Wake(number: counters.wake, of: session, transfer: id, crashes: dice.count())
    wakes[wake.number] = wake
    changes.keep(wake)
  }

  private mutating func changeSession(_ changes: inout Changes) {
    let id = dice.session()
    if dice.chance(oneIn: 3) {
      sessions[id] = nil
      return changes.remove(id)
    }
    var record = SessionRecord(id: id, sendsLaunchEvents: dice.flag(), nextTask: dice.count(), unopened: dice.count())
    record.asks = Asks(credentials: dice.flag(), everyCertificate: dice.flag(), delays: dice.flag())
    sessions[id] = record
    changes.keep(record)
  }

  private mutating func changeHistory(_ changes: inout Changes) {
    if let id = history.keys.sorted().randomElement(using: &dice), dice.chance(oneIn: 3) {
      history[id] = nil
      return changes.removeEntry(id)
    }
    let entry = dice.historyEntry()
    history[entry.id] = entry
    changes.keep(entry)
  }

  private mutating func changeApp(_ changes: inout Changes) {
    let id = dice.app()
    if dice.chance(oneIn: 3) {
      apps[id] = nil
      return changes.remove(id)
    }
    let record = dice.appRecord(id)
    apps[id] = record
    changes.keep(record)
  }
}
