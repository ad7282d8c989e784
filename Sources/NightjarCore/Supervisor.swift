import NightjarHabits
public import NightjarModel

/// Every rule of the daemon, as one value: it is handed a fact and the moment, and says what follows.
///
/// It never waits, draws no random number and reads no clock, so the same facts give the same turns in every process.
/// Each event is first *recorded*, in the one machine that it concerns, and then everything is *settled*: one pass that
/// starts whatever is due. Settling is level-triggered: run twice at the same moment, the second pass finds nothing to
/// do, so recovery after a crash is to load what is remembered and to settle.
public struct Supervisor: Sendable {
  enum Stage {
    /// Before ``Event/started``: what is remembered is taken up, and nothing is begun.
    case recalling
    case running
    /// The daemon was asked to stop: connections that close from then on are closed by it, not by the apps.
    case stopping
  }

  let bounds: Fixed<Limits>
  var limits: Limits { bounds.value }
  var clock: DeviceClock
  var counters: Counters
  var transfers: Transfers
  var remnants: Remnants
  var sessions: [SessionID: Session] = [:]
  var apps = AppTable()
  /// Apps that were removed and whose bundles may still lie on the disk. One found there at a start is removed then.
  var departed: Set<AppID> = []
  /// The app that each attached connection belongs to.
  var appOfConnection: [ConnectionID: AppID] = [:]
  /// When apps must be looked at again.
  var agenda = Agenda<AppID>()
  /// Apps that something has happened to since they were settled.
  var restless = OrderedIndex<AppID, Void>()
  /// The app in the foreground.
  var front: AppID?
  /// Whether the staging area has room again, so that transfers that were held back for lack of it may begin.
  var hasMadeRoom = false
  /// The last number given to a place or a snapshot in the switcher.
  var cardLast: Int64 = 0
  var stage = Stage.recalling
  /// The clocks as they stood at the latest event.
  var moment: Moment
  /// Sleep of this boot by which apps' deadlines have been postponed already.
  var sleepGivenBack: Duration
  /// Where the device's conditions are learned from.
  var sources = SignalSources()
  /// What transfers ask their apps.
  var questions = Questions()
  /// Whether memory is short, and what is being done about it.
  var shortage = Shortage()
  /// Whether the machine has been started anew since the last commit.
  let isNewBoot: Bool
  /// Local notifications.
  var notices: Notices
  /// What day it is, and how clocks go.
  var civilTime: CivilTime
  /// What apps are woken to do, and what came of it.
  var fetches: Fetches
  /// The background-fetch rule, and when it is next asked.
  var plan: FetchPlan
  /// The random bits of the present turn.
  var entropy: UInt64 = 0
  /// Whether the setting for all apps lets them be launched to refresh their content.
  var refreshes: Bool
  /// Ended tasks that have no wake; they get one at the start, or once their app is there.
  var untold: [TransferID]
  /// What belongs to apps that are not there, because their rows make no sense: they may be found again.
  var unclaimed = Memory()
  /// Transfers whose time came while no daemon ran; they are written down at the start.
  var belated: [TransferID] = []
  /// Sessions that were made anew, since their rows made no sense; they are written down at the start.
  var remade: Set<SessionID> = []
  /// Whether a simulated lock was taken back on a device that senses none: it counts as unlocked, not as unknown.
  private var isUnpretended = false
  /// Whether the lock was last sensed as locked. What senses it may have gone since.
  private(set) var wasLocked = false

