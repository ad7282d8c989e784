import NightjarHabits
import NightjarModel

/// The rule is asked when something has happened that may change its answer, and at the times that it has foreseen itself.
extension Supervisor {
  /// Has those apps refreshed that are worth it, and runs the tasks whose time has come.
  mutating func settleFetches(at now: Age, into turn: inout Turn) {
    guard plan.isDue(at: now, wall: moment.wall), shortage.isOver else { return }
    plan.isDisturbed = false
    findProspects(at: now)
    plan.budget.advance(to: now, apps: wishfulCount, plan.rule.settings)
    decide(at: now, into: &turn)
    let task = runTasks(at: now, into: &turn)
    findProspects(at: now)
    plan.look = nextLook(at: now, orAt: task)
    plan.begin = earliestBegin
  }

  // MARK: Refreshing

  private mutating func decide(at now: Age, into turn: inout Turn) {
    let ready = plan.prospects.entries.indices.filter { plan.prospects.entries[$0].prospect != nil }
    guard !ready.isEmpty else { return }
    let decisions = decisions(ready, at: now)
    let window = counters.decision + 1
    for (place, decision) in zip(ready, decisions) {
      switch decision.verdict {
      case .waits:
        if let reason = plan.prospects.entries[place].waitsFor, decision.waits(for: reason) { continue }  // As before.
        wait(decision.app, FetchWeight(decision), obstacles(decision, at: now), into: &turn)
      case .fetch, .joins:
        guard let prospect = plan.prospects.entries[place].prospect, var app = apps[prospect.app] else { continue }
        let verdict: FetchDecision.Verdict = decision.verdict == .fetch ? .fetch : .joins
        begin(
          prospect.request, of: &app, verdict, weight: FetchWeight(decision), window: window, at: now, into: &turn)
        apps[prospect.app] = app
        plan.budget.spend(1, of: .fetches)
        turn.changes.keep(plan.budget)
      }
    }
  }

  /// The rule's word on those apps.
  private mutating func decisions(_ ready: [Int], at now: Age) -> [FetchRule.Decision] {
    plan.habits.advance(to: localTime)
    let present = plan.habits.present(at: localTime)
    var candidates: [FetchRule.Candidate] = []
    candidates.reserveCapacity(ready.count)
    var places: [Int?] = []
    places.reserveCapacity(ready.count)
    for place in ready {
      let known = present.place(of: plan.prospects.entries[place].app, near: plan.prospects.entries[place].place)
      plan.prospects.entries[place].place = known
      places.append(known)
      candidates.append(plan.prospects.entries[place].prospect!.candidate)
    }
    return plan.rule.decide(
      candidates, places, present, device: device.conditions, budget: plan.budget,
      isWindowOpen: isWindowOpen(at: now), at: now)
  }

  /// Writes down that an app waits, if it is for other reasons than before.
  private mutating func wait(
    _ app: AppID, _ weight: FetchWeight, _ obstacles: [FetchObstacle], into turn: inout Turn
  ) {
    if let latest = fetches.latest(of: app), latest.verdict == .waits,
      latest.obstacles.map(\.code) == obstacles.map(\.code)
    {
      return
    }
    let decision = FetchDecision(
      number: nextDecision(), app: app, at: moment.wall, verdict: .waits, weight: weight, obstacles: obstacles)
    fetches.keep(decision, into: &turn)
  }

  /// Whether fetches cost less than usual just now: a person's traffic has left the radio up, or transfers run.
  func isWindowOpen(at now: Age) -> Bool {
    plan.wasUsed(within: plan.rule.settings.radioUp, at: now) || transfers.runningCount > 0
  }

  private func instant(_ now: Age) -> FetchRule.Instant { FetchRule.Instant(age: now, local: localTime) }

  /// The window that a person's traffic leaves open lasts for seconds, so no look is planned for it.
  private func nextLook(at now: Age, orAt task: Age?) -> FetchLook {
    let candidates = plan.prospects.entries.compactMap(\.prospect?.candidate)
    guard !candidates.isEmpty else { return FetchLook(task) }
    let freed = candidates.flatMap(\.blockers).compactMap(\.end).min()
    return FetchLook(
      [freed, task].compactMap { $0 }.min(),
      orEarlierBy: .init(
        candidates: candidates, device: device.conditions, budget: plan.budget,
        isWindowOpen: transfers.runningCount > 0, now: instant(now)))
  }

