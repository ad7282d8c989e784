import NightjarCore
import NightjarHabits
import NightjarModel

/// The daemon's own policy: its habits and its rule, the very values, told of what happened as the daemon would be.
///
/// The device is online and on power, every app wants fetches as often as it may have them, and nothing is learned of how
/// often content changes, since a trace does not say.
struct OwnRule: Policy {
  private let course: Course
  private let rule = FetchRule()
  private let names: [AppID]
  private var habits = Habits()
  private var budget: FetchBudget
  private var told = 0
  private var candidates: [FetchRule.Candidate]

  /// The rule with a threshold that stays as it is.
  init(_ course: Course, threshold: Double) {
    self.course = course
    names = course.diary.apps.map { AppID($0.name) }
    let account = FetchBudget.Account(perDay: 1, price: ln(threshold))
    budget = FetchBudget(accounts: FetchBudget.Good.allCases.map { _ in account }, days: 0, at: .zero)
    candidates = course.apps.map { FetchRule.Candidate(app: $0, interval: .zero) }
  }

  mutating func choose(_ scene: Scene, into chosen: inout [Int]) {
    let local = LocalTime(seconds: scene.clock, offset: 0)
    while told < course.ticks[scene.tick].steps {
      habits.tell(course.diary.happenings[told], names)
      told += 1
    }
    habits.advance(to: local)
    for app in scene.apps.indices { candidates[app].follow(scene.apps[app]) }
    let now = FetchRule.Instant(age: Age(.seconds(scene.time)), local: local)
    let decisions = rule.decide(
      candidates, habits: habits, device: Conditions(), budget: budget, isWindowOpen: scene.isAwake, at: now)
    for (app, decision) in decisions.enumerated() where decision.verdict != .waits { chosen.append(app) }
  }
}

extension FetchRule.Candidate {
  fileprivate mutating func follow(_ app: Scene.App) {
    fetchedAt = app.fetched < 0 ? nil : Age(.seconds(app.fetched))
    freshAt = app.freshened < 0 ? nil : Age(.seconds(app.freshened))
    blockers = app.isOpen ? [.inForeground] : []
  }
}
