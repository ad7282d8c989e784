public import NightjarHabits
public import NightjarModel

extension FetchRule {
  /// When the rule has to be asked again if nothing happens until then: the first tick at which a candidate is worth
  /// it, or the last that was looked at (`FetchSettings.lookMax`); nil if time alone will make no candidate worth it.
  /// Always later than now.
  ///
  /// Whatever else changes a decision is an event of its own, after which the rule is asked anyway: the device is used,
  /// the network or the power changes, a fetch ends, a person changes a setting. The exception is a background transfer
  /// that begins: it opens a window, and apps join it only if the rule is asked while it goes on. The candidates are
  /// passed in as they are once the present decision has been carried out.
  ///
  /// - Parameters:
  ///   - searched: Up to when an earlier search with the same input has found nothing: that is not searched again.
  ///   - limit: Nothing after it is searched, so that nil is returned sooner.
  public func nextLook(
    _ candidates: [Candidate], habits: Habits, device: Conditions, budget: FetchBudget, isWindowOpen: Bool,
    at now: Instant, after searched: Age? = nil, notAfter limit: Age? = nil
  ) -> Age? {
    nextLook(
      among: candidates.map { Prospects.Entry(Prospect($0)) }, habits: habits,
      device: device, budget: budget, isWindowOpen: isWindowOpen, at: now, after: searched, notAfter: limit)
  }

  /// The same for the plan's entries: apps that might be woken, each with its last known place among the habits.
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

  /// The search for apps' likely windows of the coming day: when a fetch would be worth a window of its own, and when
  /// the next, if nobody touches the device. Present obstacles are taken to be gone, except those that end at a known
  /// time. One search serves any number of apps.
  func comingDay(habits: Habits, device: Conditions, budget: FetchBudget, at now: Instant) -> FetchSearch {
    FetchSearch(self, habits, device, budget, isWindowOpen: false, at: now, within: .hours(24))
  }

  /// How many windows of an app are looked for.
  static var windowsMax: Int { 48 }
}
