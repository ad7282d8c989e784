import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `The time of a local notification` {
  @Test func `is repeated on the days of its calendar, and is over after the last`() {
    var bench = Bench.withApp()
    var request = NoticeRequest.made(1, in: 60, of: bench, each: .month)
    let first = request.time!.reading.date.number
    request.time!.days = [first + 29, first + 59]
    bench.schedule(request)

    let times = bench.passWithWall(.days(90)).banners.map(\.firedAt.seconds)

    #expect(times == [0, 29, 59].map { request.time!.at.seconds + $0 * 86_400 })
    #expect(bench.rows.memory.scheduled == [])
  }

  @Test func `is fired at once if it has no time`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.leave)
    var request = NoticeRequest.made(1, in: 0, of: bench)
    request.time = nil

    bench.ask(.schedule([request], replaces: false), as: client)

    #expect(bench.deeds.banners.map(\.body) == ["notice 1"])
    #expect(bench.rows.memory.scheduled == [])
  }

  @Test func `is fired once at the start if its time has passed meanwhile, and once for all that it missed`() {
    var bench = Bench.withApp()
    bench.schedule(.made(1, in: 60, of: bench))
    bench.schedule(.made(2, in: 60, of: bench, each: .hour))

    bench.wall = Timestamp(seconds: bench.wall.seconds + 86_400)
    bench.restart(boot: BootID("second"))
    let bodies = bench.deeds.banners.map(\.body)
    let later = bench.passWithWall(.hours(2))

    #expect(bodies.sorted() == ["notice 1", "notice 2"])
    #expect(later.banners.map(\.body) == ["notice 2", "notice 2"])
  }

  @Test func `is due again if the clock is set back, and not for a correction of it`() {
    var bench = Bench.withApp()
    bench.schedule(.made(1, in: 60, of: bench, each: .day))
    bench.passWithWall(.seconds(61))

    bench.wall = Timestamp(seconds: bench.wall.seconds - 30)
    bench.send(.awoke)
    let corrected = bench.passWithWall(.seconds(60))
    bench.wall = Timestamp(seconds: bench.wall.seconds - 3600)
    bench.send(.awoke)
    let setBack = bench.passWithWall(.seconds(3700))

    #expect(corrected.banners == [])
    #expect(setBack.banners.count == 1)
  }

  @Test func `goes with the clock of the place if it has a time zone, and with the moment if not`() {
    var bench = Bench.withApp()
    bench.schedule(.made(1, in: 3600, of: bench))
    var zoned = NoticeRequest.made(2, in: 3600, of: bench)
    zoned.time?.zone = NoticeTime.Zone(name: "UTC", offset: 0)
    bench.schedule(zoned)

    bench.send(.located(ZoneRules(name: "East", offset: 1800)))
    let first = bench.passWithWall(.seconds(1801))
    let second = bench.passWithWall(.seconds(1800))

    #expect(first.banners.map(\.body) == ["notice 2"])
    #expect(second.banners.map(\.body) == ["notice 1"])
  }

  @Test(arguments: [-1800, 1800] as [Int64])
  func `is the moment that was given, also in an hour that the clocks show twice`(seconds: Int64) {
    let change = ZoneRules.Change(at: 1_792_890_000, offset: 3600)  // Berlin, 25 October 2026, 3 o'clock
    let rules = ZoneRules(name: "Europe/Berlin", offset: 7200, changes: [change])
    let at = Timestamp(seconds: change.at + seconds)
    let zone = NoticeTime.Zone(name: rules.name, offset: rules.offset(at: at))

    let first = NoticeTime(at: at, zone: zone).next(after: nil, rules)
    let hourly = NoticeTime(at: at, zone: zone, interval: .hour).next(after: at, rules)
    let daily = NoticeTime(at: at, zone: zone, interval: .day).next(after: at, rules)

    #expect(first == at)
    #expect(hourly.seconds == at.seconds + 3600)
    #expect(rules.reading(at: daily).milliseconds == rules.reading(at: at).milliseconds + 86_400_000)
  }

  @Test func `with a calendar or a zone of endless names is refused`() {
    var (bench, client) = Bench.withRunningApp()
    var requests = [NoticeRequest.made(1, in: 60, of: bench), .made(2, in: 60, of: bench)]
    let name = String(repeating: "z", count: 70_000)
    requests[0].calendar = name
    requests[1].time?.zone = NoticeTime.Zone(name: name, offset: 0)

    let answers = requests.map { bench.ask(.schedule([$0], replaces: false), as: client) }

    let refusal = Refusal.limitReached(what: "bytes of a notification's texts", limit: 64 << 10)
    #expect(answers.allSatisfy { $0 == .refused(refusal) })
  }

  @Test(arguments: [-86_401, 86_401, .min, .max] as [Int64])
  func `in a time zone farther than a day from UTC is refused`(offset: Int64) {
    var (bench, client) = Bench.withRunningApp()
    var request = NoticeRequest.made(1, in: 60, of: bench)
    request.time?.zone = NoticeTime.Zone(name: "Far", offset: offset)

    let answer = bench.ask(.schedule([request], replaces: false), as: client)

    #expect(answer == .refused(.invalid(field: "offset", reason: "no time zone is more than a day away from UTC")))
  }

  @Test func `that no clock can show does not end the daemon`() {
    var bench = Bench.withApp()
    var request = NoticeRequest.made(1, in: 50 * 366 * 86_400, of: bench, each: .year)
    request.time!.step = 200
    bench.schedule(request)

    bench.wall = Timestamp(seconds: request.time!.at.seconds + 1)
    let done = bench.send(.awoke)

    #expect(done.banners.count == 1)
    #expect(bench.rows.memory.scheduled.count == 1)
  }
}
