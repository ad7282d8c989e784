import Glibc

/// How the kernel chooses when threads run (sched(7)).
public enum Scheduling {
  /// Has this thread, and those that it makes from now on, interrupt no others when they are woken (`SCHED_BATCH`):
  /// neither a person's programs nor each other, so that each finishes what it has in hand and the next finds more to
  /// do at once. Without effect where another policy than the usual one was chosen.
  ///
  /// - Returns: Whether that was done.
  public static func beginBatch() -> Bool { sched_getscheduler(0) == SCHED_OTHER && set(batch) }

  /// Has this thread, and those that it makes from now on, scheduled as usual.
  @discardableResult
  static func endBatch() -> Bool { set(SCHED_OTHER) }

  private static func set(_ policy: Int32) -> Bool {
    var priority = sched_param()
    return sched_setscheduler(0, policy, &priority) == 0
  }

  /// `SCHED_BATCH` of linux/sched.h.
  private static let batch: Int32 = 3
}
