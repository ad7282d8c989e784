public import NightjarHabits
public import NightjarModel

/// Decides which apps are refreshed now: those whose fetch is worth its present cost.
///
/// A fetch is worth more the likelier the app is used soon, and the likelier there is something new for it. Without any
/// experience of the content that is p^¾ · (1 - e^(-age)), the age in hours: p is the probability of use within half an
/// hour, moderated by the exponent, and the other factor is the probability that content which changes once an hour has
/// changed. With experience it is (1 - e^(-ν·age)) · λ / (λ + ν), where ν is the rate at which the content changes and
/// λ that at which the app is opened: the probability that there is something new, and that the person comes before it
/// is old again. The rule moves from the first to the second as the outcomes of fetches come in.
///
/// It is a pure value and remembers nothing: its input is the candidates, the habits and the budget.
public struct FetchRule: Hashable, Sendable {
  /// The settings by which it decides.
  public var settings: FetchSettings { fixed.value }
  private let fixed: Fixed<FetchSettings>

  /// A rule of these settings.
  public init(_ settings: FetchSettings = FetchSettings()) { fixed = Fixed(settings) }

  /// Decides about every candidate, in their order.
  ///
  /// - Parameters:
  ///   - budget: Advanced to now by the caller, who charges it with what is begun.
  ///   - isWindowOpen: Whether fetches cost less than usual just now, since the radio is up. The caller need not
  ///     account for fetches that this decision itself begins.
  public func decide(
    _ candidates: [Candidate], habits: Habits, device: Conditions, budget: FetchBudget, isWindowOpen: Bool,
    at now: Instant
  ) -> [Decision] {
    let present = habits.present(at: now.local)
    let places = candidates.map { present.place(of: $0.app) }
    return decide(
      candidates, places, present, device: device, budget: budget, isWindowOpen: isWindowOpen, at: now.age)
  }

  /// The same for candidates whose places among the habits are known.
  func decide(
    _ candidates: [Candidate], _ places: [Int?], _ present: Present, device: Conditions, budget: FetchBudget,
    isWindowOpen: Bool, at now: Age
  ) -> [Decision] {
    let weighing = FetchWeighing(self, present, device, budget, at: now)
    var decisions = zip(candidates, places).map { weighing.decision($0, Timing($0), $1) }
    weighing.join(&decisions, isWindowOpen: isWindowOpen)
    return decisions.map(\.decision)
  }

  /// What a fetch must be worth under such conditions.
  public func threshold(_ device: Conditions, _ budget: FetchBudget) -> Double {
    var threshold = budget.threshold(under: device)
    if device.network.isExpensive { threshold *= settings.expensiveFactor }
    if device.power == .battery { threshold *= settings.batteryFactor }
    if device.isOnCharger, !device.network.isExpensive { threshold *= settings.chargingFactor }
    return threshold
  }

  /// Whether a fetch is worth a window of its own (`opens`), or else worth joining an open one.
  ///
  /// No app starves: whatever a fetch is worth, content that is two days old joins the next window, and content that is
  /// three days old opens one, unless something forbids it. For an app that was not used for more than four days, half
  /// of that time takes the place of the two days, so that what nobody opens is refreshed ever more rarely.
  func isWorth(_ score: Score, _ sinceUse: Duration, threshold: Double, opens: Bool) -> Bool {
    score.value >= (opens ? threshold : threshold * settings.joinFactor) || isNeglected(score.age, sinceUse, opens)
  }

  func isNeglected(_ age: Duration, _ sinceUse: Duration, _ opens: Bool) -> Bool {
    guard age >= settings.neglectMax else { return false }
    let neglect = max(settings.neglectMax, sinceUse / 2)
    return age >= (opens ? neglect * 3 / 2 : neglect)
  }
}
