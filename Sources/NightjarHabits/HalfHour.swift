/// A half hour of the day as it concerns every app: computed once for all of them.
struct HalfHour: Hashable, Sendable {
  let slot: Slot
  /// The share of the ticks of this kind of day, and of the other kind, that lie around it.
  private let share: Double
  private let otherShare: Double
  /// How often the person opens apps in it, compared to the average.
  private let profile: Double
  /// How many ticks prior knowledge weighs, in the weight of new evidence.
  private let strength: Double

  init(_ slot: Slot, of person: PersonHabits, weight: Double) {
    (self.slot, strength) = (slot, Self.strength * weight)
    (share, otherShare) = (person.share(of: slot), person.share(of: slot.other))
    profile = person.profile(of: slot, weight: weight)
  }

  /// How likely an app is to be opened within half an hour, by the time of the day alone: what it has shown at this
  /// time of such days, drawn towards what it has shown at this time of the other days, and that towards its mean,
  /// scaled by the person's day.
  ///
  /// It takes the parts, since copying all of an app's habits would take longer than this.
  func histogram(_ uses: [Double], _ ticks: Kinds, mean: Double) -> Double {
    let flat = min(mean * profile, 1)
    let others = slot.other.smooth { uses[$0] } / 2 + strength * flat
    let prior = others / (ticks[slot.other.kind] * otherShare / 2 + strength)
    return (slot.smooth { uses[$0] } + strength * prior) / (ticks[slot.kind] * share + strength)
  }

  private static let strength = 96.0
}
