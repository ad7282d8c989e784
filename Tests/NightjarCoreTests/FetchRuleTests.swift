import NightjarCore
import NightjarHabits
import NightjarModel
import Testing

@Suite struct FetchRuleTests {
  private let rule = FetchRule()
  private static let person = RegularPerson(days: 15)

  @Test func `an app is refreshed shortly before it is likely to be used, and left alone when it is not`() {
    let atNight = Self.person.decide(rule, day: 15, hour: 4)
    let beforeNine = Self.person.decide(rule, day: 15, hour: 8, minute: 45)

    #expect(atNight.choice == .waits)
    #expect(atNight.blockers.isEmpty)
    #expect(beforeNine.choice == .fetch)
    #expect(beforeNine.score.value > 5 * atNight.score.value)
  }

  @Test func `an app joins a window that is not worth opening for it`() throws {
    let now = Self.person.instant(day: 15, hour: 4)
    var candidate = Self.person.mail
    candidate.freshAt = now.age.before(.hours(2))
    let budget = try #require(Self.budget(around: candidate, rule, at: now, factor: 2))

    let closed = Self.person.decide(rule, candidate, budget, isWindowOpen: false, at: now)
    let open = Self.person.decide(rule, candidate, budget, isWindowOpen: true, at: now)

    #expect(closed.choice == .waits)
    #expect(open.choice == .joins)
  }

  @Test func `an app joins the window that another opens`() throws {
    let now = Self.person.instant(day: 15, hour: 8, minute: 45)
    var other = Self.person.mail
    other.freshAt = now.age.before(.minutes(30))
    let budget = try #require(Self.budget(around: other, rule, at: now, factor: 2))

    let both = rule.decide(
      [other, Self.person.mail], habits: Self.person.habits, device: Conditions(), budget: budget, isWindowOpen: false,
      at: now)

    #expect(both.map(\.choice) == [.joins, .fetch])
  }

  @Test func `content of which nothing is known is worth more the older it is`() {
    let now = Self.person.instant(day: 15, hour: 12)

    let values = ([10, 60, 600, 6000] as [Int64]).map { minutes in
      var candidate = Self.person.mail
      candidate.freshAt = now.age.before(.minutes(minutes))
      return Self.person.decide(rule, candidate, at: now).score.value
    }

    #expect(values == values.sorted() && values[0] > 0)
  }

  @Test func `content that never changes is worth less than content that does, and so is what never stands still`() {
    let now = Self.person.instant(day: 15, hour: 12)

    func value(isNew: Bool, every pause: Duration) -> Double {
      var candidate = Self.person.mail
      candidate.freshAt = now.age.before(.hours(3))
      for _ in 0..<50 { candidate.updates.learn(isNew: isNew, after: pause) }
      return Self.person.decide(rule, candidate, at: now).score.value
    }
    let (dead, steady, restless) = (
      value(isNew: false, every: .hours(6)), value(isNew: true, every: .hours(6)),
      value(isNew: true, every: .minutes(1))
    )

    #expect(dead < steady && restless < steady)
  }

  @Test(arguments: [
    (Conditions(isOnline: false), FetchRule.Blocker.noNetwork),
    (Conditions(network: .cellular, isConstrained: true), .meteredNetwork),
    (Conditions(power: .battery, battery: 80, isLowPower: true), .lowPowerMode),
    (Conditions(power: .battery, battery: 12), .batteryLow), (Conditions(isAsleep: true), .deviceAsleep),
  ])
  func `what the device forbids is named`(device: Conditions, blocker: FetchRule.Blocker) {
    let decision = Self.person.decide(rule, day: 15, hour: 8, minute: 45, device: device)

    #expect(decision.choice == .waits)
    #expect(decision.blockers == [blocker])
  }

  @Test func `battery and money raise the threshold, and the charger lowers it, also of a battery that is full`() {
    let budget = FetchBudget(rule.settings, apps: 1, at: .zero)

    let usual = rule.threshold(Conditions(), budget)
    let onBattery = rule.threshold(Conditions(power: .battery, battery: 70), budget)
    let onBoth = rule.threshold(Conditions(network: .cellular, power: .battery, battery: 70), budget)
    let charging = rule.threshold(Conditions(battery: 70, isCharging: true), budget)
    let full = rule.threshold(Conditions(battery: 100), budget)

    #expect(full == charging && charging < usual && usual < onBattery && onBattery < onBoth)
  }

