/// What is learned of the person from all apps together; it fills in where a single app has shown too little.
struct PersonHabits: Hashable, Sendable {
  /// Ticks that were seen in each half hour.
  var ticks = [Double](repeating: 0, count: Slot.count)
  /// The sums of ``ticks``, on weekdays and at weekends.
  var totals = [0.0, 0.0]
  /// How much more often apps are opened in each half hour than on the average of the day.
  var profile = [Evidence](repeating: Evidence(), count: Slot.count)
  /// For each step of time since an app's last use: how much more often it is opened than by the time of the day alone.
  var gaps = [Evidence](repeating: Evidence(), count: Gap.count)
  /// For each step of time since the device was in use: how much more often apps are opened than by all of that.
  var activity = [Evidence](repeating: Evidence(), count: Activity.count)

  mutating func scale(by factor: Double) {
    for slot in ticks.indices { ticks[slot] *= factor }
    for kind in totals.indices { totals[kind] *= factor }
    for slot in profile.indices { profile[slot].scale(by: factor) }
    for step in gaps.indices { gaps[step].scale(by: factor) }
    for step in activity.indices { activity[step].scale(by: factor) }
  }

  /// The share of the ticks of a kind of day that lie around a half hour of it.
  func share(of slot: Slot) -> Double {
    totals[slot.kind] > 0 ? slot.smooth { ticks[$0] } / totals[slot.kind] : 0
  }

  /// How often apps are opened in this half hour, compared to the average; `weight` is that of new evidence. Each kind
  /// of day is drawn towards both together.
  func profile(of slot: Slot, weight: Double) -> Double {
    let strength = Self.profileStrength * weight
    let own = evidence(around: slot)
    var both = own
    both += evidence(around: slot.other)
    return own.ratio(prior: both.ratio(prior: 1, strength: strength), strength: strength)
  }

  /// The factor for the time since an app's last use, for any app.
  func hazard(ofStep step: Int, weight: Double) -> Double {
    gaps[step].ratio(prior: 1, strength: Self.gapStrength * weight)
  }

  /// The factor for the time since the device was in use.
  func activity(ofStep step: Int, weight: Double) -> Double {
    activity[step].ratio(prior: 1, strength: Self.activityStrength * weight)
  }

  private func evidence(around slot: Slot) -> Evidence {
    Evidence(seen: slot.smooth { profile[$0].seen }, expected: slot.smooth { profile[$0].expected })
  }

  private static let profileStrength = 12.0
  private static let gapStrength = 12.0
  private static let activityStrength = 12.0
}
