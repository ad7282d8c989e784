/// The results of all policies for one person.
struct Evaluation: Sendable {
  /// One line of the report: a policy and what it might spend; no budget where it spends nothing.
  struct Case: Hashable, Sendable {
    var policy: PolicyName
    var budget: Budget?
  }

  let user: String
  let apps: Int
  let launches: Int
  let measures: [Case: Measures]

  /// The lines of a report on these policies, in order.
  static func cases(_ policies: [PolicyName]) -> [Case] {
    policies.flatMap { policy in
      policy.budgets.map { Case(policy: policy, budget: $0) }
    }
  }

  /// Replays every policy at every budget.
  init(_ course: Course, policies: [PolicyName]) {
    user = course.user
    apps = course.apps.count
    var (measures, launches) = ([Case: Measures](), 0)
    for policy in policies {
      var dial = policy.dial(course)
      for budget in policy.budgets {
        let tally = dial.tally(within: budget ?? .fetchesPerAppDay(1))
        launches = tally.ages.count
        measures[Case(policy: policy, budget: budget)] = Measures(tally, traffic: course.traffic)
      }
    }
    (self.measures, self.launches) = (measures, launches)
  }
}
