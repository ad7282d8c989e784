import NightjarHabits
import NightjarModel
import TestThreads
import Testing

@testable import NightjarCore

/// Properties of decisions and of the time to look again, over made-up days.
@Suite(.computing) struct FetchLookTests {
  private let rule = FetchRule()
  private static let person = RegularPerson(days: 15)

  /// Decides at every tick of two days, and carries out what was decided.
  private func run(
    seed: UInt64, _ check: (FetchRule.Decision, FetchRule.Candidate, FetchRule.Instant) -> Void
  ) -> [String] {
    var budget = FetchBudget(rule.settings, apps: 2, at: Self.person.instant(day: 15).age)
    var candidates = [Self.person.mail, Self.person.news]
    candidates[0].interval = .seconds(Int64(seed) * 1111 % 9000)
    candidates[1].notBefore = Self.person.instant(day: 15, hour: Int64(seed % 20)).age
    var log: [String] = []
    for tick in Int64(0)..<576 {
      let now = Self.person.instant(day: 15).later(by: .minutes(tick * 5))
      let device = Conditions(isOnline: (UInt64(tick) / 30 + seed) % 5 != 0)
      budget.advance(to: now.age, apps: 2, under: device, rule.settings)
      let decisions = rule.decide(
        candidates, habits: Self.person.habits, device: device, budget: budget, isWindowOpen: tick % 9 == 0, at: now)
      for (place, decision) in decisions.enumerated() {
        check(decision, candidates[place], now)
        guard decision.choice != .waits else { continue }
        log.append("\(tick) \(decision.app) \(decision.choice) \(decision.score.value.bitPattern)")
        (candidates[place].fetchedAt, candidates[place].freshAt) = (now.age, now.age)
        budget.spend(1, of: .fetches)
      }
    }
    return log
  }

