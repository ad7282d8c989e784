/// How a place sets its clocks: its offset from UTC, and when that changes.
///
/// A fact that is handed in: the core knows no time zones of its own.
public struct ZoneRules: Hashable, Sendable {
  /// A moment from which clocks are set differently.
  public struct Change: Hashable, Sendable {
    /// When, in seconds since 1970 in UTC.
    public var at: Int64
    /// How many seconds the clocks are ahead of UTC from then on.
    public var offset: Int64

    /// A change at a moment.
    public init(at: Int64, offset: Int64) { (self.at, self.offset) = (at, offset) }
  }

  /// The zone's name, such as `Europe/Berlin`; for people.
  public var name: String
  /// How many seconds the clocks are ahead of UTC before the first change.
  public var offset: Int64
  /// The changes, earliest first.
  public var changes: [Change]

  /// A zone with these rules.
  public init(name: String, offset: Int64, changes: [Change] = []) {
    (self.name, self.offset, self.changes) = (name, offset, changes)
  }

  /// Coordinated universal time.
  public static let utc = ZoneRules(name: "UTC", offset: 0)

  /// How many seconds the clocks are ahead of UTC at a moment.
  public func offset(at time: Timestamp) -> Int64 { offset(atSecond: time.seconds) }

  /// What the clocks show at a moment, whole milliseconds.
  public func reading(at time: Timestamp) -> ClockReading {
    ClockReading(milliseconds: time.milliseconds + offset(at: time) * 1000)
  }

  /// When the clocks show this; of two such moments the first. A reading that is skipped when clocks are set forward
  /// counts as if they had not been.
  public func time(of reading: ClockReading) -> Timestamp {
    let (local, rest) = reading.milliseconds.quotientAndRemainder(flooredBy: 1000)
    // No clock is further from UTC than a day, so one of these offsets counts.
    let near = changeCount(upToSecond: local - Self.day)...changeCount(upToSecond: local + Self.day)
    let shown = near.lazy.map { local - offset(afterChanges: $0) }.filter { $0 + offset(atSecond: $0) == local }
    return Timestamp(milliseconds: (shown.min() ?? secondSkipped(showing: local, near)) * 1000 + rest)
  }

  /// The second at which the clocks would have shown a reading that they skip when they are set forward.
  private func secondSkipped(showing local: Int64, _ near: ClosedRange<Int>) -> Int64 {
    let skipping = near.dropLast().first { count in
      let change = changes[count]
      return change.at + offset(afterChanges: count) <= local && local < change.at + change.offset
    }
    return local - offset(afterChanges: skipping ?? near.lowerBound)
  }

  /// The first change after a moment, always later than it; nil if there is none in the years that calendars here
  /// cover.
  public func nextChange(after time: Timestamp) -> Timestamp? {
    let count = changeCount(upToSecond: time.seconds)
    guard count < changes.count, changes[count].at <= Timestamp.onCalendar.upperBound.seconds else { return nil }
    return Timestamp(seconds: changes[count].at)
  }

  private func offset(atSecond second: Int64) -> Int64 {
    offset(afterChanges: changeCount(upToSecond: second))
  }

  private func offset(afterChanges count: Int) -> Int64 { count == 0 ? offset : changes[count - 1].offset }

  /// How many of the changes have come by a second.
  private func changeCount(upToSecond second: Int64) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].at <= second { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static let day: Int64 = 86_400
}

extension Timestamp {
  /// A point so many milliseconds from the epoch, or the nearest that nanoseconds can count.
  public init(milliseconds: Int64) { self.init(nanoseconds: Int64(clamping: Int128(milliseconds) * 1_000_000)) }

  /// Whole milliseconds since the epoch, rounded down.
  public var milliseconds: Int64 { nanoseconds.quotientAndRemainder(flooredBy: 1_000_000).quotient }

  /// The times that calendars here cover: the years 1900 to 2199.
  public static let onCalendar = Timestamp(seconds: -2_208_988_800)...Timestamp(seconds: 7_258_118_399)
}
