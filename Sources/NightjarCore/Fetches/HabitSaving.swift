import NightjarModel

/// When what was learned of habits is made durable: not at each visit, since all of it is written at once. What is new in
/// kind (an app, or that something was forgotten) is saved at once, everything else once an hour; so a crash costs what was
/// learned since the last save, which is an hour's learning at the most.
struct HabitSaving: Sendable {
  private let interval: Duration
  private var savedAt: Age
  private var isOwed = false
  private var isUrgent = false

  init(_ limits: Limits, at now: Age) { (interval, savedAt) = (limits.habitsSaveInterval, now) }

  /// Something was learned, which may be lost unless it is urgent.
  mutating func learned(isUrgent: Bool = false) {
    isOwed = true
    self.isUrgent = self.isUrgent || isUrgent
  }

  /// Nothing is to be lost any more: the daemon ends.
  mutating func hurry() { isUrgent = true }

  /// Whether to save now; then it counts as saved.
  mutating func isDue(at now: Age) -> Bool {
    guard isOwed, isUrgent || now - savedAt >= interval else { return false }
    (savedAt, isOwed, isUrgent) = (now, false, false)
    return true
  }
}
