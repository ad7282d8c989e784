import NightjarModel

/// The device's clocks. The world itself counts milliseconds since it began, even while the device is off.
struct Device: Sendable {
  /// Milliseconds since the world began.
  var now: Int64 = 0
  private(set) var boots = 1
  private var bootedAt: Int64
  private var slept: Int64 = 0
  private var wallOffset: Int64
  /// Milliseconds that the device was on in earlier boots.
  private var bootedBefore: Int64 = 0

  init(_ dice: inout Dice) {
    bootedAt = -dice.draw(0...10_000_000)
    wallOffset = dice.falls(200) ? 0 : 1_700_000_000_000
  }

  var moment: Moment {
    let boot = now - bootedAt
    return Moment(
      wall: Timestamp(nanoseconds: (now + wallOffset) * 1_000_000), boot: .milliseconds(boot),
      awake: .milliseconds(boot - slept), bootID: BootID("boot-\(boots)"))
  }

  /// Milliseconds that the device has been on since the world began, asleep or not.
  var uptime: Int64 { bootedBefore + now - max(bootedAt, 0) }

  /// When a boot time is reached, in the world's milliseconds.
  func time(ofBoot boot: Duration) -> Int64 {
    let floor = boot.wholeMilliseconds
    return bootedAt + (Duration.milliseconds(floor) < boot ? floor + 1 : floor)
  }

  mutating func sleep(_ span: Int64) {
    now += span
    slept += span
  }

  mutating func reboot(offFor span: Int64) {
    bootedBefore = uptime
    now += span
    (bootedAt, slept, boots) = (now, 0, boots + 1)
  }

  /// Sets the wall clock to a time.
  mutating func setWall(to wall: Timestamp) { wallOffset = wall.nanoseconds / 1_000_000 + 1 - now }

  /// Moves the wall clock, within some two hundred years of the epoch, where nanoseconds still fit.
  mutating func setWall(by span: Int64) {
    wallOffset += abs(wallOffset + span) < 6_000_000_000_000 ? span : -wallOffset
  }
}
