import NightjarCore
import NightjarHabits
import NightjarModel

/// Somebody who reads mail each day at nine and news in the evening, from Monday, 5 January 1970, on.
struct RegularPerson: Sendable {
  private(set) var habits = Habits()
  /// The mail, whose content is as old as it can be.
  let mail = FetchRule.Candidate(app: AppID("dev.example.mail"), interval: .zero)
  let news = FetchRule.Candidate(app: AppID("dev.example.news"), interval: .zero)

  init(days: Int64) {
    for day in 0..<days {
      visit(mail.app, at: instant(day: day, hour: 9, minute: day % 6).local)
      visit(news.app, at: instant(day: day, hour: 19, minute: 30).local)
    }
  }

  /// A time of a day, in UTC; the device is as old as the first of these days.
  func instant(day: Int64, hour: Int64 = 0, minute: Int64 = 0) -> FetchRule.Instant {
    let seconds = day * 86_400 + hour * 3600 + minute * 60
    return FetchRule.Instant(age: Age(.seconds(seconds)), local: LocalTime(seconds: 4 * 86_400 + seconds))
  }

  /// The decision about the mail at a time, if fetches cost as little as they ever do in the middle of a day.
  func decide(
    _ rule: FetchRule, day: Int64, hour: Int64, minute: Int64 = 0, device: Conditions = Conditions()
  ) -> FetchRule.Decision {
    let now = instant(day: day, hour: hour, minute: minute)
    var candidate = mail
    candidate.freshAt = now.age.before(.hours(10))
    let budget = FetchBudget(rule.settings, apps: 1, at: now.age)
    return rule.decide(
      [candidate], habits: habits, device: device, budget: budget, isWindowOpen: false, at: now)[0]
  }

  func decide(
    _ rule: FetchRule, _ candidate: FetchRule.Candidate, _ budget: FetchBudget? = nil, isWindowOpen: Bool = false,
    at now: FetchRule.Instant
  ) -> FetchRule.Decision {
    let budget = budget ?? FetchBudget(rule.settings, apps: 1, at: now.age)
    return rule.decide(
      [candidate], habits: habits, device: Conditions(), budget: budget, isWindowOpen: isWindowOpen, at: now)[0]
  }

  private mutating func visit(_ app: AppID, at time: LocalTime) {
    habits.opened(app, at: time)
    habits.left(app, at: time.later(by: 120))
  }
}

extension Age {
  func before(_ pause: Duration) -> Age { self + (.zero - pause) }
}
