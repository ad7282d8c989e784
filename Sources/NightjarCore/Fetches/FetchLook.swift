import NightjarHabits
import NightjarModel

/// When the rule has to be asked again though nothing happens. It is searched for only as far as a caller asks, since
/// mostly something happens before. The search starts from how things were when the rule was last asked, and searches
/// no time twice.
struct FetchLook: Sendable {
  /// The input of the search apart from the candidates: those are passed in, and have not changed since it was made.
  struct Basis: Sendable {
    var device: Conditions
    var budget: FetchBudget
    var isWindowOpen: Bool
    var now: FetchRule.Instant
  }

  /// The known look; the search may still find an earlier one.
  private var known: Age?
  /// The input of the search; nil once it is done, or if there is none.
  private var basis: Basis?
  /// Up to when the search has found nothing.
  private var searched: Age?

  /// No look or a known one, or an earlier one that is searched for on demand.
  init(_ known: Age? = nil, orEarlierBy basis: Basis? = nil) { (self.known, self.basis) = (known, basis) }

  /// The time of the look; nil if never, or if the search up to `limit` has found nothing.
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
