public import NightjarHabits
public import NightjarModel

/// Decides which apps are refreshed now: those for which it is worth what fetches cost just then.
///
/// A fetch is worth something as far as the app will be used soon and there will be something new for it. Without any
/// experience of the content that is the probability of use within half an hour times the age of the content in hours.
/// With it, it is (1 - e^(-ν·age)) · λ / (λ + ν), where ν is the rate at which the content changes and λ that at which the
/// app is opened: that there is something new, and that the person comes before it is old again. The rule passes from the
/// one to the other as the outcomes of fetches come in.
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
    let common = blockers(device, budget)
    var decisions = candidates.map { candidate in
      let score = score(candidate, habits, at: now)
      let blockers = candidate.blockers + blockers(candidate, habits, at: now) + common
      return Decision(app: candidate.app, verdict: .waits, score: score, threshold: threshold, blockers: blockers)
    }
    var isOpen = isWindowOpen
    for place in decisions.indices where decisions[place].blockers.isEmpty {
      guard opens(decisions[place].score, threshold, candidates[place], habits) else { continue }
      decisions[place].verdict = .fetch
      isOpen = true
    }
    for place in decisions.indices where isOpen && decisions[place].blockers.isEmpty {
      guard decisions[place].verdict == .waits, joins(decisions[place].score, threshold, candidates[place], habits)
      else { continue }
      decisions[place].verdict = .joins
    }
    return decisions
  }

  /// What a fetch must be worth under such conditions.
  public func threshold(_ device: Conditions, _ budget: FetchBudget) -> Double {
    var threshold = budget.threshold
    if device.network.isExpensive { threshold *= settings.expensiveFactor }
    if device.power == .battery { threshold *= settings.batteryFactor }
    if device.isCharging, !device.network.isExpensive { threshold *= settings.chargingFactor }
    return threshold
  }

  /// Whether a fetch is worth a window of its own, or the app was left alone for too long.
  private func opens(_ score: Score, _ threshold: Double, _ candidate: Candidate, _ habits: Habits) -> Bool {
    score.value >= threshold || score.age >= neglect(candidate, habits) * 3 / 2
  }

  /// Whether a fetch is worth a window that is open anyway.
  private func joins(_ score: Score, _ threshold: Double, _ candidate: Candidate, _ habits: Habits) -> Bool {
    score.value >= threshold * settings.joinFactor || score.age >= neglect(candidate, habits)
  }

  /// How old an app's content may become, whatever else is worth more: a day, or for an app that was not used for long a
  /// quarter of that time.
  private func neglect(_ candidate: Candidate, _ habits: Habits) -> Duration {
    max(settings.neglectMax, habits.sinceUse(of: candidate.app) / 4)
  }
}
