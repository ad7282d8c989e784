public import NightjarHabits
public import NightjarModel

extension FetchRule {
  /// When the rule has to be asked again if nothing happens until then: the first tick at which a candidate may be worth
  /// it, and nil if none will be within a day. Always later than now.
  ///
  /// Whatever else moves a decision is an event of its own, after which the rule is asked anyway: the device is used, the
  /// network or the power changes, a fetch ends, a person changes a setting. The candidates are told as they are after the
  /// decision of now has been carried out.
  public func nextLook(
    _ candidates: [Candidate], habits: Habits, device: Conditions, budget: FetchBudget, isWindowOpen: Bool,
    at now: Instant
  ) -> Age? {
    guard blockers(device).isEmpty else { return nil }
    var search = FetchSearch(self, habits, device, budget, isWindowOpen: isWindowOpen, at: now)
    var found: Age?
    for candidate in candidates where candidate.blockers.isEmpty {
      guard let tick = search.ticks(for: candidate, max: 1).first else { continue }
      search.end = tick
      found = search.age(ofTick: tick)
    }
    return found
  }

  /// The coming day's likely windows of one app: when it would be worth a fetch for its own sake, and again after that, if
  /// nobody touches the device. What is in its way now is taken to be gone, but for what ends at a time.
  public func windows(
    of candidate: Candidate, habits: Habits, device: Conditions, budget: FetchBudget, at now: Instant, max: Int = 48
  ) -> [Age] {
    let search = FetchSearch(self, habits, device, budget, isWindowOpen: false, at: now)
    return search.ticks(for: candidate, max: max).map { search.age(ofTick: $0) }
  }
}
