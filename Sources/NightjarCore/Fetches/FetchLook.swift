import NightjarHabits
import NightjarModel

/// When the rule has to be asked again though nothing happens, which is searched for only as far as somebody asks: mostly
/// something happens before. What the search goes by is as it was when the rule was asked last; no time is searched twice.
struct FetchLook: Sendable {
  /// What the search goes by, beside the candidates: those are told when it is made, and have not changed since then.
  struct Basis: Sendable {
    var device: Conditions
    var budget: FetchBudget
    var isWindowOpen: Bool
    var now: FetchRule.Instant
  }

  /// What is known of it: nothing is to be looked at before that but what the search finds.
  private var known: Age?
  /// What has to be searched; nil once it was, or for nothing.
  private var basis: Basis?
  /// Up to when it was searched in vain.
  private var searched: Age?

  /// No look, or a known one, or an earlier one that is found when somebody asks.
  init(_ known: Age? = nil, orEarlierBy basis: Basis? = nil) { (self.known, self.basis) = (known, basis) }

  /// When it is; nil if never, or if the search up to then has found nothing.
  mutating func time(
    notAfter limit: Age?, _ rule: FetchRule, _ habits: Habits, _ candidates: [Prospects.Entry]
  ) -> Age? {
    guard let basis else { return known }
    let end = earliest(limit, known)
    if let end, let searched, end <= searched { return nil }
    let found = rule.nextLook(
      among: candidates, habits: habits, device: basis.device, budget: basis.budget, isWindowOpen: basis.isWindowOpen,
      at: basis.now, after: searched, notAfter: end)
    guard found != nil || end == known else {
      searched = end
      return nil
    }
    (known, self.basis) = (found ?? known, nil)
    return known
  }
}
