import NIOCore
import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// One reading of the steady clock and the wall clock together, to convert times of the one to the other.
struct WallAnchor: Sendable {
  private let steady: NIODeadline
  private let wall: Timestamp

  init(_ now: NIODeadline) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    steady = now
    wall = Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// The time at which it was read.
  var fetchStart: Timestamp { wall }

  func time(_ moment: NIODeadline) -> Timestamp {
    Timestamp(nanoseconds: wall.nanoseconds + (moment - steady).nanoseconds)
  }

  /// A span of a connection's making as far as it fell into this request: it may have been begun for another.
  func span(_ span: LineFacts.Span) -> ExchangeMetrics.Span? {
    if let end = span.end, end < steady { return nil }
    return ExchangeMetrics.Span(start: time(max(span.start, steady)), end: span.end.map(time))
  }
}
