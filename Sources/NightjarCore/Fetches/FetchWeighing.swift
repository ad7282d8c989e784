import NightjarHabits
import NightjarModel

/// The rule at one moment: what concerns all candidates is computed once.
struct FetchWeighing {
  private let rule: FetchRule
  private let present: Present
  private let now: Age
  /// What a fetch must be worth to open a window.
  private let threshold: Double
  /// What it must be worth to join an open one.
  private let bar: Double
  private let common: [FetchRule.Blocker]

  init(_ rule: FetchRule, _ present: Present, _ device: Conditions, _ budget: FetchBudget, at now: Age) {
    (self.rule, self.present, self.now) = (rule, present, now)
    threshold = rule.threshold(device, budget)
    bar = threshold * rule.settings.joinFactor
    common = rule.blockers(device) + rule.blockers(device, budget)
  }

  /// A decision made before it is known whether others open a window, and how long its app was not used.
  struct Weighed {
    var decision: FetchRule.Decision
    let sinceUse: Duration
  }

  /// The decision about one candidate as far as it does not depend on the others; `place` is its place among the
  /// habits.
  func decision(_ candidate: FetchRule.Candidate, _ timing: FetchRule.Timing, _ place: Int?) -> Weighed {
    let score = rule.score(timing, present, place, at: now)
    let sinceUse = present.sinceUse(place)
    let blockers = rule.blockers(candidate.blockers, timing, isKnown: place != nil, common, at: now)
    let opens = blockers.isEmpty && rule.isWorth(score, sinceUse, threshold: threshold, opens: true)
    let decision = FetchRule.Decision(
      app: candidate.app, choice: opens ? .fetch : .waits, score: score, threshold: threshold, blockers: blockers)
    return Weighed(decision: decision, sinceUse: sinceUse)
  }

  /// Lets waiting candidates join if a window is open, or any candidate opens one.
  func join(_ weighed: inout [Weighed], isWindowOpen: Bool) {
    guard isWindowOpen || weighed.contains(where: { $0.decision.choice == .fetch }) else { return }
    for place in weighed.indices where weighed[place].decision.choice == .waits {
      let (decision, sinceUse) = (weighed[place].decision, weighed[place].sinceUse)
      guard decision.blockers.isEmpty else { continue }
      if rule.isWorth(decision.score, sinceUse, threshold: threshold, opens: false) {
        weighed[place].decision.choice = .joins
      }
    }
  }

  /// The place of an app among the habits, tried first where it was before.
  func place(of app: AppID, near place: Int?) -> Int? { present.place(of: app, near: place) }

  /// For how long a candidate is certain to wait for this one reason, whatever becomes of the others; nil if that is
  /// not certain without weighing all of them.
  func rest(of prospect: Prospect, _ place: Int?, for reason: FetchObstacle.Code) -> Rest? {
    var (count, sole) = (common.count, common.first)
    if !prospect.isFree {
      count += prospect.candidate.blockers.count
      sole = prospect.candidate.blockers.first
    }
    rule.visitBlockers(prospect.timing, isKnown: place != nil, at: now) { (count, sole) = (count + 1, $0) }
    switch count {
    case 0: return reason == .belowThreshold ? worthless(prospect.timing, place) : nil
    case 1 where sole?.code == reason:
      return Rest(most: 0, until: sole?.end ?? now, steadiness: present.steadiness(place))
    default: return nil
    }
  }

  /// Whether an earlier rest of an app at this place among the habits still holds.
  func isResting(_ rest: Rest, _ place: Int?) -> Bool {
    common.isEmpty && now < rest.until && rest.most < bar && present.isSteady(place, rest.steadiness)
  }

  /// For how long a fetch is certain to be worth too little even to join an open window: a tick if possible, otherwise
  /// only now; nil if it is not.
  private func worthless(_ timing: FetchRule.Timing, _ place: Int?) -> Rest? {
    let forecast = present.forecast(place)
    return worthless(timing, place, forecast, for: rule.settings.tick) ?? worthless(timing, place, forecast, for: .zero)
  }

  private func worthless(
    _ timing: FetchRule.Timing, _ place: Int?, _ forecast: Forecast, for span: Duration
  ) -> Rest? {
    let age = timing.age(at: now) + span
    guard age < rule.settings.neglectMax else { return nil }
    let most = FetchRule.ceiling(forecast, age: age.inSeconds / 3600, updates: timing.updates)
    return most < bar ? Rest(most: most, until: now + span, steadiness: present.steadiness(place)) : nil
  }
}
