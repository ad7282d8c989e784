import CNightjarSpawn

/// Rings once at a point of boot time, also when the machine slept across it (timerfd_create(2), `CLOCK_BOOTTIME`).
///
/// It does not wake the machine from sleep.
public final class Alarm: Sendable {
  private let timer: Descriptor
  private let lookout: Lookout
  private let watch: Lookout.Watch

  /// An alarm that is off. `ring` is called on the lookout's thread.
  public init(lookout: Lookout, ring: @escaping @Sendable () -> Void) throws(PlatformError) {
    let timer = try Lookout.descriptor(nightjar_timer(), "timerfd_create")
    (self.timer, self.lookout) = (timer, lookout)
    watch = try lookout.watch(timer, for: .readable) {
      // If it was set anew since, there is nothing to read, and it will ring again.
      if nightjar_timer_rang(timer.number) { ring() }
    }
  }

  deinit { lookout.cancel(watch) }

  /// Sets the alarm to a time from now.
  func set(after delay: Duration) { set(at: Clocks.boot() + delay) }

  /// Sets the alarm to a reading of `Moment.boot` in place of the earlier one; a past one rings at once, nil never.
  public func set(at boot: Duration?) {
    // All zero would mean off.
    let (seconds, attoseconds) = boot.map { max($0, .nanoseconds(1)).components } ?? (0, 0)
    let result = nightjar_timer_set(timer.number, seconds, attoseconds / 1_000_000_000)
    precondition(result == 0, "timerfd_settime: \(-result)")
  }
}
