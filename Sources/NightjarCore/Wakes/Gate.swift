import NightjarModel

/// Decides whether an app may be launched into the background to be told what waits for it, and says why not.
struct Gate {
  let limits: Limits

  /// Whether an app that does not run may be launched now. `due` are its sessions that have something to tell and
  /// nothing left to wait for; `restOfSession` counts what the others still wait for, until a time at most.
  /// `unopened` are sessions that it was launched for in vain too often.
  func verdict(
    for app: App, due: [SessionRecord], restOfSession: Int, until end: Age?, unopened: [SessionRecord], at now: Age
  ) -> Verdict {
    if app.record.card.isRemoved { return .waits(.removedFromSwitcher, atMost: nil) }
    guard !due.isEmpty || app.wakes.hasErrand else {
      if restOfSession > 0 { return .waits(.restOfSession(count: restOfSession), atMost: end.map { $0 - now }) }
      if let session = unopened.first {
        return .waits(.unopened(session: session.id.identifier, launches: session.unopened), atMost: nil)
      }
      let crashes = app.wakes.parked.map(\.crashes).max() ?? 0
      return .waits(.parked(crashes: crashes), atMost: nil)
    }
    guard app.wakes.hasErrand || due.contains(where: \.sendsLaunchEvents) else {
      return .waits(.nextLaunch, atMost: nil)
    }
    if case .program(let relaunch) = app.record.installed.kind, relaunch.isEmpty {
      return .waits(.nobodyToTell, atMost: nil)
    }
    if let returnsBy = app.returnsBy, now < returnsBy {
      return .waits(.unattached(pid: nil), atMost: returnsBy - now)
    }
    if let notBefore = app.record.notBefore, now < notBefore {
      return .waits(.launchBackOff(detail: app.endInWords, attempts: app.record.failures), atMost: notBefore - now)
    }
    if let grant = LaunchBudget(limits).grant(paidUntil: app.record.paidUntil, at: now) {
      return .waits(.launchBudget(max: limits.launchesPerAppMax), atMost: grant - now)
    }
    return .allowed
  }
}