  @Test func `an app that wants none, was never opened, or is held by its caller is told why`() {
    let now = Self.person.instant(day: 15, hour: 8, minute: 45)
    var silent = Self.person.mail
    silent.interval = nil
    let stranger = FetchRule.Candidate(app: AppID("dev.example.other"), interval: .zero)
    var removed = Self.person.mail
    removed.blockers = [.removedFromSwitcher]

    #expect(Self.person.decide(rule, silent, at: now).blockers == [.never])
    #expect(Self.person.decide(rule, stranger, at: now).blockers == [.neverOpened])
    #expect(Self.person.decide(rule, removed, at: now).blockers == [.removedFromSwitcher])
  }

  @Test func `a spent budget is named, with the time at which it ends`() throws {
    let now = Self.person.instant(day: 15, hour: 8, minute: 45)
    let empty = FetchBudget.Account(perDay: 1, left: -0.5, price: -9)
    let budget = FetchBudget(accounts: [empty] + Self.accounts(price: -9).dropFirst(), days: 9, at: now.age)

    let decision = Self.person.decide(rule, Self.person.mail, budget, at: now)

    #expect(decision.blockers == [.budgetSpent(.fetches, until: try #require(budget.spent(under: Conditions())).until)])
  }

  @Test func `no app starves, however little it is worth`() {
    let now = Self.person.instant(day: 15, hour: 4)
    let dear = FetchBudget(accounts: Self.accounts(price: 9), days: 9, at: now.age)

    func choice(age: Duration, isWindowOpen: Bool) -> FetchRule.Choice {
      var candidate = Self.person.mail
      candidate.freshAt = now.age.before(age)
      return Self.person.decide(rule, candidate, dear, isWindowOpen: isWindowOpen, at: now).choice
    }

    #expect(choice(age: .hours(47), isWindowOpen: true) == .waits)
    #expect(choice(age: .hours(49), isWindowOpen: false) == .waits)
    #expect(choice(age: .hours(49), isWindowOpen: true) == .joins)
    #expect(choice(age: .hours(73), isWindowOpen: false) == .fetch)
  }

  @Test(
    arguments: [
      (.fetch, 0.5, false), (.fetch, 0.4, true), (.joins, 0.4, false), (.joins, 0.2, true), (.asked, 0.2, false),
      (.waits, 0.2, false),
    ] as [(FetchDecision.Verdict, Double, Bool)])
  func `what is refreshed though it is not worth it is refreshed for neglect`(
    verdict: FetchDecision.Verdict, score: Double, isForNeglect: Bool
  ) {
    let weight = FetchWeight(
      score: score, threshold: 0.5, probability: 0.1, age: .hours(73), updatesPerHour: 1, value: 1)

    let decision = FetchDecision(
      number: 1, app: Self.person.mail.app, at: Timestamp(seconds: 0), verdict: verdict, weight: weight)

    #expect(decision.isForNeglect == isForNeglect)
  }

  @Test func `what nobody has used for long may become half as old as that`() {
    var habits = Self.person.habits
    for day in 15..<30 {
      let later = Self.person.instant(day: Int64(day), hour: 12)
      habits.noticed(at: later.local)
    }
    let then = Self.person.instant(day: 29, hour: 13)
    let dear = FetchBudget(accounts: Self.accounts(price: 9), days: 9, at: then.age)

    func choice(age: Duration) -> FetchRule.Choice {
      var candidate = Self.person.mail
      candidate.freshAt = then.age.before(age)
      return rule.decide(
        [candidate], habits: habits, device: Conditions(), budget: dear, isWindowOpen: true, at: then)[0].choice
    }

    #expect(choice(age: .hours(24 * 6)) == .waits)
    #expect(choice(age: .hours(24 * 8)) == .joins)
  }

  private static func accounts(price: Double) -> [FetchBudget.Account] {
    FetchBudget.Good.allCases.map { _ in FetchBudget.Account(perDay: 8, price: price) }
  }

  /// A budget whose threshold is so many times what a fetch of the candidate is worth.
  private static func budget(
    around candidate: FetchRule.Candidate, _ rule: FetchRule, at now: FetchRule.Instant, factor: Double
  ) -> FetchBudget? {
    let value = person.decide(rule, candidate, at: now).score.value
    guard value > 0 else { return nil }
    return FetchBudget(accounts: accounts(price: Curves.ln(value * factor)), days: 9, at: now.age)
  }
}
