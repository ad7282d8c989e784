import NightjarHabits
import NightjarModel

/// The rule is asked when something has happened that may change its answer, and at the times that it has foreseen
/// itself.
extension Supervisor {
  /// Refreshes the apps that are worth it, and runs the tasks whose time has come.
  mutating func settleFetches(at now: Age, into turn: inout Turn) {
    guard shortage.isOver, plan.isDue(at: now, wall: moment.wall) else { return }
    (plan.isDisturbed, plan.askedAt) = (false, now)
    findProspects(at: now)
    plan.budget.advance(to: now, apps: sharingCount, under: device.conditions, plan.rule.settings)
    interruptProcessingTasks(at: now, into: &turn)
    decide(at: now, into: &turn)
    let task = runProcessingTasks(at: now, into: &turn)
    findProspects(at: now)
    plan.look = nextLook(at: now, orAt: task)
    plan.appointment = appointment
  }

  // MARK: Refreshing

  private mutating func decide(at now: Age, into turn: inout Turn) {
    guard plan.prospects.isAny else { return }
    let window = counters.decision + 1
    for (place, decision) in decisions(at: now) {
      switch decision.choice {
      case .waits:
        wait(place, decision, at: now, into: &turn)
      case .fetch, .joins:
        guard let prospect = plan.prospects.entries[place].prospect, var taken = apps.take(prospect.app) else {
          continue
        }
        let verdict: FetchDecision.Verdict = decision.choice == .fetch ? .fetch : .joins
        begin(
          prospect.request, of: &taken.app, verdict, weight: FetchWeight(decision), window: window, at: now,
          into: &turn)
        apps.put(taken)
        disturb(prospect.app)
        plan.budget.spend(1, of: .fetches)
        turn.changes.keep(plan.budget)
      }
    }
  }

  /// The rule's decisions about the apps, by place among the prospects, except for those that wait as before.
  private mutating func decisions(at now: Age) -> [(place: Int, decision: FetchRule.Decision)] {
    plan.habits.advance(to: localTime)
    let present = plan.habits.present(at: localTime)
    let weighing = FetchWeighing(plan.rule, present, device.conditions, plan.budget, at: now)
    return plan.prospects.decisions(weighing, isWindowOpen: isWindowOpen(at: now))
  }

  /// Writes down that an app waits, if its reasons have changed.
  private mutating func wait(_ place: Int, _ decision: FetchRule.Decision, at now: Age, into turn: inout Turn) {
    let obstacles = obstacles(decision, at: now)
    guard !fetches.decisions.waits(decision.app, for: obstacles) else { return }
    let decision = FetchDecision(
      number: nextDecision(), app: decision.app, at: moment.wall, verdict: .waits, weight: FetchWeight(decision),
      obstacles: obstacles)
    fetches.keep(decision, into: &turn)
    plan.prospects.wait(place, for: decision.soleObstacle)
  }

  /// Whether fetches cost less than usual just now: a person's traffic has left the radio up, or transfers run.
  func isWindowOpen(at now: Age) -> Bool {
    plan.wasUsed(within: plan.rule.settings.radioUp, at: now) || transfers.runningCount > 0
  }

  func instant(_ now: Age) -> FetchRule.Instant { FetchRule.Instant(age: now, local: localTime) }

  /// The window that a person's traffic leaves open lasts for seconds, so no look is planned for it.
  private func nextLook(at now: Age, orAt task: Age?) -> FetchLook {
    guard plan.prospects.isAny else { return FetchLook(task) }
    return FetchLook(
      earliest(plan.prospects.freed, task),
      orEarlierBy: .init(
        device: device.conditions, budget: plan.budget, isWindowOpen: transfers.runningCount > 0, now: instant(now)))
  }

