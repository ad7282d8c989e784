import NightjarHabits
import NightjarModel

/// An app that may be woken to do something, and what. It never changes, so whoever looks at it need not copy it.
final class Prospect: Sendable {
  let app: AppID
  /// The task that would be run; nil for a fetch.
  let request: BackgroundRequest?
  let candidate: FetchRule.Candidate

  init(app: AppID, request: BackgroundRequest?, candidate: FetchRule.Candidate) {
    (self.app, self.request, self.candidate) = (app, request, candidate)
  }
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

  /// What the rule weighs, each with its place among the habits.
  var candidates: some Sequence<(FetchRule.Candidate, Int?)> {
    entries.indices.lazy.compactMap { place in
      entries[place].prospect.map { ($0.candidate, entries[place].place) }
    }
  }

  /// The apps that have asked for tasks.
  var asking: [AppID] { entries.indices.filter { entries[$0].asks }.map { entries[$0].app } }

  /// When the first of the obstacles ends that end by themselves.
  var freed: Age? {
    var first: Age?
    for place in entries.indices {
      for blocker in entries[place].prospect?.candidate.blockers ?? [] {
        if let end = blocker.end, first.map({ end < $0 }) ?? true { first = end }
      }
    }
    return first
  }

  /// Whether nothing is to be found anew of any of them.
  var areSettled: Bool { entries.indices.allSatisfy { entries[$0].isSettled } }

  /// Whether any app might be woken.
  var isAny: Bool { entries.indices.contains { entries[$0].prospect != nil } }

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

extension Prospects {
  /// Finds where the apps are among the habits.
  mutating func find(in present: Present) {
    for place in entries.indices where entries[place].prospect != nil {
      entries[place].place = present.place(of: entries[place].app, near: entries[place].place)
    }
  }

  /// The rule's word on the apps, with their places, but for those that wait for the reason that was written down before.
  func decisions(_ weighing: FetchWeighing, isWindowOpen: Bool) -> [(place: Int, decision: FetchRule.Decision)] {
    var (places, weighed): ([Int], [FetchWeighing.Weighed]) = ([], [])
    for place in entries.indices {
      guard let prospect = entries[place].prospect else { continue }
      let known = entries[place].place
      if let reason = entries[place].waitsFor, weighing.surelyWaits(prospect.candidate, known, for: reason) { continue }
      places.append(place)
      weighed.append(weighing.decision(prospect.candidate, known))
    }
    weighing.join(&weighed, isWindowOpen: isWindowOpen)
    return zip(places, weighed).compactMap { place, weighed in
      if let reason = entries[place].waitsFor, weighed.decision.waits(for: reason) { return nil }
      return (place, weighed.decision)
    }
  }
}

extension FetchRule.Decision {
  /// Whether the app is to wait for this one reason.
  fileprivate func waits(for reason: FetchObstacle.Code) -> Bool {
    verdict == .waits && blockers.count <= 1 && (blockers.first?.code ?? .belowThreshold) == reason
  }
}
