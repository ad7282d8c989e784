/// A half hour of the day as it concerns every app: computed once for all of them.
struct HalfHour: Hashable, Sendable {
  let slot: Slot
  /// Which part of the ticks of this kind of day, and of the other kind, lie around it.
  private let share: Double
  private let otherShare: Double
  /// How many times as often as on average the person opens apps.
  private let profile: Double

  init(_ slot: Slot, of person: PersonHabits) {
    self.slot = slot
    (share, otherShare) = (person.share(of: slot), person.share(of: slot.other))
    profile = person.profile(of: slot)
  }

  /// How likely an app is to be opened within half an hour, by the time of the day alone: what it has shown at this time
  /// of such days, drawn towards what it has shown at this time of the others, and that towards its mean as the person's
  /// day has it.
  func histogram(of app: AppHabits) -> Double { histogram(app.uses, app.ticks, mean: app.mean) }

  /// The same of its parts: to copy all of an app's memory takes longer than this.
  func histogram(_ uses: [Double], _ ticks: Kinds, mean: Double) -> Double {
    let flat = min(mean * profile, 1)
    let others = slot.other.smooth { uses[$0] } / 2 + Self.strength * flat
    let prior = others / (ticks[slot.other.kind] * otherShare / 2 + Self.strength)
    return (slot.smooth { uses[$0] } + Self.strength * prior) / (ticks[slot.kind] * share + Self.strength)
  }

  /// How many ticks what is known from elsewhere is worth.
  private static let strength = 96.0
}