  /// Looks anew at the apps of which something has changed, and at those that time or a person may free.
  private mutating func findProspects(at now: Age) {
    if let changed = apps.changes.take(), let others = fetches.changes.take() {
      for id in changed + others {
        let isThere = apps.contains(id)
        plan.prospects.note(id, wants: isThere && fetches.wants(id))
      }
    } else {
      _ = fetches.changes.take()
      plan.prospects.reset(apps.keys.filter { fetches.wants($0) }.sorted())
    }
    for place in plan.prospects.entries.indices where !plan.prospects.entries[place].isSettled {
      guard let app = apps[plan.prospects.entries[place].app] else { continue }
      let entry = entry(of: app, at: now, plan.prospects.entries[place].place)
      plan.prospects.entries[place] = entry
    }
  }

  private func entry(of app: App, at now: Age, _ place: Int?) -> Prospects.Entry {
    let (prospect, asks) = (prospect(app, at: now), fetches.asks(app.id))
    return Prospects.Entry(
      app: app.id, prospect: prospect, isSettled: !asks && prospect?.candidate.blockers.isEmpty ?? true, asks: asks,
      place: place, waitsFor: fetches.latest(of: app.id).flatMap(\.onlyReason))
  }

  private func prospect(_ app: App, at now: Age) -> Prospect? {
    guard app.isBundle, app.removalTickets == nil, app.wakes.errand == nil else { return nil }
    let request = fetches.pending(of: app.id).first { $0.kind == .refresh }
    let wall = moment.wall  // What a closure takes of the supervisor it takes whole.
    let isDue = request.map { $0.earliestBegin.map { $0 <= wall } ?? true } ?? false
    let interval = fetches.record(of: app.id).interval
    guard interval != nil || request != nil else { return nil }
    let chosen = isDue || interval == nil ? request : nil
    return Prospect(app: app.id, request: chosen, candidate: candidate(app, for: chosen, at: now))
  }

  /// An app as the rule sees it, refreshed by its own interval or for a request.
  private func candidate(
    _ app: App, for request: BackgroundRequest?, at now: Age
  ) -> FetchRule.Candidate {
    let record = fetches.record(of: app.id)
    return FetchRule.Candidate(
      app: app.id, interval: request == nil ? record.interval : .zero, fetchedAt: record.begunAt,
      freshAt: freshness(record, at: now), notBefore: record.notBefore, updates: record.updates,
      blockers: blockers(of: app, for: Errand.Kind(of: request), request, at: now))
  }

  /// When an app's content was last up to date. The time that the machine was switched off counts, as far as the wall clock
  /// knows of it.
  private func freshness(_ record: FetchRecord, at now: Age) -> Age? {
    guard let freshAt = record.freshAt else { return nil }
    let wall = moment.wall
    let byWall = record.lastFresh.map { wall - $0 } ?? .zero
    return now + (.zero - max(now - freshAt, byWall))
  }

  // MARK: Processing

  /// How long a device must not have been used before it is taken to be idle.
  private static var idleMin: Duration { .minutes(15) }

  /// Runs the processing tasks that nothing stands in the way of, one at a time of each app; when it has to be looked again.
  private mutating func runTasks(at now: Age, into turn: inout Turn) -> Age? {
    var look: Age?
    for id in plan.prospects.entries.filter(\.asks).map(\.app) {
      guard var app = apps[id], app.wakes.errand == nil, app.removalTickets == nil else { continue }
      for request in fetches.pending(of: id) where request.kind == .processing {
        let blockers = taskBlockers(app, request, at: now)
        guard obstacles(of: blockers, request, at: now).isEmpty else {
          look = [look, recheck(blockers, at: now)].compactMap { $0 }.min()
          continue
        }
        begin(request, of: &app, .fetch, at: now, into: &turn)
        apps[id] = app
        break
      }
    }
    return look
  }

  /// What is in the way of a processing task, the most lasting first.
  private func obstacles(of blockers: [FetchRule.Blocker], _ request: BackgroundRequest, at now: Age) -> [FetchObstacle]
  {
    var found = blockers.map { obstacle($0, at: now) }
    if request.needsPower, device.conditions.power != .external { found.append(FetchObstacle(.noPower)) }
    if isInUse(at: now) { found.append(FetchObstacle(.inUse)) }
    return found.sorted { $0.code.rank < $1.code.rank }
  }

  /// What the rule knows to be in the way of a processing task. Only one that needs a network is kept by the network.
  private func taskBlockers(_ app: App, _ request: BackgroundRequest, at now: Age) -> [FetchRule.Blocker] {
    var found = blockers(of: app, for: .processing, request, at: now)
    if let until = fetches.record(of: app.id).tasksNotBefore, until > now { found.append(.backOff(until: until)) }
    return found + plan.rule.blockers(device.conditions).filter { request.needsNetwork || !$0.isOfNetwork }
  }

