/// The monotonic clock for back-off and rates; its zero is arbitrary.
public struct Timepiece: Sendable {
  /// The time since an arbitrary moment.
  public var now: @Sendable () -> Duration
  /// Waits.
  public var sleep: @Sendable (Duration) async throws -> Void

  /// A timepiece of these functions.
  public init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    (self.now, self.sleep) = (now, sleep)
  }

  /// The machine's own.
  public static func ofThisMachine() -> Timepiece {
    let (clock, start) = (ContinuousClock(), ContinuousClock.now)
    return Timepiece(now: { start.duration(to: clock.now) }, sleep: { try await clock.sleep(for: $0) })
  }
}
