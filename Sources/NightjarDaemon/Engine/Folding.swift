import NightjarCore
import NightjarModel

/// When the database's log is folded back, so that the credentials of transfers that are gone leave the disk, too.
///
/// Once for all that go within a minute, since it keeps the disk and the engine busy for some milliseconds. Nothing wakes a
/// daemon that has nothing to forget. All times are readings of `Moment.boot`.
struct Folding {
  /// When it is to be done; nil for never.
  private(set) var due: Duration?

  func isDue(at boot: Duration) -> Bool { due.map { $0 <= boot } ?? false }

  /// Takes in what was committed.
  mutating func note(_ changes: Changes, at boot: Duration) {
    if changes.forgetsCredentials { due = min(due ?? .seconds(Int64.max), boot + Self.delay) }
  }

  /// Notes that it was tried. A disk that refuses is asked again in an hour, or with the next that have gone.
  mutating func settle(_ isDone: Bool, at boot: Duration) { due = isDone ? nil : boot + Self.delayAfterFailure }

  private static let delay = Duration.minutes(1)
  private static let delayAfterFailure = Duration.hours(1)
}
