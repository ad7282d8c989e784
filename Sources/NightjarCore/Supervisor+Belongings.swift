import NightjarModel

/// What is remembered of apps beside their own rows.
extension Supervisor {
  /// Takes up what belongs to apps that are there.
  mutating func takeUp(_ belongings: Memory) {
    for wake in belongings.wakes where transfers[wake.transfer] != nil {
      apps[there: wake.app].wakes.keep(wake, crashesMax: limits.crashesMax)
    }
    restore(belongings.history)
    for notice in belongings.scheduled { notices.keep(notice) }
    for notice in belongings.notices { notices.keep(notice) }
    for record in belongings.fetches { fetches.restore(record) }
    for record in belongings.requests { fetches.restore(record) }
    for decision in belongings.decisions { fetches.restore(decision) }
  }

  /// Takes up what belongs to an app whose row made no sense, now that the app is there again.
  mutating func claim(_ id: AppID, into turn: inout Turn) {
    guard unclaimed != Memory() || !untold.isEmpty else { return }
    let found = unclaimed.belongings { $0 == id }
    takeUp(found)
    unclaimed = unclaimed.belongings { $0 != id }
    guard stage != .recalling else { return }
    postUntold(into: &turn)
    // As for all others when the work began. What is not found here is this daemon's own, and goes on.
    if found != Memory() { fetches.giveUpOpen(of: id, into: &turn) }
  }
}

extension Memory {
  /// What belongs to some apps, and nothing else.
  func belongings(of isOwner: (AppID) -> Bool) -> Memory {
    var belongings = Memory()
    belongings.wakes = wakes.filter { isOwner($0.app) }
    belongings.history = history.filter { isOwner($0.id.app) }
    belongings.scheduled = scheduled.filter { isOwner($0.key.app) }
    belongings.notices = notices.filter { isOwner($0.request.app) }
    belongings.fetches = fetches.filter { isOwner($0.app) }
    belongings.requests = requests.filter { isOwner($0.app) }
    belongings.decisions = decisions.filter { isOwner($0.app) }
    return belongings
  }
}