  /// Whether a person uses the device, so that what takes minutes has to wait.
  private func isInUse(at now: Age) -> Bool {
    plan.wasUsed(within: Self.idleMin, at: now) && !device.conditions.isCharging
  }

  private func recheck(_ blockers: [FetchRule.Blocker], at now: Age) -> Age? {
    let idle = isInUse(at: now) ? plan.usedAt.map { $0 + Self.idleMin } : nil
    return (blockers.compactMap(\.end) + [idle].compactMap { $0 }).max()
  }

  /// The next time on the wall clock before which an app asked not to be run.
  private var earliestBegin: Timestamp? {
    plan.prospects.entries.filter(\.asks).flatMap { fetches.pending(of: $0.app) }.compactMap(\.earliestBegin)
      .filter { $0 > moment.wall }.min()
  }

  // MARK: Views

  /// By what it is told how it stands with fetches: computed once for all apps that are told of.
  struct FetchSurvey {
    fileprivate let present: Present
    fileprivate let budget: FetchBudget
    fileprivate let isWindowOpen: Bool
    fileprivate let coming: FetchSearch
  }

  func fetchSurvey(at now: Age) -> FetchSurvey {
    var habits = plan.habits
    habits.advance(to: localTime)
    let budget = budget(at: now)
    return FetchSurvey(
      present: habits.present(at: localTime), budget: budget, isWindowOpen: isWindowOpen(at: now),
      coming: plan.rule.comingDay(habits: habits, device: device.conditions, budget: budget, at: instant(now)))
  }

  /// What a fetch of an app is worth just now, what is in its way, and when one is likely.
  func outlook(
    of app: App, _ survey: FetchSurvey, at now: Age
  ) -> (weight: FetchWeight?, obstacles: [FetchObstacle], windows: [Timestamp]) {
    guard app.declares(.fetch) else {
      let wantsNone = app.isRefreshable && fetches.record(of: app.id).interval == nil
      return (nil, wantsNone ? [] : [FetchObstacle(.notDeclared)], [])
    }
    let prospect = prospect(app, at: now)
    let candidate = prospect?.candidate ?? candidate(app, for: nil, at: now)
    let decisions = plan.rule.decide(
      [candidate], [survey.present.place(of: app.id)], survey.present, device: device.conditions, budget: survey.budget,
      isWindowOpen: survey.isWindowOpen, at: now)
    guard let decision = decisions.first else { return (nil, [], []) }
    let underWay = app.wakes.errand == nil ? [] : [FetchObstacle(.underWay)]
    let isLikely = candidate.blockers.allSatisfy(\.passes)
    let windows = isLikely ? survey.coming.ticks(for: candidate, max: FetchRule.windowsMax) : []
    return (
      candidate.interval == nil ? nil : FetchWeight(decision), underWay + obstacles(decision, at: now),
      windows.map { wall(of: survey.coming.age(ofTick: $0), at: now) }
    )
  }

  /// What an app has asked for, and what keeps it waiting. `fetch` is what keeps the app from being refreshed.
  func pending(of app: App, fetch: [FetchObstacle], at now: Age) -> [FetchesView.Pending] {
    fetches.pending(of: app.id).map { request in
      FetchesView.Pending(request: request, obstacles: obstacles(of: request, of: app, fetch: fetch, at: now))
    }
  }

  private func obstacles(
    of request: BackgroundRequest, of app: App, fetch: [FetchObstacle], at now: Age
  ) -> [FetchObstacle] {
    if app.declares(.fetch), prospect(app, at: now)?.request == request { return fetch }
    let underWay = app.wakes.errand == nil ? [] : [FetchObstacle(.underWay)]
    switch request.kind {
    case .refresh: return underWay + blockers(of: app, for: .refresh, request, at: now).map { obstacle($0, at: now) }
    case .processing: return underWay + obstacles(of: taskBlockers(app, request, at: now), request, at: now)
    }
  }

  /// How many apps want to be refreshed; at least one.
  private var wishfulCount: Int { max(fetches.wishfulCount, 1) }

  /// The budget as it stands just now.
  func budget(at now: Age) -> FetchBudget {
    var budget = plan.budget
    budget.advance(to: now, apps: wishfulCount, plan.rule.settings)
    return budget
  }

