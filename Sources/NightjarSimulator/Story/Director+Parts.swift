import NightjarCore
package import NightjarModel

/// Records the stage's cues in the chronicle, whether the apps are made up or real.
extension Director {
  /// An app's state, as far as the chronicle needs it.
  struct Part: Sendable {
    var isSuspended = false
    /// How it was brought to run, until it is told to fetch.
    var manner = Chronicle.Fetch.Manner.running
    /// When its content was last brought up to date.
    var refreshedAt: Int64?
    /// The current fetch, by its place in the chronicle.
    var fetch: Int?
  }

  /// Takes the stage's cues, and records them in the chronicle.
  package mutating func takeCues() -> [Stage.Cue] {
    let cues = stage.takeCues()
    for cue in cues { note(cue) }
    return cues
  }

  /// Whether an app is suspended, by its place in the scenario.
  package func isSuspended(_ app: Int) -> Bool { parts[app].isSuspended }

  /// The place in the chronicle of the fetch with this number.
  package func place(ofFetch number: Int64) -> Int? { fetchPlaces[number] }

  /// Notes the outcome of a fetch as its app reports it. If the app was suspended or has ended before, only the age of
  /// its content changes.
  package mutating func finish(_ number: Int64, _ outcome: FetchOutcome) {
    guard let place = fetchPlaces[number] else { return }
    let fetch = chronicle.fetches[place]
    if parts[fetch.app].fetch == place {
      (chronicle.fetches[place].until, chronicle.fetches[place].outcome) = (stage.now, outcome)
      parts[fetch.app].fetch = nil
    }
    if outcome != .failed { parts[fetch.app].refreshedAt = stage.now }
  }

  private mutating func note(_ cue: Stage.Cue) {
    switch cue {
    case .launched(let id, _): change(id) { ($0.isSuspended, $0.manner) = (false, .launched) }
    case .suspended(let id):
      interrupt(id)
      change(id) { $0.isSuspended = true }
    case .thawed(let id): change(id) { ($0.isSuspended, $0.manner) = (false, $0.isSuspended ? .thawed : $0.manner) }
    case .ended(let id):
      interrupt(id)
      change(id) { $0.isSuspended = false }
      noteEnd(of: id)
    case .told(let id, .performFetch(let number, _)): begin(number, of: id)
    case .told, .attached, .answered, .ending, .photographed, .shown, .noted, .begun, .requested, .arrived, .discarded,
      .transferEnded:
      break
    }
  }

  private mutating func change(_ id: AppID, _ change: (inout Part) -> Void) {
    if let app = place(of: id) { change(&parts[app]) }
  }

  private mutating func begin(_ number: Int64, of id: AppID) {
    guard let app = place(of: id) else { return }
    let place = chronicle.fetches.count
    chronicle.fetches.append(
      .init(app: app, at: stage.now, manner: parts[app].manner, decision: stage.latestDecision[id] ?? 0))
    (fetchPlaces[number], parts[app].fetch, parts[app].manner) = (place, place, .running)
  }

  /// Notes that an app no longer works on its fetch.
  private mutating func interrupt(_ id: AppID) {
    guard let app = place(of: id), let fetch = parts[app].fetch else { return }
    chronicle.fetches[fetch].until = stage.now
    parts[app].fetch = nil
  }
}
