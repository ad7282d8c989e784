import CNightjarSpawn
import Glibc
import Synchronization

/// Notices that the wall clock was set, and that the machine has slept (timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`).
///
/// The kernel cancels such a timer when it moves the wall clock against the clock that stands still in sleep, which it
/// also does on waking. The clock that runs on in sleep tells which of the two it was. So sleep is noticed without
/// logind and without polling.
public final class ClockWatch: Sendable {
  /// What happened to the clocks.
  public enum Change: Hashable, Sendable {
    /// The machine slept so long.
    case woke(after: Duration)
    /// The wall clock was set.
    case wasSet
  }

  private let lookout: Lookout
  private let watch: Lookout.Watch

  /// Calls `report` on the lookout's thread after each change.
  public init(lookout: Lookout, report: @escaping @Sendable (Change) -> Void) throws(PlatformError) {
    let timer = try Lookout.descriptor(nightjar_clock_watch(), "timerfd_create")
    let slept = Slept()
    self.lookout = lookout
    watch = try lookout.watch(timer, for: .readable) {
      if nightjar_clock_was_set(timer.number) { report(slept.change()) }
    }
  }

  deinit { lookout.cancel(watch) }

  /// How long the machine has slept since it was started, as it was last known.
  private final class Slept: Sendable {
    private static let least = Duration.seconds(1)  // The two clocks are not read at one moment.
    private let last = Mutex(Clocks.asleep())

    func change() -> Change {
      let now = Clocks.asleep()
      let span = last.withLock { last in
        defer { last = now }
        return now - last
      }
      return span > Self.least ? .woke(after: span) : .wasSet
    }
  }
}