  /// Goes on from what is remembered. Nothing starts before the event ``Event/started``.
  public init(_ memory: Memory, limits: Limits = Limits(), at moment: Moment) {
    let bounds = Fixed(limits)
    (self.bounds, self.moment, sleepGivenBack) = (bounds, moment, moment.slept)
    clock = memory.clock ?? DeviceClock(at: moment)
    isNewBoot = clock.bootID != moment.bootID
    counters = memory.counters
    transfers = Transfers(limits: bounds)
    remnants = Remnants(limits: bounds)
    fetches = Fetches(limits: bounds)
    plan = FetchPlan(limits, habits: Habits(), budget: memory.budget, at: clock.latest)
    (notices, refreshes) = (Notices(limits: limits, at: moment.wall), memory.refreshes)
    civilTime = CivilTime(at: moment.wall, notices.rules)
    untold = memory.untold
    recallHabits(memory.habits)
    for remnant in memory.remnants { keep(remnant) }
    let now = clock.age(at: moment)
    var turn = Turn()
    var offer = transfers.offer
    offer.simulated = memory.simulated
    transfers.obey(offer, into: &turn)  // Nothing runs yet that it could concern.
    departed = Set(memory.departed)
    for record in memory.apps { apps[record.installed.id] = App(record) }
    cardLast = memory.apps.flatMap { [$0.card.used ?? 0, $0.card.snapshot ?? 0] }.max() ?? 0
    for record in memory.sessions {
      sessions[record.id] = Session(record)
      transfers.setAsks(record.asks, of: record.id)
    }
    for record in memory.transfers { restore(record, at: now) }
    takeUp(memory.belongings { apps.contains($0) })
    unclaimed = memory.belongings { !apps.contains($0) }
    for id in apps.keys.sorted() { disturb(id) }
  }

  /// What a commit saves beside the changes: the clock and the counters.
  public var ledger: (clock: DeviceClock, counters: Counters) { (clock, counters) }

  /// The boot time at which to send ``Event/awoke``; nil while nothing will ever be due, and before ``Event/started``.
  public var nextLook: Duration? {
    mutating get { nextLook(notAfter: nil) }
  }

  /// The same for a caller that asks only up to a boot time: a later look may be nil, which is found out sooner.
  public mutating func nextLook(notAfter limit: Duration?) -> Duration? {
    guard stage == .running else { return nil }
    // Nobody is refreshed while memory is short; what is due then is looked at when that is over.
    let ofFetches = shortage.isOver ? plan.appointment : nil
    let appointment = earliest(earliest(transfers.nextAppointment, notices.next), ofFetches).map(moment.bootTime)
    let midnight = civilTime.next.map(moment.bootTime)  // It concerns apps that run; mostly nobody looks so far ahead.
    let isNear = midnight.map { $0 <= limit ?? $0 } ?? false
    let ofPeople = isNear && apps.isAnyRunning ? midnight : nil
    let due = earliest(earliest(transfers.nextDue, remnants.nextDue), earliest(agenda.next, shortage.due)).map {
      clock.bootTime(of: $0)
    }
    let others = earliest(due, earliest(appointment, ofPeople))
    guard shortage.isOver else { return others }
    let end = earliest(others, limit).map { clock.age(ofBootTime: $0) }
    return earliest(others, plan.nextLook(notAfter: end).map { clock.bootTime(of: $0) })
  }

  /// Takes in an event, and adds what follows from it to the turn.
  ///
  /// - Parameter entropy: 64 random bits, from which all jitter of this turn is drawn.
  public mutating func handle(_ event: Event, at moment: Moment, entropy: UInt64, into turn: inout Turn) {
    noticeSleep(until: moment)
    (self.moment, self.entropy) = (moment, entropy)
    let now = clock.age(at: moment)
    seeWall(into: &turn)
    plan.see(moment, localTime)
    record(event, circumstances(at: now), into: &turn)
    noticeTimeChange()
    settle(at: now, into: &turn)
    saveHabits(at: now, into: &turn)
  }

  /// Has the apps that run hear of a significant time change.
  private mutating func noticeTimeChange() {
    guard civilTime.advance(to: moment.wall, notices.rules) else { return }
    for id in apps.running where apps[there: id].isBundle { disturb(id) }
  }

  /// What facts are judged by in the present turn.
  func circumstances(at now: Age) -> Circumstances { Circumstances(bounds: bounds, entropy: entropy, now: now) }

