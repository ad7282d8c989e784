import CNightjarSpawn

/// Notices that the wall clock was set (timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`).
public final class ClockWatch: Sendable {
  private let lookout: Lookout
  private let watch: Lookout.Watch

  /// Calls `report` on the lookout's thread after each time the clock was set.
  public init(lookout: Lookout, report: @escaping @Sendable () -> Void) throws(PlatformError) {
    let timer = try Lookout.descriptor(nightjar_clock_watch(), "timerfd_create")
    self.lookout = lookout
    watch = try lookout.watch(timer, for: .readable) {
      if nightjar_clock_was_set(timer.number) { report() }
    }
  }

  deinit { lookout.cancel(watch) }
}
