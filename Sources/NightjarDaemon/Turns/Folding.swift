import NightjarCore
import NightjarModel

/// When the database's log is checkpointed, so that the credentials of removed transfers leave the disk, too.
///
/// It is done once for all transfers that are removed within a minute, since it keeps the disk and the loop busy for
/// some milliseconds. A daemon that has nothing to forget is not woken. All times are readings of `Moment.boot`.
struct Folding {
  /// When it is to be done; nil for never.
  private(set) var due: Duration?

  func isDue(at boot: Duration) -> Bool { due.map { $0 <= boot } ?? false }

  /// Notes what was committed.
  mutating func note(_ changes: Changes, at boot: Duration) {
    if changes.forgetsCredentials { due = min(due ?? .seconds(Int64.max), boot + Self.delay) }
  }

  /// Notes an attempt. If it failed, the next one is in an hour, or when more credentials are to be forgotten.
  mutating func settle(_ isDone: Bool, at boot: Duration) { due = isDone ? nil : boot + Self.delayAfterFailure }

  private static let delay = Duration.minutes(1)
  private static let delayAfterFailure = Duration.hours(1)
}
