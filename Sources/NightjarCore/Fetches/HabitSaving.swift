import NightjarModel

/// When learned habits are made durable: not at each visit, since all of them are written at once. What is new in kind
/// (an app, or that something was forgotten) is saved at once, everything else once an hour. So a crash costs at most
/// an hour's learning.
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

  /// Makes the next save urgent: the daemon ends, and nothing may be lost.
  mutating func hurry() { isUrgent = true }

  /// Whether to save now; then it counts as saved.
  mutating func isDue(at now: Age) -> Bool {
    guard isOwed, isUrgent || now - savedAt >= interval else { return false }
    (savedAt, isOwed, isUrgent) = (now, false, false)
    return true
  }
}
