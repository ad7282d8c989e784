import NightjarCore
import NightjarModel

/// The behaviour of made-up apps.
extension Play {
  /// Handles the cues for the apps until there are none.
  mutating func listen() {
    repeat {
      for visit in director.takeBegunVisits() { opened(visit) }
      for cue in director.takeCues() { take(cue) }
    } while !director.stage.cues.isEmpty
  }

  private mutating func take(_ cue: Stage.Cue) {
    switch cue {
    case .launched(let id, _):
      if let app = director.place(of: id) { launched(app) }
    case .told(let id, let message): if let app = director.place(of: id) { hear(message, app) }
    case .attached(let id, .attached(_, _, let transition?, _, _)): director.stage.ask(.entered(transition), by: id)
    case .attached: break
    case .thawed(let id): if let app = director.place(of: id) { thawed(app) }
    case .ending(let id): director.stage.exit(id)
    case .ended(let id): if let app = director.place(of: id) { ended(app) }
    case .answered, .suspended, .photographed, .shown, .noted: break
    case .begun, .requested, .arrived, .discarded, .transferEnded: break  // Made-up apps transfer nothing.
    }
  }

  private mutating func launched(_ app: Int) {
    let id = director.ids[app]
    director.stage.attach(id)
    director.stage.ask(.setFetchInterval(scenario.apps[app].fetchInterval.map { .seconds($0) }), by: id)
  }

  private mutating func thawed(_ app: Int) {
    guard actors[app].isOverdue, let number = actors[app].fetch else { return }
    actors[app].isOverdue = false
    steps.insert(.finishes(app: app, number: number, wasOnline: true), at: director.stage.now)
  }

  private mutating func ended(_ app: Int) { (actors[app].fetch, actors[app].isOverdue) = (nil, false) }

  private mutating func hear(_ message: Message, _ app: Int) {
    switch message {
    case .enterBackground(let number, _): director.stage.ask(.entered(number), by: director.ids[app])
    case .performFetch(let number, _): begin(number, app)
    default: break
    }
  }

  private mutating func begin(_ number: Int64, _ app: Int) {
    (actors[app].fetch, actors[app].isOverdue) = (number, false)
    let step = Step.finishes(app: app, number: number, wasOnline: director.isOnline)
    steps.insert(step, at: director.stage.now + actors[app].fetchLength())
  }

  /// The app calls the completion handler, if it still runs.
  mutating func finish(_ number: Int64, of app: Int, wasOnline: Bool) {
    guard actors[app].fetch == number else { return }
    guard !director.isSuspended(app) else { return actors[app].isOverdue = true }
    let hasFailed = actors[app].fails() || !wasOnline || !director.isOnline
    let outcome = hasFailed ? FetchOutcome.failed : hasNews(app) ? .newData : .noData
    director.finish(number, outcome)
    actors[app].fetch = nil
    let id = director.ids[app]
    if !hasFailed { director.stage.move(received: scenario.apps[app].fetchReceives, by: id) }
    director.stage.ask(.finishFetch(number, outcome), by: id)
  }

  // MARK: Visits

  private mutating func opened(_ visit: Int) {
    director.chronicle.visits[visit].hasNewest = !hasNews(director.chronicle.visits[visit].app)
  }

  /// Whether an app's server has something that the app does not.
  private mutating func hasNews(_ app: Int) -> Bool {
    actors[app].hasNews(since: director.parts[app].refreshedAt, at: director.stage.now)
  }
}
