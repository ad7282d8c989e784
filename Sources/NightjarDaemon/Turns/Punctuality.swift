import NightjarModel

/// Whether the daemon is there when its alarm rings.
///
/// Nobody tells a process that it was stopped for a while, by SIGSTOP or with its cgroup, or got no processor time. It
/// is late for its alarm then. Apps and attempts have not been late, but nobody has heard them.
struct Punctuality {
  /// The moment by which deadlines were last right, and the reading of `Moment.boot` at which the alarm rings after it.
  private var last: (moment: Moment, alarm: Duration)?

  /// Notes a turn by whose moment all deadlines are right, and when the alarm rings next.
  mutating func note(_ moment: Moment, alarm: Duration) { last = (moment, alarm) }

  /// Since when the daemon has stood still; nil if it has not. When after its last turn it was stopped is not known:
  /// what is owed rather gets too much time than too little, and at most as much again as it had left.
  ///
  /// Lateness is told by the clock that stands still in sleep, since the alarm does not wake the machine.
  func standstill(at now: Moment) -> Moment? {
    guard let last else { return nil }
    let expected = max(last.alarm - last.moment.boot, .zero)
    let late = now.awake - last.moment.awake - expected
    return late >= Self.lateMin ? last.moment : nil
  }

  /// A daemon that is later than this has stood still; on a busy machine it is late by less.
  private static let lateMin = Duration.seconds(5)
}
