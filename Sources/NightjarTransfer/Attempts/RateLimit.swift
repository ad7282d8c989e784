import NIOCore
import Synchronization

/// A bound on bytes per second that any number of transfers share.
///
/// A transfer that has moved bytes books the time that they take at this rate, behind all time that is booked already,
/// and moves nothing before that time is over. So the transfers take turns, each gets as much as it asks for at a turn,
/// none reads a clock in between, and a pause of up to ``grace`` may be made up for.
final class RateLimit: Sendable {
  private let nanosecondsPerByte: Double
  private let booked = Mutex(NIODeadline.uptimeNanoseconds(0))

  private static let grace = TimeAmount.milliseconds(100)

  init(bytesPerSecond: Int64) { nanosecondsPerByte = 1e9 / Double(max(bytesPerSecond, 1)) }

  /// Books so many bytes, and returns the time until which nothing more may move.
  func book(_ count: Int, at now: NIODeadline) -> NIODeadline {
    let cost = TimeAmount.nanoseconds(Int64(min(Double(count) * nanosecondsPerByte, 1e15)))
    return booked.withLock { booked in
      booked = max(booked, now - Self.grace) + cost
      return booked
    }
  }

  /// Until when all time is booked.
  var bookedUntil: NIODeadline { booked.withLock { $0 } }

  /// What one read or piece may hold at a rate: an eighth of a second's worth, so that turns are short.
  static func turnSize(at rate: Int64?, atMost size: Int) -> Int {
    guard let rate else { return size }
    return min(max(Int(clamping: rate / 8), 4 << 10), size)
  }
}
