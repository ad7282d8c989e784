/// A point on the calendar: nanoseconds since 1970-01-01T00:00:00Z, as the machine's wall clock has it, right or wrong.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Nanoseconds since the epoch; before it they are negative.
  public let nanoseconds: Int64

  /// A point so many nanoseconds from the epoch.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// A point so many seconds from the epoch, and so many nanoseconds after that.
  ///
  /// A point before 1677 or after 2262, which nanoseconds cannot count, becomes the nearest that they can: file systems
  /// keep such dates, whoever set them.
  public init(seconds: Int64, nanoseconds rest: Int64 = 0) {
    nanoseconds = Int64(clamping: Int128(seconds) * 1_000_000_000 + Int128(rest))
  }

  /// Whether a clock that shows this may know the date. A machine without a battery for its clock begins in 1970, so
  /// nothing is measured from before 1980.
  public var isDated: Bool { seconds >= 315_532_800 }

  /// Whole seconds since the epoch, rounded down.
  public var seconds: Int64 {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? whole - 1 : whole
  }

  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }

  /// How long after another point this one lies.
  public static func - (a: Timestamp, b: Timestamp) -> Duration {
    .nanoseconds(a.nanoseconds) - .nanoseconds(b.nanoseconds)
  }
}

/// Everything the core may know about *now*.
///
/// One clock is not enough: the wall clock is set and jumps, boot time ends with the boot, and awake time stands still
/// while the machine sleeps (clock_gettime(2): `CLOCK_REALTIME`, `CLOCK_BOOTTIME`, `CLOCK_MONOTONIC`).
public struct Moment: Hashable, Sendable {
  /// The calendar's time; for people and for calendar dates only.
  public var wall: Timestamp
  /// Time since boot, which runs on in sleep.
  public var boot: Duration
  /// Time since boot without the time slept.
  public var awake: Duration
  /// The boot that ``boot`` and ``awake`` count from.
  public var bootID: BootID

  /// A moment as the four readings give it.
  public init(wall: Timestamp, boot: Duration, awake: Duration, bootID: BootID) {
    (self.wall, self.boot, self.awake, self.bootID) = (wall, boot, awake, bootID)
  }
}

/// A point in the life of one database: boot time, added up over all the boots it has seen.
///
/// It never goes back, whatever the wall clock does, and goes on from where it was after a reboot. All deadlines of
/// the core are points on this line. The time a machine was switched off does not count.
public struct Age: Hashable, Comparable, Sendable {
  /// Time since the database was made.
  public let sinceFirst: Duration

  /// A point so long after the database was made.
  public init(_ sinceFirst: Duration) { self.sinceFirst = sinceFirst }

  /// The moment the database was made.
  public static let zero = Age(.zero)

  public static func < (a: Age, b: Age) -> Bool { a.sinceFirst < b.sinceFirst }
  public static func + (a: Age, b: Duration) -> Age { Age(a.sinceFirst + b) }
  public static func - (a: Age, b: Age) -> Duration { a.sinceFirst - b.sinceFirst }
}

extension Duration {
  /// So many minutes.
  public static func minutes(_ count: Int64) -> Duration { .seconds(count * 60) }
  /// So many hours.
  public static func hours(_ count: Int64) -> Duration { .seconds(count * 3600) }
  /// So many days of 24 hours.
  public static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }

  /// Whole milliseconds, rounded towards zero, for storage and messages.
  public var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = parts
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  /// Seconds with their fraction, for display and arithmetic that may round.
  public var inSeconds: Double {
    let (seconds, attoseconds) = parts
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// Whole seconds, rounded towards zero.
  package var wholeSeconds: Int64 { parts.seconds }

  /// The same as `components`, in a quarter of the time: the library divides the long way.
  private var parts: (seconds: Int64, attoseconds: Int64) {
    let (seconds, attoseconds) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
    return (Int64(seconds), Int64(attoseconds))
  }
}
