/// The time that back-off and rates are measured with: it never goes back, and counts from anywhere.
public struct Timepiece: Sendable {
  /// Time since some moment.
  public var now: @Sendable () -> Duration
  /// Waits.
  public var sleep: @Sendable (Duration) async throws -> Void

  /// A timepiece of these hands.
  public init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    (self.now, self.sleep) = (now, sleep)
  }

  /// The machine's own.
  public static func ofThisMachine() -> Timepiece {
    let (clock, start) = (ContinuousClock(), ContinuousClock.now)
    return Timepiece(now: { start.duration(to: clock.now) }, sleep: { try await clock.sleep(for: $0) })
  }
}
