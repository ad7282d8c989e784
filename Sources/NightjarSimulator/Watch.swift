import NightjarCore
import NightjarModel

/// What the world remembers in order to notice a broken promise.
struct Watch: Sendable {
  /// Requests wished for and made.
  var wishes = 0
  var requests = 0
  /// The newest attempt that was started of each transfer.
  var attemptLast: [TransferID: Int] = [:]
  /// The newest life that each installed app was launched for.
  var lifeLast: [AppID: Int] = [:]
  /// The highest number of a transfer that was ever committed.
  var transferLast: Int64 = 0
  /// How long the device had been on when a transfer was asked for, at the latest.
  var bornAt: [TransferID: Int64] = [:]
  /// Numbers that an app has acknowledged, or reported as damaged.
  var acknowledged: Set<Int64> = []
  /// Numbers whose removal is committed, with the turn of that.
  var settled: [Int64: Int] = [:]
  /// Which transfer a question of this number was about.
  var asked: [Int64: RequestKey] = [:]
  /// Numbers of questions whose answer the daemon has accepted.
  var decided: Set<Int64> = []
  /// The highest number that was told on a connection for a session.
  var toldLast: [Telling: Int64] = [:]
  /// Numbers that have been parked at some time; they may come after higher ones.
  var parked: Set<Int64> = []
  /// Sessions that their apps asked to be forgotten, and apps that people asked to be removed.
  var closing: Set<SessionID> = []
  /// Sessions that a client has ever closed: messages about them may still be on their way.
  var everClosed: Set<SessionID> = []
  var uninstalling: Set<AppID> = []
  /// The keys of all requests that were accepted and committed for a session.
  var accepted: Set<RequestKey> = []
  /// When each app was launched into the background, in milliseconds of uptime; since a person launched it last.
  var launches: [AppID: [Int64]] = [:]
  /// Apps that run in the background beyond their time, with the daemon that lets them and the time awake since when.
  var overruns: [AppID: (daemon: Int, awake: Duration)] = [:]
  /// Apps that people have removed from the switcher, with the turn.
  var removed: [AppID: Int] = [:]
  /// The numbers of all errands that apps were given, and when each app was last told to refresh its content, in the
  /// world's milliseconds.
  var errands: Set<Int64> = []
  var refreshed: [AppID: Int64] = [:]
  /// The numbers of all tasks that apps were to be told, and the requests that apps have withdrawn.
  var tasksTold: Set<Int64> = []
  var takenBack: Set<RequestRecord.ID> = []
  /// Apps that wait to be refreshed.
  var hunger = Hunger()
  /// The decisions without an outcome, with the time since when, in the world's milliseconds.
  var open: [Int64: Int64] = [:]
  /// Apps that were killed since faults ended.
  var kills = 0

  /// A session's events on one connection.
  struct Telling: Hashable, Sendable {
    var connection: ConnectionID
    var session: String
  }

  /// Notes a client's call before the daemon handles it.
  mutating func called(_ call: AppCall, by app: AppID, _ disk: Disk) {
    switch call {
    case .finishFetch, .finishRequestedTask: hunger.end(app)  // Even if it is late, its content is up to date.
    case .acknowledge(let numbers): acknowledged.formUnion(numbers)
    case .reportDamage(let number): acknowledged.insert(number)
    case .closeSession(let name, _): closing.insert(SessionID(app: app, identifier: name))
    case .cancelRequests(let name):
      for name in name.map({ [$0] }) ?? ["clean", "refresh"] { takenBack.insert(.init(app: app, identifier: name)) }
    case .openSession, .listTasks, .enqueue, .suspend, .resume, .cancel, .cancelKeeping, .update, .decide,
      .finishEvents, .forgetDecisions, .entered, .beginBackgroundTask, .endBackgroundTask, .show, .ignoreSnapshot,
      .schedule, .cancelNotices, .listNotices, .setBadge, .takeNotice, .setFetchInterval, .submit, .listRequests:
      break
    }
  }
}

/// The invariants of every turn.
extension World {
  /// Checks that settling again at the same moment finds nothing to do.
  mutating func checkStillness(at moment: Moment) {
    var turn = Turn()
    supervisor!.handle(.awoke, at: moment, entropy: 0, into: &turn)
    if !turn.deeds.isEmpty { fail("settling twice does more: \(turn.deeds)") }
    if !turn.changes.isEmpty { fail("settling twice changes more: \(turn.changes)") }
  }

  /// The number of turns between comparisons of memory with the disk, whose cost grows with all that is remembered. At
  /// 4 they were half of what a simulated life takes; what was not written down stays so, and is found a little later.
  static let memoryInterval = 13

