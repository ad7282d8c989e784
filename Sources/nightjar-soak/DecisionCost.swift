import NightjarCore
import NightjarHabits
import NightjarModel

/// What it costs to decide about 200 apps, and to find out when to look again.
struct DecisionCost {
  /// Prints the least and the median of 500 decisions, in microseconds; true if the least is at most a millisecond,
  /// which leaves room for a busy machine.
  static func report() -> Bool {
    let cost = DecisionCost()
    let decision = measured("a decision for \(count) apps") { cost.decide() }
    let look = measured("the search for the next look") { cost.look() }
    return decision + look <= .milliseconds(1)
  }

  private static let count = 200
  private let rule = FetchRule()
  private var habits = Habits()
  private let candidates: [FetchRule.Candidate]
  private let budget: FetchBudget
  private let now: FetchRule.Instant

  /// A person who has opened one app after the other for weeks, in no order.
  private init() {
    let apps = (0..<Self.count).map { AppID("dev.example.App\($0)") }
    var (time, state) = (Int64(1_790_000_000), UInt64(7))
    for _ in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let app = apps[Int(state >> 33) % Self.count]
      habits.opened(app, at: LocalTime(seconds: time))
      habits.left(app, at: LocalTime(seconds: time + 60))
      time += 60 + Int64(state >> 20 & 0xff)
    }
    now = FetchRule.Instant(age: Age(.hours(1000)), local: LocalTime(seconds: time))
    candidates = Self.candidates(apps, at: now.age)
    budget = FetchBudget(rule.settings, apps: Self.count, at: now.age)
    habits.advance(to: now.local)
  }

  /// Apps of which something is known, or nothing, with content that is more or less old.
  private static func candidates(_ apps: [AppID], at now: Age) -> [FetchRule.Candidate] {
    apps.enumerated().map { place, app in
      var updates = UpdateRate()
      for fetch in 0..<place % 7 { updates.learn(isNew: fetch % 2 == 0, after: .hours(1)) }
      let freshAt = now + .minutes(-Int64(place))
      return FetchRule.Candidate(
        app: app, interval: .zero, fetchedAt: freshAt + .minutes(-15), freshAt: freshAt, updates: updates)
    }
  }

  private func decide() -> Int {
    rule.decide(candidates, habits: habits, device: Conditions(), budget: budget, isWindowOpen: false, at: now).count
  }

  private func look() -> Int {
    let look = rule.nextLook(
      candidates, habits: habits, device: Conditions(), budget: budget, isWindowOpen: false, at: now)
    return look == nil ? 0 : 1
  }

  private static func measured(_ what: String, _ work: () -> Int) -> Duration {
    var times: [Duration] = []
    var done = 0
    for _ in 0..<500 {
      let start = ContinuousClock.now
      done += work()
      times.append(ContinuousClock.now - start)
    }
    times.sort()
    precondition(done > 0, "nothing was measured")
    print("\(what): \(microseconds(times[0])) µs at least, \(microseconds(times[250])) µs at the median")
    return times[0]
  }

  private static func microseconds(_ time: Duration) -> Double { (time.inSeconds * 1e6).rounded(decimals: 1) }
}
