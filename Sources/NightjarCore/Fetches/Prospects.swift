import NightjarHabits
import NightjarModel

/// An app that may be woken to do something, and what. It never changes, so whoever looks at it need not copy it.
final class Prospect: Sendable {
  let app: AppID
  /// The task that would be run; nil for a fetch.
  let request: BackgroundRequest?
  let candidate: FetchRule.Candidate
  /// What of the candidate is asked for each time that apps are weighed, and whether nothing of its own is in its way.
  let timing: FetchRule.Timing
  let isFree: Bool

  init(_ candidate: FetchRule.Candidate, request: BackgroundRequest? = nil) {
    (app, self.request, self.candidate) = (candidate.app, request, candidate)
    (timing, isFree) = (FetchRule.Timing(candidate), candidate.blockers.isEmpty)
  }
}

/// The apps that want to be refreshed or have asked for a task, in the order of their names, with what the rule has to know
/// of each. It is found anew for those alone of which something has changed, or for which time changes something; the rule
/// weighs all of them each time, but for those that are certain to wait.
struct Prospects: Sendable {
  struct Entry: Sendable {
    let app: AppID
    /// What it might be woken for; nil while it is busy, or going.
    var prospect: Prospect?
    /// Whether that holds until something happens to it, or one of the obstacles ends that end by themselves.
    var isSettled = false
    /// When the first of those ends; nil without any.
    var freedAt: Age?
    /// Whether it has a share of what fetches may cost: it wants to be refreshed, and may be.
    var shares = false
    /// Whether it has asked for tasks.
    var asks = false
    /// Where it was among the habits.
    var place: Int?
    /// What the latest decision about it was to wait for, if that was one thing.
    var waitsFor: FetchObstacle.Code?
    /// For how long it is certain to wait for that.
    var rest = Rest.none

    /// An app of which nothing was found yet.
    init(_ app: AppID) { self.app = app }

    /// What is known of it is what it might be woken for.
    init(_ prospect: Prospect) { (app, self.prospect) = (prospect.app, prospect) }

    /// Whether nothing is to be found anew of it.
    func isSettled(at now: Age) -> Bool { isSettled && freedAt.map { $0 > now } ?? true }
  }

  var entries: [Entry] = []
  /// Where each app is among them; nil since an app has come or gone, until it is asked.
  private var places: [AppID: Int]?

  /// The apps that have asked for tasks.
  var asking: [AppID] { entries.indices.filter { entries[$0].asks }.map { entries[$0].app } }

  /// How many apps want to be refreshed and may be.
  var sharingCount: Int { entries.count { $0.shares } }

  /// When the first of the obstacles ends that end by themselves.
  var freed: Age? { entries.indices.reduce(nil as Age?) { earliest($0, entries[$1].freedAt) } }

  /// Those of which something is to be found anew.
  func unsettled(at now: Age) -> [Int] { entries.indices.filter { !entries[$0].isSettled(at: now) } }

  /// Whether any app might be woken.
  var isAny: Bool { entries.indices.contains { entries[$0].prospect != nil } }

  /// Whether any app waits for nothing of its own but that a fetch is worth it.
  var isAnyFree: Bool { entries.indices.contains { entries[$0].prospect?.isFree == true } }

  /// Begins anew with these apps, which are in order.
  mutating func reset(_ apps: [AppID]) { (entries, places) = (apps.map { Entry($0) }, nil) }

  /// Something has changed of all of them.
  mutating func unsettle() { for place in entries.indices { entries[place].isSettled = false } }

  /// Something has changed of one app, but for what it wants. False if it is none of those that want anything.
  mutating func unsettle(_ app: AppID) -> Bool {
    guard let place = place(of: app) else { return false }
    entries[place].isSettled = false
    return true
  }

  /// Something has changed of one app, which now wants something or does not.
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

  /// What an app might be woken for was found anew. What was certain of it no longer is.
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

  /// It was written down that an app waits, for one thing or several. Nothing else has changed of it.
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
  /// The rule's word on the apps, with their places, but for those that wait for the reason that was written down before.
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