  /// Checks that memory and disk agree: a supervisor made from the disk's rows looks the same.
  mutating func checkMemory(at moment: Moment) {
    let other = Supervisor(disk.memory, limits: limits, at: moment)
    for id in disk.transfers.keys.sorted() { compare(id, supervisor!, other, at: moment) }
    for id in disk.apps.keys.sorted() {
      guard let mine = supervisor!.view(of: id, at: moment), let its = other.view(of: id, at: moment) else {
        fail("\(id) is not both remembered and known")
        continue
      }
      if mine.installed != its.installed || mine.transfers != its.transfers || mine.waiting != its.waiting
        || mine.card != its.card
      {
        fail("\(id) is \(mine) and remembered as \(its)")
      }
    }
    let count = supervisor!.transfers(after: nil, limit: .max).count
    if count != disk.transfers.count { fail("\(count) transfers are known and \(disk.transfers.count) remembered") }
    compareFetches(supervisor!.fetchMemory(at: moment), other.fetchMemory(at: moment))
  }

  private mutating func compareFetches(_ mine: Memory, _ its: Memory) {
    if mine.fetches != its.fetches { fail("fetches are \(mine.fetches) and remembered as \(its.fetches)") }
    if mine.requests != its.requests { fail("requests are \(mine.requests) and remembered as \(its.requests)") }
    if mine.decisions != its.decisions { fail("decisions are \(mine.decisions) and remembered as \(its.decisions)") }
    guard disk.budget != nil, let budget = mine.budget, let other = its.budget else { return }
    for good in FetchBudget.Good.allCases {
      let (left, remembered) = (budget.account(of: good).left, other.account(of: good).left)
      if abs(left - remembered) > 1e-6 { fail("\(left) days of \(good) are left and remembered as \(remembered)") }
    }
  }

  private mutating func compare(_ id: TransferID, _ mine: Supervisor, _ other: Supervisor, at moment: Moment) {
    guard let mine = mine.view(of: id, at: moment), let its = other.view(of: id, at: moment) else {
      return fail("transfer \(id) is not both remembered and known")
    }
    var expected = mine.state
    if expected == .running || expected == .asking { expected = .queued }
    if its.state != expected, (mine.state, its.state) != (.delivering, .suspended) {
      fail("transfer \(id) is \(mine.state) and remembered as \(its.state)")
    }
    if mine.attempts != its.attempts || mine.response != its.response || mine.file != its.file
      || mine.request != its.request
    {
      fail("transfer \(id) is \(mine) and remembered as \(its)")
    }
  }

  /// Checks that nothing accepted is forgotten without a reason. Called before the commit.
  mutating func checkRemovals(_ changes: Changes) {
    for (id, change) in changes.transfers.sorted(by: { $0.key < $1.key }) where change == .removed {
      if let row = disk.transfers[id] { checkRemoval(row, changes) }
    }
    for (app, row) in changes.apps.sorted(by: { $0.key < $1.key }) where row == nil {
      if uninstallIsUnasked(app) { fail("\(app) is forgotten unasked") }
      (watch.lifeLast[app], watch.launches[app]) = (nil, nil)
    }
  }

  private func uninstallIsUnasked(_ app: AppID) -> Bool { !watch.uninstalling.contains(app) }

  private mutating func checkRemoval(_ row: TransferRecord, _ changes: Changes) {
    let app = row.request.app
    // An app may be installed, and a session opened, again in the turn in which it went.
    if changes.apps[app] != nil, watch.uninstalling.contains(app) {
      return abandoned[row.request.key] = "uninstalled"
    }
    if let session = row.request.sessionID, changes.sessions[session] != nil, watch.closing.contains(session) {
      return abandoned[row.request.key] = "closed"
    }
    let wake = disk.wakes.values.first { $0.transfer == row.id && $0.session == row.request.session ?? "" }
    if let wake, watch.acknowledged.contains(wake.number) {
      if heard[row.request.key] == nil { fail("transfer \(row.id) is acknowledged and its app has not heard of it") }
      return
    }
    if case .ended(_, let at) = row.state.phase {
      let age = supervisor!.ledger.clock.latest
      if row.request.session == nil || age - at >= limits.keptFor { return abandoned[row.request.key] = "removed" }
    }
    fail("transfer \(row.id) is forgotten: \(row.state)")
  }

  /// Checks that events go to the session's holder, in order, and never again once their acknowledgement is committed.
  mutating func checkTold(_ ended: Message.Ended, _ index: Int) {
    let process = processes[index]
    guard process.session(ended.session) != nil else {
      let session = SessionID(app: process.app, identifier: ended.session)
      return watch.everClosed.contains(session)
        ? () : fail("\(process.app) is told about session '\(ended.session)', which it did not open")
    }
    let telling = Watch.Telling(connection: process.connection!, session: ended.session)
    if ended.number <= watch.toldLast[telling, default: 0], !watch.parked.contains(ended.number) {
      fail("event \(ended.number) comes after \(watch.toldLast[telling]!)")
    }
    watch.toldLast[telling] = max(ended.number, watch.toldLast[telling, default: 0])
  }
}
