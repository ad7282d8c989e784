import NIOCore

/// Tells whether a request with a body is still on its way: the kernel takes what a slow link then carries for minutes.
///
/// On a connection that requests share, bytes of others arrive, too. So only those count that were handed over before
/// the end of this request; what waits for the server's leave there is not handed over.
struct Travel {
  /// Up to where the connection's bytes count as the request's.
  private var goal: UInt64 = 0
  /// How far they had arrived when they were last looked at.
  private var seen: UInt64 = 0

  /// Whether any of its bytes may still arrive.
  var isUnderWay: Bool { seen < goal }

  /// The request begins.
  mutating func begins(_ line: LineProgress, isOwnLine: Bool) {
    (goal, seen) = (isOwnLine ? .max : 0, line.acknowledged)
  }

  /// Its last byte was handed over.
  mutating func allHasLeft(_ line: LineProgress) { (goal, seen) = (line.handedOver, line.acknowledged) }

  /// How long ago bytes of the request arrived, if any have since the last look.
  mutating func arrived(_ line: LineProgress) -> TimeAmount? {
    guard isUnderWay, line.acknowledged > seen else { return nil }
    seen = line.acknowledged
    return isUnderWay ? .zero : line.quiet
  }
}
