public import NightjarHabits
public import NightjarModel

extension FetchRule {
  /// When the rule has to be asked again if nothing happens until then: the first tick at which a candidate is worth it, or
  /// the last that was looked at (`FetchSettings.lookMax`); nil if time alone will make no candidate worth it. Always later
  /// than now.
  ///
  /// Whatever else moves a decision is an event of its own, after which the rule is asked anyway: the device is used, the
  /// network or the power changes, a fetch ends, a person changes a setting. Only a background transfer that begins opens a
  /// window without anybody being asked: apps join it if they are decided about while it goes on. The candidates are told
  /// as they are after the decision of now has been carried out.
  ///
  /// - Parameters:
  ///   - searched: Up to when the same search has found nothing before: that is not searched again.
  ///   - limit: Whatever comes after it is left out, so that nil is the answer sooner.
  public func nextLook(
    _ candidates: [Candidate], habits: Habits, device: Conditions, budget: FetchBudget, isWindowOpen: Bool,
    at now: Instant, after searched: Age? = nil, notAfter limit: Age? = nil
  ) -> Age? {
    nextLook(
      among: candidates.lazy.map { (Prospect(app: $0.app, request: nil, candidate: $0), nil) }, habits: habits,
      device: device, budget: budget, isWindowOpen: isWindowOpen, at: now, after: searched, notAfter: limit)
  }

  /// The same for candidates that lie somewhere else than in an array of their own, since mostly none of them is looked at;
  /// each with the place where it was among the habits, as far as that is known.
  func nextLook(
    among prospects: some Sequence<(Prospect, Int?)>, habits: Habits, device: Conditions, budget: FetchBudget,
    isWindowOpen: Bool, at now: Instant, after searched: Age?, notAfter limit: Age?
  ) -> Age? {
    let pause = FetchSearch.pause(settings, at: now.age)
    guard blockers(device).isEmpty, limit.map({ $0 - now.age >= pause }) ?? true else { return nil }
    var search = FetchSearch(
      self, habits, device, budget, isWindowOpen: isWindowOpen, at: now, within: settings.lookMax)
    var (isAny, isFound) = (false, false)
    let isWhole = search.narrow(to: limit)
    if let searched { search.skip(to: searched) }
    for (prospect, hint) in prospects where prospect.candidate.blockers.isEmpty {
      let candidate = prospect.candidate
      guard let place = search.place(of: candidate, near: hint) else { continue }
      isAny = true
      if let tick = search.firstTick(for: candidate, at: place) { (search.end, isFound) = (tick, true) }
    }
    return isFound || isAny && isWhole ? search.age(ofTick: search.end) : nil
  }

  /// The search for an app's likely windows of the coming day: when it would be worth a fetch for its own sake, and again
  /// after that, if nobody touches the device. What is in its way now is taken to be gone, but for what ends at a time. One
  /// search serves as many apps as one likes.
  func comingDay(habits: Habits, device: Conditions, budget: FetchBudget, at now: Instant) -> FetchSearch {
    FetchSearch(self, habits, device, budget, isWindowOpen: false, at: now, within: .hours(24))
  }

  /// How many windows of an app are looked for.
  static var windowsMax: Int { 48 }
}
