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
      among: candidates.map { Prospects.Entry(Prospect($0)) }, habits: habits,
      device: device, budget: budget, isWindowOpen: isWindowOpen, at: now, after: searched, notAfter: limit)
  }

  /// The same for apps as the plan has them: those that might be woken, each with the place where it was among the habits, as
  /// far as that is known.
  func nextLook(
    among entries: [Prospects.Entry], habits: Habits, device: Conditions, budget: FetchBudget,
    isWindowOpen: Bool, at now: Instant, after searched: Age?, notAfter limit: Age?
  ) -> Age? {
    let pause = FetchSearch.pause(settings, at: now.age)
    guard blockers(device).isEmpty, limit.map({ $0 - now.age >= pause }) ?? true else { return nil }
    var search = FetchSearch(
      self, habits, device, budget, isWindowOpen: isWindowOpen, at: now, within: settings.lookMax, notAfter: limit)
    if let searched { search.skip(to: searched) }
    return firstTick(among: entries, search)
  }

  private func firstTick(among entries: [Prospects.Entry], _ search: FetchSearch) -> Age? {
    var (isAny, isFound, end) = (false, false, search.end)
    for index in entries.indices {
      guard let prospect = entries[index].prospect, prospect.isFree,
        let place = search.place(of: prospect, near: entries[index].place)
      else { continue }
      isAny = true
      if let tick = search.firstTick(for: prospect.timing, at: place, before: end) { (end, isFound) = (tick, true) }
    }
    return isFound || isAny && search.isWhole ? search.age(ofTick: end) : nil
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
