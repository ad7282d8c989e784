import Glibc
public import NightjarModel

/// The machine's clocks (clock_gettime(2)): the one place that reads them.
public struct Clocks: Sendable {
  private let bootID: BootID

  /// Reads which boot this is, once.
  public init() throws(PlatformError) {
    let path = "/proc/sys/kernel/random/boot_id"
    guard let line = Disk.text(of: path)?.split(separator: "\n").first else {
      throw .system("cannot read \(path); is /proc mounted?")
    }
    bootID = BootID(String(line))
  }

  /// What the four clocks say now.
  public func now() -> Moment {
    let wall = Self.reading(of: CLOCK_REALTIME)
    let awake = Self.reading(of: CLOCK_MONOTONIC)  // Before boot time, which it never exceeds.
    return Moment(
      wall: Timestamp(nanoseconds: Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec)),
      boot: Self.boot(), awake: Self.duration(awake),
      bootID: bootID)
  }

  /// How long the machine has slept since it was started.
  static func asleep() -> Duration { duration(reading(of: CLOCK_BOOTTIME)) - duration(reading(of: CLOCK_MONOTONIC)) }

  static func boot() -> Duration { duration(reading(of: CLOCK_BOOTTIME)) }

  private static func reading(of clock: clockid_t) -> timespec {
    var time = timespec()
    let result = clock_gettime(clock, &time)
    precondition(result == 0, "clock \(clock) cannot be read")
    return time
  }

  private static func duration(_ time: timespec) -> Duration {
    .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