  private mutating func record(_ event: Event, _ circumstances: Circumstances, into turn: inout Turn) {
    let now = circumstances.now
    switch event {
    case .called(.cancelKeeping(let name, let task), let caller, let ticket):
      cancelKeeping(name, task: task, by: caller, ticket, at: now, into: &turn)
    case .called(let call, let caller, let ticket):
      turn.deeds.append(.answer(ticket, perform(call, by: caller, at: now, into: &turn)))
    case .ordered(let call, let ticket):
      if let answer = perform(call, ticket, at: now, into: &turn) { turn.deeds.append(.answer(ticket, answer)) }
    case .attached(let attachment, let ticket):
      turn.deeds.append(.answer(ticket, attach(attachment, at: now, into: &turn)))
    case .detached(let connection):
      detach(connection, circumstances, into: &turn)
    case .transfer(let id, let attempt, let fact):
      let before = transfers[id]?.count ?? 0
      transfers.learn(fact, of: id, attempt: attempt, circumstances, into: &turn)
      countBytes(of: id, since: before, at: now)
      tellCourse(fact, of: id, attempt: attempt, into: &turn)
    case .delivery(let id, let attempt, let fact):
      transfers.learn(fact, of: id, attempt: attempt, circumstances, into: &turn)
    case .app(let id, let life, let fact):
      learn(fact, of: id, life: life, circumstances, into: &turn)
    case .adopted(let id, let life, let pid, let isFrozen):
      adopt(id, life: life, pid: pid, isFrozen: isFrozen, at: now, into: &turn)
    case .installed(let app, let ticket):
      install(app, ticket, at: now, into: &turn)
    case .uninstalled(let id):
      vanish(id, at: now, into: &turn)
    case .sensed(let conditions):
      sense(conditions, at: now, into: &turn)
    case .pressed(let pressure):
      press(pressure, at: now, into: &turn)
    case .measured(let question, let reading):
      weighMemory(reading, question: question, at: now, into: &turn)
    case .sourcesChanged(let sources):
      turn.touchedDevice = turn.touchedDevice || sources != self.sources
      self.sources = sources
    case .located(let rules):
      notices.obey(rules)
      civilTime.obeyOthers()
      plan.see(moment, localTime)
      plan.isDisturbed = true
    case .shown(let id):
      noteShown(id, into: &turn)
    case .started:
      begin(at: now, into: &turn)
    case .stopping:
      endSuspended(at: now, into: &turn)
      plan.saving.hurry()
      stage = .stopping
    case .awoke:
      break
    }
  }

  /// Begins the work, now that all found at start was reported, and sees to what an earlier daemon has left open.
  private mutating func begin(at now: Age, into turn: inout Turn) {
    guard stage == .recalling else { return }  // It was asked to stop before the sensors had reported.
    stage = .running
    postUntold(into: &turn)
    writeBelated(into: &turn)
    noteLosses(into: &turn)
    finishRemovals(at: now, into: &turn)
    awaitPrograms(at: now)
    forgetRemovedLooks(into: &turn)
    fetches.giveUpOpen(into: &turn)
    if let trouble = plan.trouble { turn.deeds.append(.note(nil, trouble)) }
    plan.trouble = nil
    plan.usedAt = now  // A person has most likely just started the device or the daemon.
    for id in apps.keys.sorted() where apps[id]!.life == .notRunning { returnNotices(of: id, into: &turn) }
    restoreNotices(into: &turn)
    for id in apps.keys.sorted() where apps[id]!.record.installed.isProtected { turn.touchedApps.append(id) }
  }

