/// Holds one stream of bytes down to a rate.
///
/// A stream that was held up elsewhere gets no credit: it never exceeds the rate to catch up.
struct Pace<C: Clock> where C.Duration == Duration {
  private let bytesPerSecond: Int?
  private let clock: C
  private var free: C.Instant

  /// - Parameter bytesPerSecond: The rate; nil lets everything through at once.
  init(bytesPerSecond: Int?, clock: C) {
    precondition(bytesPerSecond.map { $0 > 0 } ?? true, "a rate of \(bytesPerSecond ?? 0) bytes a second moves nothing")
    self.bytesPerSecond = bytesPerSecond
    self.clock = clock
    self.free = clock.now
  }

  /// How many bytes to move at once: large when nothing is held back, about a tenth of a second's worth otherwise.
  var chunkSize: Int {
    guard let bytesPerSecond else { return FarmLimits.chunkSize }
    return min(max(bytesPerSecond / 10, 1), FarmLimits.chunkSize)
  }

  /// Waits until `bytes` more have had the time that they take at this rate.
  mutating func pause(after bytes: Int) async throws {
    guard let bytesPerSecond else { return }
    free = max(free, clock.now).advanced(by: .seconds(Double(bytes) / Double(bytesPerSecond)))
    try await clock.sleep(until: free, tolerance: nil)
  }
}
