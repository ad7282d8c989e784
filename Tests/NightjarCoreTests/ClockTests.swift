import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `The device's clock` {
  private func moment(_ boot: Int64, wall: Int64 = 0, in bootID: String = "a") -> Moment {
    let boot = Duration.seconds(boot)
    return Moment(wall: Timestamp(seconds: wall), boot: boot, awake: boot, bootID: BootID(bootID))
  }

  @Test func `counts boot time, whatever the wall clock does`() {
    var clock = DeviceClock(at: moment(1000, wall: 0))

    let jumped = clock.age(at: moment(1010, wall: 1_577_880_000))
    let back = clock.age(at: moment(1020, wall: -1_577_880_000))

    #expect(jumped == Age(.seconds(10)))
    #expect(back == Age(.seconds(20)))
  }

  @Test func `goes on from where it was after a reboot`() {
    var clock = DeviceClock(at: moment(1000))
    _ = clock.age(at: moment(1500))

    let reborn = clock.age(at: moment(3, in: "b"))
    let later = clock.age(at: moment(13, in: "b"))

    #expect(reborn == Age(.seconds(503)))
    #expect(later == Age(.seconds(513)))
    #expect(clock.bootTime(of: Age(.seconds(523))) == .seconds(23))
  }

  @Test func `never goes back`() {
    var clock = DeviceClock(at: moment(1000))
    _ = clock.age(at: moment(1500))

    let earlier = clock.age(at: moment(1400))

    #expect(earlier == Age(.seconds(500)))
  }

  @Test func `is the same when it is saved and loaded`() {
    var clock = DeviceClock(at: moment(1000))
    _ = clock.age(at: moment(1500))

    var loaded = DeviceClock(bootID: clock.bootID, offset: clock.offset, latest: clock.latest)

    #expect(loaded.age(at: moment(1600)) == clock.age(at: moment(1600)))
  }
}

@Suite struct `A point on the calendar` {
  @Test(
    arguments: [
      (9_223_372_036, 854_775_806, 9_223_372_036_854_775_806), (9_223_372_036, 854_775_807, .max),
      (9_223_372_036, 854_775_808, .max), (9_300_000_000, 0, .max), (.max, 999_999_999, .max),
      (-9_223_372_037, 145_224_193, -9_223_372_036_854_775_807), (-9_223_372_037, 145_224_192, .min),
      (-9_223_372_037, 145_224_191, .min), (.min, 0, .min), (-1, 999_999_999, -1), (0, 0, 0),
    ] as [(Int64, Int64, Int64)])
  func `beyond what nanoseconds can count is the farthest that they can`(
    seconds: Int64, rest: Int64, nanoseconds: Int64
  ) {
    #expect(Timestamp(seconds: seconds, nanoseconds: rest).nanoseconds == nanoseconds)
  }
}

@Suite struct `A wait after failures` {
  private let policy = RetryPolicy(delayMin: .seconds(1), delayMax: .minutes(10))

  @Test(arguments: [0, 1, 2, 5, 10, 11, 12, 1_000_000])
  func `lies between three quarters of the doubled delay and the whole`(failures: Int) {
    let doubled = Duration.seconds(1) * (1 << min(max(failures, 1) - 1, 20))
    let whole = min(doubled, .minutes(10))

    for entropy in [0, 1, UInt64.max / 2, UInt64.max] {
      let delay = policy.delay(afterFailures: failures, entropy: entropy)
      #expect(delay <= whole)
      #expect(delay >= whole * 0.75)
    }
  }

  @Test func `spreads what failed together`() {
    let soon = policy.delay(afterFailures: 9, entropy: .max)
    let late = policy.delay(afterFailures: 9, entropy: 0)

    #expect(late - soon > .seconds(60))
  }
}
