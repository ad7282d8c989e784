import NightjarHabits
import NightjarModel
import TestThreads
import Testing

@testable import NightjarCore

/// What is seen without weighing is what weighing would have come to.
@Suite(.computing) struct FetchWeighingTests {
  private let rule = FetchRule()
  private static let person = RegularPerson(days: 15)

  @Test(arguments: [1e-5, 0.003, 0.05, 0.2, 0.5, 0.95]) func `the ceiling lies just above the worth`(histogram: Double)
  {
    let forecast = Forecast(histogram: histogram, hazard: 1, activity: 1)
    for fetches in 0..<12 {
      var updates = UpdateRate()
      for count in 0..<fetches { updates.learn(isNew: count % 3 != 0, after: .minutes(Int64(5 + 40 * fetches))) }
      for hours in [0, 1e-6, 0.01, 0.2, 0.7, 1, 3, 8, 20, 47, 170] {
        let value = FetchRule.value(forecast, age: hours, updates: updates)
        let ceiling = FetchRule.ceiling(forecast, age: hours, updates: updates)
        #expect(ceiling >= value)
        #expect(ceiling <= value * (histogram < 0.5 ? 1.03 : 4) + 1e-9)
      }
    }
  }

  @Test(arguments: Int64(0)..<24) func `who surely waits for a reason waits for it, whether or not a window is open`(
    hour: Int64
  ) {
    var found = 0
    for step in Int64(0)..<60 {
      let now = Self.person.instant(day: 15, hour: hour, minute: step)
      let budget = FetchBudget(rule.settings, apps: 2, at: now.age)
      let device = Conditions(isOnline: step % 7 != 0)
      let (candidate, place) = candidate(step, at: now.age)
      let present = Self.person.habits.present(at: now.local)
      let weighing = FetchWeighing(rule, present, device, budget, at: now.age)
      for isOpen in [false, true] {
        let decision = rule.decide(
          [candidate], [place], present, device: device, budget: budget, isWindowOpen: isOpen, at: now.age)[0]
        for code in FetchObstacle.Code.allCases {
          let isSure = weighing.rest(of: Prospect(candidate), place, for: code) != nil
          let isSo =
            decision.choice == .waits && decision.blockers.count <= 1
            && (decision.blockers.first?.code ?? .belowThreshold) == code
          #expect(!isSure || isSo)
          if isSure { found += 1 }
        }
      }
    }
    #expect(found > 0)
  }

  @Test(arguments: Int64(0)..<24) func `who rests would be found to wait, whatever has happened meanwhile`(hour: Int64)
  {
    var found = 0
    for step in Int64(0)..<60 {
      let now = Self.person.instant(day: 15, hour: hour, minute: step)
      let (candidate, place) = candidate(step, at: now.age)
      let weighing = weighing(Self.person.habits, step, at: now)
      for code in [FetchObstacle.Code.belowThreshold, .belowMinimumInterval, .backOff, .inForeground] {
        guard let rest = weighing.rest(of: Prospect(candidate), place, for: code) else { continue }
        for seconds in [0, 1, 59, 200, 299, 301, 2000] as [Int64] {
          let later = now.later(by: .seconds(seconds))
          for habits in lives(until: later) {
            let weighing = self.weighing(habits, step, at: later)
            guard weighing.isResting(rest, place) else { continue }
            #expect(weighing.rest(of: Prospect(candidate), place, for: code) != nil)
            found += 1
          }
        }
      }
    }
    #expect(found > 0)
  }

  private func weighing(_ habits: Habits, _ step: Int64, at now: FetchRule.Instant) -> FetchWeighing {
    let budget = FetchBudget(rule.settings, apps: 2, at: now.age)
    let device = Conditions(isCharging: step % 7 == 0)
    return FetchWeighing(rule, habits.present(at: now.local), device, budget, at: now.age)
  }

  /// What may have been learned by a time.
  private func lives(until now: FetchRule.Instant) -> [Habits] {
    var (passed, mail, news) = (Self.person.habits, Self.person.habits, Self.person.habits)
    passed.advance(to: now.local)
    mail.opened(Self.person.mail.app, at: now.local)
    news.opened(Self.person.news.app, at: now.local)
    news.left(Self.person.news.app, at: now.local)
    return [Self.person.habits, passed, mail, news]
  }

  /// Candidates that differ in all that may be in their way.
  private func candidate(_ step: Int64, at now: Age) -> (FetchRule.Candidate, place: Int?) {
    var candidate = step % 2 == 0 ? Self.person.mail : Self.person.news
    candidate.freshAt = step % 5 == 0 ? nil : now.before(.minutes(step * step))
    candidate.fetchedAt = step % 3 == 0 ? now.before(.minutes(step)) : nil
    candidate.notBefore = step % 11 == 0 ? now + .minutes(step - 20) : nil
    candidate.interval = step % 13 == 0 ? nil : .minutes(step)
    candidate.blockers = step % 17 == 0 ? [.inForeground] : []
    return (candidate, step % 19 == 0 ? nil : Int(step % 2))
  }
}
