public import NightjarHabits
public import NightjarModel

/// Decides which apps are refreshed now: those for which it is worth what fetches cost just then.
///
/// A fetch is worth something as far as the app will be used soon and there will be something new for it. Without any
/// experience of the content that is the probability of use within half an hour times ln(1 + 4·age), the age in hours: how
/// likely content of such an age has changed, if all rates up to four an hour are alike likely on a logarithmic scale, up
/// to a factor. With experience it is (1 - e^(-ν·age)) · λ / (λ + ν), where ν is the rate at which the content changes and λ
/// that at which the app is opened: that there is something new, and that the person comes before it is old again. The
/// rule passes from the one to the other as the outcomes of fetches come in.
///
/// It is a pure value. Nothing is remembered: what it goes by is in the candidates, the habits and the budget.
public struct FetchRule: Hashable, Sendable {
  /// By what it decides.
  public let settings: FetchSettings

  /// A rule of these settings.
  public init(_ settings: FetchSettings = FetchSettings()) { self.settings = settings }

  /// Decides about every candidate, in their order.
  ///
  /// - Parameters:
  ///   - budget: Advanced to now by the caller, who charges it with what is begun.
  ///   - isWindowOpen: Whether fetches cost less than usual just now: the device is in use or its radio is up. What this
  ///     decision itself begins need not be told of.
  public func decide(
    _ candidates: [Candidate], habits: Habits, device: Conditions, budget: FetchBudget, isWindowOpen: Bool,
    at now: Instant
  ) -> [Decision] {
    let threshold = threshold(device, budget)
    let common = blockers(device) + blockers(budget)
    let outlook = habits.outlook(at: now.local, halfHours: 1)
    var decisions = candidates.map { candidate in
      let score = score(candidate, outlook, at: now.age)
      let blockers = candidate.blockers + blockers(candidate, outlook, at: now.age) + common
      return Decision(app: candidate.app, verdict: .waits, score: score, threshold: threshold, blockers: blockers)
    }
    let isOpen = open(&decisions, habits, at: now.local)
    if isOpen || isWindowOpen { join(&decisions, habits, at: now.local) }
    return decisions
  }

  /// Has apps fetched that are worth a window of their own. Whether there were any.
  private func open(_ decisions: inout [Decision], _ habits: Habits, at time: LocalTime) -> Bool {
    var isOpen = false
    for place in decisions.indices where isWorth(decisions[place], habits, at: time, opens: true) {
      decisions[place].verdict = .fetch
      isOpen = true
    }
    return isOpen
  }

  /// Has those join that are worth that.
  private func join(_ decisions: inout [Decision], _ habits: Habits, at time: LocalTime) {
    for place in decisions.indices where decisions[place].verdict == .waits {
      if isWorth(decisions[place], habits, at: time, opens: false) { decisions[place].verdict = .joins }
    }
  }

  private func isWorth(_ decision: Decision, _ habits: Habits, at time: LocalTime, opens: Bool) -> Bool {
    guard decision.blockers.isEmpty else { return false }
    let (score, sinceUse) = (decision.score, habits.sinceUse(of: decision.app, at: time))
    return isWorth(score.value, age: score.age, sinceUse: sinceUse, threshold: decision.threshold, opens: opens)
  }

  /// What a fetch must be worth under such conditions.
  public func threshold(_ device: Conditions, _ budget: FetchBudget) -> Double {
    var threshold = budget.threshold
    if device.network.isExpensive { threshold *= settings.expensiveFactor }
    if device.power == .battery { threshold *= settings.batteryFactor }
    if device.isCharging, !device.network.isExpensive { threshold *= settings.chargingFactor }
    return threshold
  }

  /// Whether a fetch is worth a window of its own, or else one that is open anyway.
  ///
  /// No app starves: content does not become older than two days, or for an app that was not used for long a quarter of that
  /// time, without joining the next window, nor half as old again without a window of its own.
  func isWorth(_ value: Double, age: Duration, sinceUse: Duration, threshold: Double, opens: Bool) -> Bool {
    if value >= (opens ? threshold : threshold * settings.joinFactor) { return true }
    let neglect = max(settings.neglectMax, sinceUse / 4)
    return age >= (opens ? neglect * 3 / 2 : neglect)
  }
}
