extension Habits {
  /// Learns what the ticks up to this time have shown. Every other call does so, too.
  public mutating func advance(to time: LocalTime) {
    defer { latest = time }
    let end = lived(at: time)
    let attention = min(end, max(active, openUntil) + Self.attentionMax)
    var tick = (lived / Self.tick + 1) * Self.tick
    while tick <= attention {
      learn(tick: tick, at: time.later(by: tick - end))
      tick += Self.tick
    }
    if tick <= end { loseTrack() }
    lived = end
  }

  /// Takes one tick: learns what the tick of half an hour ago has led to, and notes how things stand for later.
  private mutating func learn(tick: Int64, at time: LocalTime) {
    lived = tick
    revision.advance()
    let slot = UInt8(truncatingIfNeeded: recentSlots >> Self.oldest)
    let state = UInt8(truncatingIfNeeded: recentActivity >> Self.oldest)
    let now = Slot(time)
    if slot > 0 { learnAll(slot: Slot(index: Int(slot) - 1), activity: Int(state) - 1) }
    note(now)
    weight *= Self.growth
    if weight > Self.weightMax { rescale() }
  }

  private mutating func note(_ slot: Slot) {
    recentSlots = recentSlots << 8 | UInt64(slot.index + 1)
    recentActivity = recentActivity << 8 | UInt64(Activity.step(idle(at: lived)) + 1)
    for place in apps.indices { apps[place].note(at: lived) }
  }

  /// Learns from the tick of half an hour ago: which apps have been opened since, compared to what was expected.
  private mutating func learnAll(slot: Slot, activity: Int) {
    let halfHour = halfHour(slot)
    let began = lived - Self.horizon
    var hours = Evidence()
    var all = Evidence()
    for place in apps.indices {
      guard let step = apps[place].step(notedBefore: Self.oldest) else { continue }
      let seen = apps[place].opened > began ? weight : 0
      let (mean, byHour, ratio) = expectation(place, halfHour, step)
      hours += Evidence(seen: seen, expected: mean * weight)
      all += Evidence(seen: seen, expected: byHour * ratio * weight)
      let gap = Evidence(seen: seen, expected: byHour * weight)
      apps[place].learn(slot: slot, step: step, gap, weight: weight)
      person.gaps[step] += gap
    }
    person.profile[slot.index] += hours
    person.activity[activity] += all
    person.ticks[slot.index] += weight
    person.totals[slot.kind] += weight
  }

  /// How likely an app is to be opened at any time, how likely by the time of the day, and how many times as likely by
  /// the time since its use.
  func expectation(
    _ place: Int, _ halfHour: HalfHour, _ step: Int
  ) -> (mean: Double, histogram: Double, hazard: Double) {
    let prior = person.hazard(ofStep: step, weight: weight)
    let ticks = apps[place].ticks
    let mean = AppHabits.mean(apps[place].total, ticks, weight)
    let histogram = halfHour.histogram(apps[place].uses, ticks, mean: mean)
    return (mean, histogram, apps[place].gaps[step].ratio(prior: prior, strength: Self.gapStrength * weight))
  }

  /// How long ago the device was in use.
  func idle(at time: Int64) -> Int64 { max(0, time - max(active, min(openUntil, time))) }

  /// Drops what was noted at recent ticks: the device was not used for days, or the clock has jumped.
  private mutating func loseTrack() {
    (recentSlots, recentActivity) = (0, 0)
    for place in apps.indices { apps[place].recent = 0 }
  }

  private mutating func rescale() {
    let factor = 1 / weight
    for place in apps.indices { apps[place].scale(by: factor) }
    person.scale(by: factor)
    weight = 1
  }

  static let tick: Int64 = 300
  static let horizon: Int64 = 1800
  /// The bit offset of the tick of half an hour ago among those that are noted.
  private static let oldest = (horizon / tick - 1) * 8
  /// How long after the device's last use its idleness is still learned from.
  static let attentionMax: Int64 = 72 * 3600
  /// The longest time that is believed to have passed between two calls.
  static let jumpMax: Int64 = 400 * 86_400
  static let gapStrength = 30.0
  static let weightMax = 1e6
  /// By how much evidence gains weight from tick to tick, so that it doubles in 14 days.
  static let growth = 1 / Curves.left(after: Double(tick), halfLife: 14 * 86_400)
}

extension AppHabits {
  /// Notes the step in which a tick finds the app.
  fileprivate mutating func note(at lived: Int64) {
    recent = recent << 8 | (isInUse(at: lived) ? 0 : UInt64(Gap.step(pause(at: lived)) + 1))
  }

  /// The step that was noted so many bits ago; nil where nothing is to be learned.
  fileprivate func step(notedBefore bits: Int64) -> Int? {
    let noted = Int(UInt8(truncatingIfNeeded: recent >> bits))
    return noted > 0 ? noted - 1 : nil
  }

  fileprivate mutating func learn(slot: Slot, step: Int, _ gap: Evidence, weight: Double) {
    uses[slot.index] += gap.seen
    total += gap.seen
    ticks[slot.kind] += weight
    gaps[step] += gap
  }
}
