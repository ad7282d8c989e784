import NightjarHabits
import NightjarModel

/// How it stands with fetches, for people.
extension Supervisor {
  /// What the views of apps' fetches are made from, computed once for all of them.
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
    let prospect = prospect(app.id, app.availability, at: now)
    let candidate =
      prospect?.candidate ?? candidate(app.availability, fetches.record(of: app.id), for: nil, at: now)
    let decisions = plan.rule.decide(
      [candidate], [survey.present.place(of: app.id)], survey.present, device: device.conditions, budget: survey.budget,
      isWindowOpen: survey.isWindowOpen, at: now)
    guard let decision = decisions.first else { return (nil, [], []) }
    let isLikely = decision.blockers.allSatisfy(\.passes)  // The device's own as well as the app's.
    var coming = survey.coming
    if let free = freed(of: candidate.blockers, at: now) { coming.skip(to: free) }
    let windows = isLikely ? coming.ticks(for: candidate, max: FetchRule.windowsMax) : []
    return (
      candidate.interval == nil ? nil : FetchWeight(decision), app.underWay + obstacles(decision, at: now),
      windows.map { wall(of: coming.age(ofTick: $0), at: now) }
    )
  }

  /// Whether an app's content is so old that it joins any window, unless something is in its way.
  func isNeglected(_ id: AppID, _ weight: FetchWeight?, _ survey: FetchSurvey) -> Bool {
    guard let weight else { return false }
    return plan.rule.isNeglected(weight.age, survey.present.sinceUse(survey.present.place(of: id)), false)
  }

  /// When the last of the obstacles that end at a known time is gone.
  private func freed(of blockers: [FetchRule.Blocker], at now: Age) -> Age? {
    let wall = moment.wall
    let ends = blockers.compactMap { blocker -> Age? in
      guard case .earliestBegin(let begin) = blocker else { return blocker.end }
      return now + (begin - wall)
    }
    return ends.max()
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
    if app.declares(.fetch), prospect(app.id, app.availability, at: now)?.request == request { return fetch }
    switch request.kind {
    case .refresh:
      return app.underWay
        + blockers(of: app.availability, for: .refresh, request, at: now).map { obstacle($0, at: now) }
    case .processing:
      return app.underWay + obstacles(of: processingBlockers(app, request, at: now), request, at: now)
    }
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
}

extension App {
  /// The obstacle that it is at an errand, which keeps it from another.
  fileprivate var underWay: [FetchObstacle] { !wakes.hasErrand ? [] : [FetchObstacle(.underWay)] }
}
