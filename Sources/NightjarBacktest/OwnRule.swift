import NightjarCore
import NightjarHabits
import NightjarModel

/// The daemon's own policy: the very values of its habits and its rule, told what happened as the daemon would be.
///
/// The device is online and on power, and every app wants fetches as often as it may have them.
struct OwnRule: Policy {
  /// What is known of how often content changes.
  enum Experience {
    /// Nothing: a trace does not say.
    case none
    /// What fetches have brought.
    case learned
    /// Nothing, but an app whose fetch brought nothing new waits twice as long each time.
    case backOff
    /// The truth, for each app in an hour.
    case given([Double])
  }

  private let course: Course
  private let rule: FetchRule
  private let names: [AppID]
  private var habits = Habits()
  private var budget: FetchBudget
  /// Whether the budget is granted and spent as in the daemon, rather than left unchanged.
  private let isSpending: Bool
  private var told = 0
  private var candidates: [FetchRule.Candidate]
  private let experience: Experience
  private var failures: [Int]

  /// The rule with a fixed threshold.
  init(_ course: Course, threshold: Double, experience: Experience = .none) {
    let account = FetchBudget.Account(perDay: 1, price: Curves.ln(threshold))
    let budget = FetchBudget(accounts: FetchBudget.Good.allCases.map { _ in account }, days: 0, at: .zero)
    self.init(course, FetchRule(), budget, isSpending: false, experience)
    guard case .given(let rates) = experience else { return }
    for (app, rate) in rates.enumerated() {
      candidates[app].updates = UpdateRate(changes: rate * 1e6, hours: 1e6, observations: 1e6) ?? UpdateRate()
    }
  }

  /// The rule with a threshold that follows from what is granted and spent from the first day on; only the number of
  /// fetches is limited.
  init(_ course: Course, allowance: Budget) {
    var settings = FetchSettings()
    if case .fetchesPerAppDay(let fetches) = allowance { settings.perAppAndDay = fetches }
    self.init(course, FetchRule(settings), FetchBudget(settings, apps: 1, at: .zero), isSpending: true, .none)
  }

  private init(
    _ course: Course, _ rule: FetchRule, _ budget: FetchBudget, isSpending: Bool, _ experience: Experience
  ) {
    (self.course, self.rule, self.budget, self.isSpending) = (course, rule, budget, isSpending)
    self.experience = experience
    failures = Array(repeating: 0, count: course.apps.count)
    names = course.diary.apps.indices.map(Course.id)
    candidates = course.apps.map { FetchRule.Candidate(app: $0, interval: .zero) }
  }

  mutating func learn(_ app: Int, isNew: Bool, after pause: Int64, at time: Int64) {
    switch experience {
    case .none, .given: break
    case .learned: candidates[app].updates.learn(isNew: isNew, after: .seconds(pause))
    case .backOff:
      failures[app] = isNew ? 0 : min(failures[app] + 1, 7)
      candidates[app].notBefore = isNew ? nil : Age(.seconds(time + Scene.pauseMin << Int64(failures[app])))
    }
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
    let device = Conditions()
    if isSpending {
      let opened = scene.apps.count { $0.launched != nil }
      budget.advance(to: now.age, apps: opened, under: device, rule.settings)
    }
    let isRadioUp = Duration.seconds(scene.time - scene.used) < rule.settings.radioUp
    let decisions = rule.decide(
      candidates, habits: habits, device: device, budget: budget, isWindowOpen: isRadioUp, at: now)
    for (app, decision) in decisions.enumerated() where decision.choice != .waits {
      chosen.append(app)
      if isSpending { budget.spend(1, of: .fetches) }
    }
  }
}

extension FetchRule.Candidate {
  fileprivate mutating func follow(_ app: Scene.App) {
    fetchedAt = app.fetched < 0 ? nil : Age(.seconds(app.fetched))
    freshAt = app.freshened < 0 ? nil : Age(.seconds(app.freshened))
    blockers = app.isOpen ? [.inForeground] : []
  }
}