  func budgetView(at now: Age) -> FetchesView.Budget {
    let budget = budget(at: now)
    func balance(_ good: FetchBudget.Good) -> FetchesView.Balance {
      let account = budget.account(of: good)
      return FetchesView.Balance(perDay: account.perDay, left: account.left * account.perDay)
    }
    return FetchesView.Budget(
      threshold: plan.rule.threshold(device.conditions, budget), fetches: balance(.fetches), joules: balance(.joules),
      bytes: balance(.bytes))
  }

  /// A point in the device's life on the wall clock, if nobody sets it.
  func wall(of age: Age, at now: Age) -> Timestamp {
    Timestamp(milliseconds: moment.wall.milliseconds + (age - now).wholeMilliseconds)
  }

  private func obstacles(_ decision: FetchRule.Decision, at now: Age) -> [FetchObstacle] {
    guard decision.verdict == .waits else { return [] }
    guard !decision.blockers.isEmpty else { return [FetchObstacle(.belowThreshold)] }
    return decision.blockers.map { obstacle($0, at: now) }.sorted { $0.code.rank < $1.code.rank }
  }

  func obstacle(_ blocker: FetchRule.Blocker, at now: Age) -> FetchObstacle {
    switch blocker {
    case .earliestBegin(let time): FetchObstacle(blocker.code, until: time)
    case .belowMinimumInterval(let until), .backOff(let until), .budgetSpent(_, let until):
      FetchObstacle(blocker.code, until: wall(of: until, at: now))
    case .notDeclared, .never, .removedFromSwitcher, .backgroundRefreshRestricted, .backgroundRefreshOff, .neverOpened,
      .inForeground, .noNetwork, .meteredNetwork, .lowPowerMode, .batteryLow, .deviceAsleep:
      FetchObstacle(blocker.code)
    }
  }
}

extension FetchRule.Decision {
  /// Whether the app is to wait for this one reason.
  fileprivate func waits(for reason: FetchObstacle.Code) -> Bool {
    verdict == .waits && blockers.count <= 1 && (blockers.first?.code ?? .belowThreshold) == reason
  }
}

extension FetchDecision {
  /// The one reason for which the app was to wait; nil if it was not, or there were several.
  fileprivate var onlyReason: FetchObstacle.Code? {
    verdict == .waits && obstacles.count == 1 ? obstacles[0].code : nil
  }
}

extension FetchObstacle.Code {
  /// How lasting it is: the lowest comes first.
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self)! }
}

extension FetchRule.Blocker {
  /// How it is called outside.
  fileprivate var code: FetchObstacle.Code {
    switch self {
    case .notDeclared: .notDeclared
    case .never: .never
    case .removedFromSwitcher: .removedFromSwitcher
    case .backgroundRefreshRestricted: .backgroundRefreshRestricted
    case .backgroundRefreshOff: .backgroundRefreshOff
    case .neverOpened: .neverOpened
    case .inForeground: .inForeground
    case .earliestBegin: .earliestBegin
    case .belowMinimumInterval: .belowMinimumInterval
    case .backOff: .backOff
    case .noNetwork: .noNetwork
    case .meteredNetwork: .meteredNetwork
    case .lowPowerMode: .lowPowerMode
    case .batteryLow: .batteryLow
    case .deviceAsleep: .deviceAsleep
    case .budgetSpent: .budgetSpent
    }
  }

  /// When it ends though nothing happens, where the rule does not know of it.
  fileprivate var end: Age? {
    if case .backOff(let until) = self { until } else { nil }
  }

  /// Whether it concerns only what needs a network.
  fileprivate var isOfNetwork: Bool { self == .noNetwork || self == .meteredNetwork }

  /// Whether it ends by itself.
  fileprivate var passes: Bool {
    switch self {
    case .belowMinimumInterval, .backOff, .earliestBegin, .inForeground, .budgetSpent, .deviceAsleep: true
    case .notDeclared, .never, .removedFromSwitcher, .backgroundRefreshRestricted, .backgroundRefreshOff, .neverOpened,
      .noNetwork, .meteredNetwork, .lowPowerMode, .batteryLow:
      false
    }
  }
}

extension FetchWeight {
  /// What the rule has weighed.
  init(_ decision: FetchRule.Decision) {
    self.init(
      score: decision.score.value, threshold: decision.threshold, probability: decision.score.probability,
      age: decision.score.age, updatesPerHour: decision.score.updatesPerHour,
      value: 1 - Curves.exp(-decision.score.updatesPerHour * decision.score.age.inSeconds / 3600))
  }
}