  /// Starts whatever is due, from left to right: transfers, then the wakes they post, then the apps to be told.
  private mutating func settle(at now: Age, into turn: inout Turn) {
    postWakes(at: now, into: &turn)
    guard stage == .running else { return }
    expireRemnants(at: now, into: &turn)
    settleShortage(at: now, into: &turn)
    settleNotices(into: &turn)
    repeat {
      hasMadeRoom = false
      transfers.attend(at: now, wall: moment.wall, into: &turn)
      postWakes(at: now, into: &turn)  // One that is being cancelled ends, and does not start again.
      transfers.start(at: now, into: &turn)
      postWakes(at: now, into: &turn)
      settleFetches(at: now, into: &turn)
      while let id = agenda.popDue(at: now) { disturb(id) }
    } while settleApps(at: now, into: &turn) || hasMadeRoom || plan.isDisturbed && shortage.isOver
  }

  /// Settles every app that something has happened to. Returns whether one was removed, so that its places are free.
  private mutating func settleApps(at now: Age, into turn: inout Turn) -> Bool {
    let count = apps.count
    while let id = restless.first?.key {
      restless[id] = nil
      settle(id, at: now, into: &turn)
    }
    return apps.count < count
  }

  private mutating func sense(_ sensed: Conditions, at now: Age, into turn: inout Turn) {
    var new = transfers.offer
    new.sensed = sensed
    if let lock = sensed.lock {
      (isUnpretended, wasLocked) = (false, lock)
    } else if isUnpretended {
      new.sensed.lock = false
    }
    offer(new, at: now, into: &turn)
  }

  /// A person puts something in the place of the sensors, or takes it back.
  mutating func simulate(_ simulated: SimulatedConditions, at now: Age, into turn: inout Turn) {
    guard simulated != transfers.offer.simulated else { return }
    turn.changes.keep(simulated)
    var new = transfers.offer
    new.simulated = simulated
    if transfers.offer.simulated.isLocked != nil, new.conditions.lock == nil {
      (isUnpretended, new.sensed.lock) = (true, false)
    }
    offer(new, at: now, into: &turn)
  }

  private mutating func offer(_ offer: Offer, at now: Age, into turn: inout Turn) {
    guard offer != transfers.offer else { return }
    let old = device.conditions
    transfers.obey(offer, into: &turn)
    if device.conditions != old { conditionsChanged(from: old, to: device.conditions, at: now, into: &turn) }
    turn.touchedDevice = true
    guard PowerView(device.conditions) != PowerView(old) || device.conditions.lock != old.lock else { return }
    for id in apps.running where apps[there: id].isBundle { disturb(id) }
  }

  private mutating func restore(_ record: TransferRecord, at now: Age) {
    var record = record
    record.state.recover()
    var transfer = Transfer(record, at: now, wall: moment.wall)
    if transfer.catchUp(at: now, wall: moment.wall) { belated.append(transfer.id) }
    transfers.insert(transfer)
    claimSession(for: transfer)
    enroll(transfer)
  }

  /// Makes a session anew whose row made no sense, so that its app is told of its tasks and their numbers are not given
  /// out again.
  private mutating func claimSession(for transfer: Transfer) {
    guard let id = transfer.request.sessionID else { return }
    if sessions[id] == nil { remade.insert(id) }
    var session = sessions[id] ?? Session(SessionRecord(id: id))
    session.record.nextTask = max(session.record.nextTask, min(transfer.request.task, TransferRequest.taskMax) + 1)
    sessions[id] = session
  }

  /// Has an app settled in this turn.
  mutating func disturb(_ id: AppID) {
    if apps.contains(id) { restless[id] = () }
  }

  /// Enters a transfer into its session.
  mutating func enroll(_ transfer: Transfer) {
    guard let session = transfer.request.sessionID else { return }
    sessions[session]?.tasks[transfer.request.task] = transfer.id
    if transfer.isRunning { sessions[session]?.running += 1 }
  }
}

extension Moment {
  /// The boot time at a time on the wall clock, if nobody sets that.
  fileprivate func bootTime(of wall: Timestamp) -> Duration { boot + (wall - self.wall) }
}
