import NightjarModel

/// What keeps an app from being woken for an errand, whatever that is worth: told once for the fetch rule, for
/// processing tasks, and for a person's orders.
extension Supervisor {
  /// Whether the person and the machine's administrator let an app be refreshed in the background.
  func mayRefresh(_ app: App) -> Bool { app.record.settings.refreshes && refreshes && !limits.isRefreshRestricted }

  /// What an app is told of its standing.
  func standing(of app: App) -> Standing {
    var settings = app.record.settings
    settings.refreshes = mayRefresh(app)
    let conditions = transfers.offer.conditions
    return Standing(
      settings: settings, isRefreshRestricted: limits.isRefreshRestricted, badge: app.record.badge,
      power: PowerView(conditions), isLocked: conditions.lock)
  }

  /// What forbids an errand, even one that a person asks for; the most lasting first.
  func prohibitions(of app: Availability, for kind: Errand.Kind) -> [FetchRule.Blocker] {
    var found: [FetchRule.Blocker] = []
    if !app.declares(kind) { found.append(.notDeclared) }
    if app.isRemoved { found.append(.removedFromSwitcher) }
    if limits.isRefreshRestricted { found.append(.backgroundRefreshRestricted) }
    if !app.refreshes || !refreshes { found.append(.backgroundRefreshOff) }
    return found
  }

  /// All that is in the way with the app, its request, or the gate that would have to let it be launched or woken.
  func blockers(
    of app: Availability, for kind: Errand.Kind, _ request: BackgroundRequest?, at now: Age
  ) -> [FetchRule.Blocker] {
    var found = prohibitions(of: app, for: kind)
    if app.isInForeground, device.conditions.isSeen { found.append(.inForeground) }
    if let begin = request?.earliestBegin, begin > moment.wall { found.append(.earliestBegin(begin)) }
    if app.isIdle, let pause = pause(of: app, at: now) { found.append(pause) }
    return found
  }

  /// What keeps an app from being launched for a while: that it has failed, or that its launches are spent.
  private func pause(of app: Availability, at now: Age) -> FetchRule.Blocker? {
    let grant = LaunchBudget(limits).grant(paidUntil: app.paidUntil, at: now)
    guard let until = latest(app.notBefore, grant), until > now else { return nil }
    return until == grant ? .launchesSpent(until: until) : .backOff(until: until)
  }

  /// Throws if an errand that a person asks for is forbidden.
  func checkPermission(of app: App, for kind: Errand.Kind) throws(Refusal) {
    guard let first = prohibitions(of: app.availability, for: kind).first else { return }
    throw .fetchRefused(app.id, code: first.code.rawValue, reason: wayOut(of: first, app.id, kind))
  }

  /// Why it is forbidden, and what a person can do about it.
  private func wayOut(of prohibition: FetchRule.Blocker, _ id: AppID, _ kind: Errand.Kind) -> String {
    switch prohibition {
    case .notDeclared:
      "it does not declare the background mode '\(kind.mode)': nightjar capabilities \(id) add \(kind.mode)"
    case .removedFromSwitcher: "a person removed it from the switcher; launch it first: nightjar launch \(id)"
    case .backgroundRefreshRestricted:
      "the daemon's setting background.refresh.restricted forbids it; whoever looks after this machine can change that"
    case .backgroundRefreshOff where refreshes:
      "Background App Refresh is off for it: nightjar settings \(id) background-refresh=on"
    case .backgroundRefreshOff:
      "Background App Refresh is off for all apps: nightjar settings background-refresh=on"
    default: preconditionFailure("\(prohibition) forbids nothing that a person asks for")
    }
  }
}

extension Errand.Kind {
  /// The background mode that it takes.
  var mode: String {
    switch self {
    case .fetch, .refresh: "fetch"
    case .processing: "processing"
    }
  }
}
