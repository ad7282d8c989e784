/// A half hour of the day as it concerns every app: computed once for all of them.
struct HalfHour {
  /// The half hours that count, this one and those around it: where they lie, and their weight.
  private let slots: [(slot: Int, weight: Double)]
  private let kind: Int
  /// Which part of the ticks of the kind of day lie in them, weighed.
  private let share: Double
  /// How many times as often as on average the person opens apps.
  let profile: Double

  init(_ slot: Slot, of person: PersonHabits) {
    (slots, kind) = (slot.neighbours, slot.kind)
    let total = person.totals[slot.kind]
    share = total > 0 ? slots.reduce(0) { $0 + $1.weight * person.ticks[$1.slot] } / total : 0
    profile = person.profile(of: slot)
  }

  /// How likely an app is to be opened within half an hour, by the time of the day alone: what it has shown, drawn
  /// towards its mean as the person's day has it.
  func histogram(of app: AppHabits) -> Double {
    var seen = 0.0
    for (slot, weight) in slots { seen += weight * app.uses[slot] }
    let prior = min(app.mean * profile, 1)
    return (seen + Self.strength * prior) / (app.ticks[kind] * share + Self.strength)
  }

  /// How many ticks what is known from elsewhere is worth.
  private static let strength = 24.0
}
