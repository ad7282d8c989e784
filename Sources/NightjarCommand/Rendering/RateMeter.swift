/// Bytes per second over the last few seconds.
struct RateMeter: Hashable, Sendable {
  private struct Sample: Hashable, Sendable {
    var time: Duration
    var count: Int64
  }

  private static let window = Duration.seconds(8)
  private static let spacing = Duration.milliseconds(250)
  private var samples: [Sample] = []  // At most one more than window / spacing.

  /// Notes a byte count. A lower count than before restarts the meter: the transfer began again.
  mutating func note(_ count: Int64, at time: Duration) {
    if let last = samples.last, count < last.count { samples = [] }
    while samples.count > 1, time - samples[1].time >= Self.window { samples.removeFirst() }
    if samples.count > 1, let last = samples.last, last.time - samples[samples.count - 2].time < Self.spacing {
      samples.removeLast()
    }
    samples.append(Sample(time: time, count: count))
  }

  /// The rate, which falls while nothing comes; nil for the first half second.
  func bytesPerSecond(at time: Duration) -> Double? {
    guard let first = samples.first, let last = samples.last else { return nil }
    let span = time - first.time
    guard span >= .milliseconds(500) else { return nil }
    return Double(last.count - first.count)
      / (Double(span.components.seconds) + Double(span.components.attoseconds) / 1e18)
  }
}
