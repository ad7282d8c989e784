/// A half hour of the day as it concerns every app: computed once for all of them.
struct HalfHour: Hashable, Sendable {
  private let slot: Slot
  /// Which part of the ticks of the kind of day lie around it.
  private let share: Double
  /// How many times as often as on average the person opens apps.
  private let profile: Double

  init(_ slot: Slot, of person: PersonHabits) {
    self.slot = slot
    let total = person.totals[slot.kind]
    share = total > 0 ? slot.smooth { person.ticks[$0] } / total : 0
    profile = person.profile(of: slot)
  }

  /// How likely an app is to be opened within half an hour, by the time of the day alone: what it has shown, drawn
  /// towards its mean as the person's day has it.
  func histogram(of app: AppHabits) -> Double {
    let prior = min(app.mean * profile, 1)
    return (slot.smooth { app.uses[$0] } + Self.strength * prior) / (app.ticks[slot.kind] * share + Self.strength)
  }

  /// How many ticks what is known from elsewhere is worth.
  private static let strength = 48.0
}
