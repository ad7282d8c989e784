import NightjarModel

/// An app that may be woken to do something, and what.
struct Prospect: Sendable {
  var app: AppID
  /// The task that would be run; nil for a fetch.
  var request: BackgroundRequest?
  var candidate: FetchRule.Candidate
}

/// The apps that want to be refreshed or have asked for a task, in the order of their names, with what the rule has to know
/// of each. It is found anew for those alone of which something has changed, or for which time changes something; the rule
/// weighs all of them each time.
struct Prospects: Sendable {
  struct Entry: Sendable {
    let app: AppID
    /// What it might be woken for; nil while it is busy, or going.
    var prospect: Prospect?
    /// Whether that holds until something happens to it.
    var isSettled = false
    /// Whether it has asked for tasks.
    var asks = false
    /// Where it was among the habits.
    var place: Int?
    /// What the latest decision about it was to wait for, if that was one thing.
    var waitsFor: FetchObstacle.Code?
  }

  var entries: [Entry] = []

  /// Begins anew with these apps, which are in order.
  mutating func reset(_ apps: [AppID]) { entries = apps.map { Entry(app: $0) } }

  /// Something has changed of all of them.
  mutating func unsettle() { for place in entries.indices { entries[place].isSettled = false } }

  /// Something has changed of one app, which now wants something or does not.
  mutating func note(_ app: AppID, wants: Bool) {
    let place = place(of: app)
    let isThere = place < entries.count && entries[place].app == app
    switch (isThere, wants) {
    case (true, true): entries[place].isSettled = false
    case (true, false): entries.remove(at: place)
    case (false, true): entries.insert(Entry(app: app), at: place)
    case (false, false): break
    }
  }

  private func place(of app: AppID) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].app < app { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