  @Test(arguments: 0..<UInt64(12)) func `nothing is fetched before its time, nor while it is forbidden`(seed: UInt64) {
    let log = run(seed: seed) { decision, candidate, now in
      guard decision.choice != .waits else { return }
      #expect(decision.blockers.isEmpty)
      if let fetchedAt = candidate.fetchedAt {
        #expect(now.age - fetchedAt >= max(candidate.interval ?? .zero, rule.settings.intervalMin))
      }
      if let notBefore = candidate.notBefore { #expect(now.age >= notBefore) }
      #expect((UInt64((now.age - Self.person.instant(day: 15).age).components.seconds) / 9000 + seed) % 5 != 0)
    }

    #expect(!log.isEmpty)
  }

  @Test func `the same days bring the same decisions`() {
    let first = run(seed: 3) { _, _, _ in }
    let second = run(seed: 3) { _, _, _ in }

    #expect(first == second)
  }

  @Test(arguments: [0, 3, 7, 8, 13, 19, 23] as [Int64])
  func `a look that is asked for up to a time is the same one, or none`(hour: Int64) throws {
    let now = Self.person.instant(day: 15, hour: hour, minute: 2)
    let budget = FetchBudget(rule.settings, apps: 2, at: now.age)
    let candidates = [Self.person.mail, Self.person.news]
    func look(notAfter limit: Age?) -> Age? {
      rule.nextLook(
        candidates, habits: Self.person.habits, device: Conditions(), budget: budget, isWindowOpen: false, at: now,
        notAfter: limit)
    }
    let whole = try #require(look(notAfter: nil))

    for seconds in stride(from: Int64(-60), to: 8 * 3600, by: 59) {
      let limit = now.age + .seconds(seconds)
      #expect(look(notAfter: limit) == (whole <= limit ? whole : nil))
    }
  }

  @Test(arguments: [(0, nil), (3, 7200), (7, nil), (13, 3), (19, nil), (23, 18_000)] as [(Int64, Int64?)])
  func `a look that is asked for ever further ahead is the one that is found at once`(hour: Int64, known: Int64?) {
    let now = Self.person.instant(day: 15, hour: hour, minute: 2)
    let pending = look(at: now, known: known.map { now.age + .seconds($0) })
    var (atOnce, stepwise) = (pending, pending)
    let whole = atOnce.time(notAfter: nil, rule, Self.person.habits, candidates)

    for seconds in stride(from: Int64(-60), to: 8 * 3600, by: 59) {
      let limit = now.age + .seconds(seconds)
      let found = stepwise.time(notAfter: limit, rule, Self.person.habits, candidates)
      if let found, found <= limit { #expect(found == whole) } else { #expect(whole.map { $0 > limit } ?? true) }
    }

    #expect(stepwise.time(notAfter: nil, rule, Self.person.habits, candidates) == whole)
  }

  @Test func `what was searched in vain is not searched again`() throws {
    let now = Self.person.instant(day: 15, hour: 7)
    var (fresh, searched) = (look(at: now), look(at: now))
    let found = fresh.time(notAfter: nil, rule, Self.person.habits, candidates)
    let limit = try #require(found)

    let vain = searched.time(notAfter: limit, rule, Habits(), candidates)  // Nobody is known to use anything.
    let again = searched.time(notAfter: limit, rule, Self.person.habits, candidates)
    let later = searched.time(notAfter: limit + .hours(2), rule, Self.person.habits, candidates)

    #expect((vain, again) == (nil, nil))
    #expect(later == limit + rule.settings.tick)
  }

  /// One whose place among the habits is not known, and one that has another.
  private let candidates: [Prospects.Entry] = [(Self.person.mail, nil), (Self.person.news, 0)].map { candidate, place in
    var entry = Prospects.Entry(Prospect(candidate))
    entry.place = place
    return entry
  }

  private func look(at now: FetchRule.Instant, known: Age? = nil) -> FetchLook {
    FetchLook(
      known,
      orEarlierBy: .init(
        device: Conditions(),
        budget: FetchBudget(rule.settings, apps: 2, at: now.age), isWindowOpen: false, now: now))
  }

  /// Also where bytes that cost money are much dearer than fetches, of which all that can be are left, or where next to
  /// none are.
  @Test(arguments: [0, 3, 7, 8, 13, 19, 23] as [Int64], [nil, .unmetered, .cellular] as [Conditions.Network?])
  func `until the next look nothing is worth it, and then something is`(
    hour: Int64, network: Conditions.Network?
  ) throws {
    let device = Conditions(network: network ?? .unmetered)
    let now = Self.person.instant(day: 15, hour: hour, minute: 2)
    var settings = FetchSettings()
    settings.lookMax = .hours(26)
    let rule = FetchRule(settings)
    var candidates = [Self.person.mail, Self.person.news]
    for place in candidates.indices {
      (candidates[place].freshAt, candidates[place].fetchedAt) = (
        now.age.before(.minutes(3)), now.age.before(.minutes(3))
      )
    }
    var budget = FetchBudget(rule.settings, apps: 2, at: now.age)
    if network != nil {
      let left = network == .cellular ? 7 : 0.2
      let accounts = [-3, -3, -1.8].map { FetchBudget.Account(perDay: 8, left: left, price: $0) }
      budget = FetchBudget(accounts: accounts, days: 9, at: now.age)
    }

    let look = try #require(
      rule.nextLook(
        candidates, habits: Self.person.habits, device: device, budget: budget, isWindowOpen: false, at: now))
    #expect(look > now.age)
    var worth: [Age] = []
    for tick in Int64(0)...312 {
      let then = now.later(by: .minutes(tick * 5 + 3))
      budget.advance(to: then.age, apps: 2, under: device, rule.settings)
      let decisions = rule.decide(
        candidates, habits: Self.person.habits, device: device, budget: budget, isWindowOpen: false, at: then)
      if decisions.contains(where: { $0.choice != .waits }) { worth.append(then.age) }
    }

    #expect(worth.first == look)
  }

  @Test func `what is far ahead is looked for again before it comes`() throws {
    let now = Self.person.instant(day: 15, hour: 20)
    let dear = FetchBudget.Good.allCases.map { _ in FetchBudget.Account(perDay: 8, price: 5) }

    let look = rule.nextLook(
      [Self.person.mail], habits: Self.person.habits, device: Conditions(),
      budget: FetchBudget(accounts: dear, days: 9, at: now.age), isWindowOpen: false, at: now)

    #expect(try #require(look) <= now.age + rule.settings.lookMax + rule.settings.tick)
  }

  @Test func `nobody looks again while only an event can change anything`() {
    let now = Self.person.instant(day: 15, hour: 8)
    let budget = FetchBudget(rule.settings, apps: 1, at: now.age)
    var removed = Self.person.mail
    removed.blockers = [.removedFromSwitcher]

    func look(_ candidate: FetchRule.Candidate, _ device: Conditions) -> Age? {
      rule.nextLook(
        [candidate], habits: Self.person.habits, device: device, budget: budget, isWindowOpen: false, at: now)
    }

    #expect(look(removed, Conditions()) == nil)
    #expect(look(Self.person.mail, Conditions(isOnline: false)) == nil)
    #expect(look(Self.person.mail, Conditions()) != nil)
  }

  @Test func `likely windows lie ahead, in order, and no closer than the app allows`() throws {
    let now = Self.person.instant(day: 15, hour: 0)
    var mail = Self.person.mail
    (mail.interval, mail.freshAt) = (.hours(1), now.age)
    let budget = FetchBudget(rule.settings, apps: 1, at: now.age)

    let search = rule.comingDay(habits: Self.person.habits, device: Conditions(), budget: budget, at: now)
    let windows = search.ticks(for: mail, max: FetchRule.windowsMax).map { search.age(ofTick: $0) }

    let first = try #require(windows.first)
    #expect(first > now.age)
    for (a, b) in zip(windows, windows.dropFirst()) { #expect(b - a >= .hours(1)) }
    let beforeNine = Self.person.instant(day: 15, hour: 8, minute: 30).age...Self.person.instant(day: 15, hour: 9).age
    #expect(windows.contains { beforeNine.contains($0) })
  }
}
