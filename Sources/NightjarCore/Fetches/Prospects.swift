import NightjarHabits
import NightjarModel

/// An app that may be woken to do something, and for what. It never changes, so it is shared without copies.
final class Prospect: Sendable {
  let app: AppID
  /// The task that would be run; nil for a fetch.
  let request: BackgroundRequest?
  let candidate: FetchRule.Candidate
  /// What is read of the candidate each time that apps are weighed, and whether it has no blockers of its own.
  let timing: FetchRule.Timing
  let isFree: Bool

  init(_ candidate: FetchRule.Candidate, request: BackgroundRequest? = nil) {
    (app, self.request, self.candidate) = (candidate.app, request, candidate)
    (timing, isFree) = (FetchRule.Timing(candidate), candidate.blockers.isEmpty)
  }
}

/// The apps that want to be refreshed or have asked for a task, in the order of their names, with what the rule has to
/// know of each. An entry is recomputed only when its app or, with time, one of its obstacles has changed. The rule
/// weighs all of them each time, except those that are certain to wait.
struct Prospects: Sendable {
  struct Entry: Sendable {
    let app: AppID
    /// What it might be woken for; nil while it is busy or being removed.
    var prospect: Prospect?
    /// Whether the entry holds until something happens to the app, or until ``freedAt``.
    var isSettled = false
    /// When the first obstacle that ends at a known time does; nil without any.
    var freedAt: Age?
    /// Whether it has a share of what fetches may cost: it wants to be refreshed, and may be.
    var shares = false
    /// Whether it has asked for tasks.
    var asks = false
    /// Its last known place among the habits.
    var place: Int?
    /// What the latest decision about it was to wait for, if that was a single reason.
    var waitsFor: FetchObstacle.Code?
    /// For how long it is certain to wait for that.
    var rest = Rest.none

    /// An entry that has yet to be computed.
    init(_ app: AppID) { self.app = app }

    /// An entry of which only the prospect is known.
    init(_ prospect: Prospect) { (app, self.prospect) = (prospect.app, prospect) }

    /// Whether it need not be recomputed.
    func isSettled(at now: Age) -> Bool { isSettled && freedAt.map { $0 > now } ?? true }
  }

  var entries: [Entry] = []
  /// The index of each app's entry; nil after an app has come or gone, until it is needed.
  private var places: [AppID: Int]?

  /// The apps that have asked for tasks.
  var asking: [AppID] { entries.indices.filter { entries[$0].asks }.map { entries[$0].app } }

  /// How many apps want to be refreshed and may be.
  var sharingCount: Int { entries.count { $0.shares } }

  /// When the first obstacle of all entries that ends at a known time does.
  var freed: Age? { entries.indices.reduce(nil as Age?) { earliest($0, entries[$1].freedAt) } }

  /// The indices of the entries to recompute.
  func unsettled(at now: Age) -> [Int] { entries.indices.filter { !entries[$0].isSettled(at: now) } }

  /// Whether any app might be woken.
  var isAny: Bool { entries.indices.contains { entries[$0].prospect != nil } }

  /// Whether any app has no blockers of its own.
  var isAnyFree: Bool { entries.indices.contains { entries[$0].prospect?.isFree == true } }

  /// Starts over with these apps, which are sorted.
  mutating func reset(_ apps: [AppID]) { (entries, places) = (apps.map { Entry($0) }, nil) }

  /// Marks all entries to be recomputed.
  mutating func unsettle() { for place in entries.indices { entries[place].isSettled = false } }

  /// Marks the entry of an app to be recomputed; what the app wants is as before. False if it has no entry.
  mutating func unsettle(_ app: AppID) -> Bool {
    guard let place = place(of: app) else { return false }
    entries[place].isSettled = false
    return true
  }

  /// Adds the entry of a changed app, marks it to be recomputed or removes it, by whether the app wants something.
  mutating func note(_ app: AppID, wants: Bool) {
    switch (place(of: app), wants) {
    case (let place?, true): entries[place].isSettled = false
    case (let place?, false):
      entries.remove(at: place)
      places = nil
    case (nil, true):
      entries.insert(Entry(app), at: entries.firstIndex { app < $0.app } ?? entries.count)
      places = nil
    case (nil, false): break
    }
  }

  /// Updates an entry that was recomputed. Its rest ends.
  mutating func settle(
    _ place: Int, _ prospect: Prospect?, shares: Bool, asks: Bool, waitsFor: FetchObstacle.Code?
  ) {
    let freedAt = prospect.flatMap {
      $0.isFree ? nil : $0.candidate.blockers.compactMap(\.end).min()
    }
    (entries[place].prospect, entries[place].freedAt) = (prospect, freedAt)
    (entries[place].isSettled, entries[place].asks, entries[place].shares) = (!asks, asks, shares)
    (entries[place].waitsFor, entries[place].rest) = (waitsFor, .none)
  }

  /// Notes the decision that an app waits, for one reason or (with nil) several. Nothing else has changed of it.
  mutating func wait(_ place: Int, for reason: FetchObstacle.Code?) {
    (entries[place].waitsFor, entries[place].rest) = (reason, .none)
  }

  private mutating func place(of app: AppID) -> Int? {
    let places = places ?? Dictionary(uniqueKeysWithValues: entries.indices.map { (entries[$0].app, $0) })
    self.places = places
    return places[app]
  }
}

extension Prospects {
  /// The rule's decisions about the apps, with the indices of their entries, except for apps that wait for the recorded
  /// reason as before.
  mutating func decisions(
    _ weighing: FetchWeighing, isWindowOpen: Bool
  ) -> [(place: Int, decision: FetchRule.Decision)] {
    var (places, weighed): ([Int], [FetchWeighing.Weighed]) = ([], [])
    for place in entries.indices where !weighing.isResting(entries[place].rest, entries[place].place) {
      guard let prospect = entries[place].prospect else { continue }
      let known = weighing.place(of: prospect.app, near: entries[place].place)
      let rest = entries[place].waitsFor.flatMap { weighing.rest(of: prospect, known, for: $0) }
      (entries[place].place, entries[place].rest) = (known, rest ?? .none)
      guard rest == nil else { continue }
      places.append(place)
      weighed.append(weighing.decision(prospect.candidate, prospect.timing, known))
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
    choice == .waits && blockers.count <= 1 && (blockers.first?.code ?? .belowThreshold) == reason
  }
}
