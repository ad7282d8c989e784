/// A point in time with the local offset from UTC, since habits follow the clock on the wall.
public struct LocalTime: Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  public var seconds: Int64
  /// How many seconds the zone's clocks are ahead of UTC just then, daylight saving included.
  public var offset: Int64

  /// The point so many seconds after 1970, in a zone whose clocks differ from UTC by `offset` seconds.
  public init(seconds: Int64, offset: Int64 = 0) { (self.seconds, self.offset) = (seconds, offset) }

  /// Seconds that the zone's clocks show since 1970; wraps around rather than traps far out of range.
  private var shown: Int64 { seconds &+ offset }

  /// The day of the zone's calendar, counted from 1970-01-01.
  public var day: Int64 { Self.floor(shown, 86_400) }

  /// Seconds since the day began on the zone's clocks: 0 to 86 399.
  public var secondOfDay: Int64 { shown &- day &* 86_400 }

  /// Whether the day is a Saturday or a Sunday. 1970 began on a Thursday.
  public var isWeekend: Bool { Self.remainder(day, 7) == 2 || Self.remainder(day, 7) == 3 }

  /// The point so many seconds later, in the same zone.
  public func later(by seconds: Int64) -> LocalTime { LocalTime(seconds: self.seconds &+ seconds, offset: offset) }

  private static func floor(_ a: Int64, _ b: Int64) -> Int64 {
    let (quotient, rest) = a.quotientAndRemainder(dividingBy: b)
    return rest < 0 ? quotient - 1 : quotient
  }

  private static func remainder(_ a: Int64, _ b: Int64) -> Int64 { a - floor(a, b) * b }
}