  /// Looks anew at the apps that have changed, and at those that time may have freed.
  private mutating func findProspects(at now: Age) {
    noteProspects()
    for place in plan.prospects.unsettled(at: now) {
      let id = plan.prospects.entries[place].app
      guard let availability = apps.availability(of: id) else { continue }
      let prospect = prospect(id, availability, at: now)
      plan.prospects.settle(
        place, prospect, shares: shares(id, availability), asks: fetches.asks(id),
        waitsFor: fetches.decisions.waitsFor(id))
    }
  }

  /// Whether an app counts for the budget of fetches: one that may have none adds nothing for others to spend.
  private func shares(_ id: AppID, _ availability: Availability) -> Bool {
    fetches.isWishful(id) && prohibitions(of: availability, for: .fetch).isEmpty
  }

  private mutating func noteProspects() {
    if let changed = apps.changes.take(), let others = fetches.changes.take() {
      // Changes of what they want are among those of fetches.
      for id in changed where !plan.prospects.unsettle(id) { noteProspect(id) }
      for id in others { noteProspect(id) }
    } else {
      _ = fetches.changes.take()
      plan.prospects.reset(apps.keys.filter { fetches.wants($0) }.sorted())
    }
  }

  private mutating func noteProspect(_ id: AppID) {
    let isThere = apps.contains(id)
    plan.prospects.note(id, wants: isThere && fetches.wants(id))
  }

  func prospect(_ id: AppID, _ availability: Availability, at now: Age) -> Prospect? {
    guard availability.isBundle, !availability.isLeaving, !availability.isBusy else { return nil }
    let request = nextRefresh(of: id)
    let wall = moment.wall  // A closure that reads it from `self` captures the whole supervisor.
    let isDue = request.map { $0.earliestBegin.map { $0 <= wall } ?? true } ?? false
    let record = fetches.record(of: id)
    guard record.interval != nil || request != nil else { return nil }
    let chosen = isDue || record.interval == nil ? request : nil
    return Prospect(candidate(availability, record, for: chosen, at: now), request: chosen)
  }

  /// The app's refresh task that may run first.
  private func nextRefresh(of id: AppID) -> BackgroundRequest? {
    fetches.pending(of: id).filter { $0.kind == .refresh }.min { one, other in
      guard let begin = other.earliestBegin else { return false }
      return one.earliestBegin.map { $0 < begin } ?? true
    }
  }

  /// An app as the rule sees it, refreshed by its own interval or for a request.
  func candidate(
    _ availability: Availability, _ record: FetchRecord, for request: BackgroundRequest?, at now: Age
  ) -> FetchRule.Candidate {
    FetchRule.Candidate(
      app: record.app, interval: request == nil ? record.interval : .zero,
      fetchedAt: point(record.pause(at: now, moment), before: now),
      freshAt: point(record.contentAge(at: now, moment), before: now), notBefore: record.backOff.notBefore,
      updates: record.updates, blockers: blockers(of: availability, for: Errand.Kind(of: request), request, at: now))
  }

  /// The age at which something happened so long ago, counting the time that the machine was switched off.
  private func point(_ passed: Duration?, before now: Age) -> Age? { passed.map { now + (.zero - $0) } }

  /// The next time on the wall clock at which the rule has to be asked again: an app may be run, or clocks change for
  /// the season, which moves what was foreseen by the time of day.
  private var appointment: Timestamp? {
    guard plan.prospects.isAnyFree else { return earliestBegin }
    return earliest(earliestBegin, notices.rules.nextChange(after: moment.wall))
  }

  /// The next time on the wall clock before which an app asked not to be run.
  private var earliestBegin: Timestamp? {
    plan.prospects.asking.flatMap { fetches.pending(of: $0) }.compactMap(\.earliestBegin)
      .filter { $0 > moment.wall }.min()
  }

  /// How many apps share what fetches may cost; at least one.
  private var sharingCount: Int { max(plan.prospects.sharingCount, 1) }

  /// The budget as it stands just now.
  func budget(at now: Age) -> FetchBudget {
    var budget = plan.budget
    budget.advance(to: now, apps: sharingCount, under: device.conditions, plan.rule.settings)
    return budget
  }
}
