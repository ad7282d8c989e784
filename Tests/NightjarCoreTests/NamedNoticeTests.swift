import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A local notification with a name` {
  @Test func `takes the place of the one of that name, whether that is scheduled or shown`() {
    var bench = Bench.withApp()
    bench.schedule(.made(1, in: 60, of: bench).named("tea"))
    bench.schedule(.made(2, in: 60, of: bench).named("train"))
    bench.passWithWall(.seconds(61))
    bench.schedule(.made(3, in: 60, of: bench).named("tea"))
    let retracted = bench.deeds.contains(.retract(NoticeID(1)))

    bench.schedule(.made(4, in: 90, of: bench).named("tea"))

    #expect(retracted)
    #expect(bench.rows.memory.notices.map(\.request.identifier) == ["train"])
    #expect(bench.rows.memory.scheduled.map(\.request.key.low) == [4])
  }

  @Test func `stays the last one if its app repeats all of its requests in the next life`() {
    var (bench, client) = Bench.withRunningApp()
    let requests = [1, 2].map { NoticeRequest.made($0, in: 60, of: bench, each: .hour).named("tea") }
    for request in requests { bench.ask(.schedule([request], replaces: false), as: client) }

    for request in requests { bench.ask(.schedule([request], replaces: false), as: client) }

    #expect(bench.rows.memory.scheduled.map(\.request.key.low) == [2])
  }

  @Test func `lies in the notification centre once, however often it is repeated`() {
    var bench = Bench.withApp()
    bench.schedule(.made(1, in: 60, of: bench, each: .hour).named("tea"))

    let done = bench.passWithWall(.hours(5))

    #expect(done.banners.count == 5)
    #expect(bench.rows.memory.notices.map(\.id) == [NoticeID(5)])
    #expect(bench.rows.memory.scheduled.count == 1)
  }

  @Test func `that its app is told of in the foreground gives way to the next, and is not shown any more`() {
    var (bench, client) = Bench.withRunningApp()
    for number in 1...2 {
      var request = NoticeRequest.made(UInt64(number), in: 0, of: bench).named("tea")
      request.time = nil
      bench.ask(.schedule([request], replaces: false), as: client)
    }

    bench.ask(.takeNotice(NoticeID(1), shows: .withSound), as: client)
    let first = bench.deeds.banners
    bench.ask(.takeNotice(NoticeID(2), shows: .withSound), as: client)

    #expect(first == [] && bench.deeds.banners.map(\.body) == ["notice 2"])
    #expect(bench.rows.memory.notices.count == 1)
  }

  @Test func `may be cancelled where it is scheduled, and where it is shown`() {
    var bench = Bench.withApp()
    bench.schedule(.made(1, in: 60, of: bench, each: .day).named("tea"))
    bench.passWithWall(.seconds(61))

    bench.ask(.cancelNotices([], named: ["train"]), as: Client(farm))
    bench.ask(.cancelNotices([], named: ["tea"], only: .scheduled), as: Client(farm))
    let left = (bench.rows.memory.scheduled.count, bench.rows.memory.notices.count)
    bench.ask(.cancelNotices(nil, only: .shown), as: Client(farm))

    #expect(left == (0, 1))
    #expect(bench.rows.memory.notices == [])
  }

  @Test func `is listed for its app with those that are shown, the newest first`() {
    var bench = Bench.withApp()
    for number in 1...2 { bench.schedule(.made(UInt64(number), in: 60 * Int64(number), of: bench)) }
    bench.schedule(.made(3, in: 600, of: bench).named("tea"))
    bench.passWithWall(.seconds(130))

    let answer = bench.ask(.listNotices, as: Client(farm))

    guard case .scheduled(let scheduled, let shown) = answer else {
      Issue.record("\(String(describing: answer))")
      return
    }
    #expect(scheduled.map(\.identifier) == ["tea"])
    #expect(shown.map(\.request.key.low) == [2, 1])
  }
}

@Suite struct `A local notification that its app is told of in the foreground` {
  @Test(arguments: [(NoticeShowing.withSound, true), (.silently, false)])
  func `is shown if the app wants it, and told once more when it is tapped`(how: NoticeShowing, sounds: Bool) throws {
    var (bench, client) = Bench.withRunningApp()
    var request = NoticeRequest.made(1, in: 60, of: bench)
    (request.content.title, request.content.sound) = ("Kitchen", "bell")
    bench.ask(.schedule([request], replaces: false), as: client)
    let told = try #require(bench.passWithWall(.seconds(61)).messages.noticed.first)

    bench.ask(.takeNotice(told.id, shows: how), as: client)
    let banner = try #require(bench.deeds.banners.first)
    bench.order(.tapNotice(banner.id))

    #expect(banner.id != told.id && banner.sounds == sounds && banner.heading == "Kitchen")
    #expect(bench.deeds.messages.noticed.map(\.id) == [banner.id])
    #expect(bench.deeds.messages.noticed.map(\.isTapped) == [true])
  }

  @Test func `is not shown where alerts are off`() throws {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.changeSettings(farm, SettingsChange(alerts: false)))
    bench.ask(.schedule([.made(1, in: 60, of: bench)], replaces: false), as: client)
    let told = try #require(bench.passWithWall(.seconds(61)).messages.noticed.first)

    bench.ask(.takeNotice(told.id, shows: .withSound), as: client)

    #expect(bench.deeds.banners == [] && bench.rows.memory.notices == [])
  }
}

@Suite struct `A local notification that is repeated after several intervals` {
  @Test func `is due after each of these, and only then`() {
    var bench = Bench.withApp()
    var request = NoticeRequest.made(1, in: 60, of: bench, each: .second)
    request.time!.step = 5400
    bench.schedule(request)

    let times = bench.passWithWall(.hours(4)).banners.map(\.firedAt.seconds)

    #expect(times == [0, 5400, 10_800].map { request.time!.at.seconds + $0 })
  }

  @Test(arguments: [0, -1, .min, 7_000_000_000, .max] as [Int64])
  func `is refused if they are no time apart, or centuries`(step: Int64) {
    var (bench, client) = Bench.withRunningApp()
    var request = NoticeRequest.made(1, in: 60, of: bench, each: .second)
    request.time!.step = step

    let answer = bench.ask(.schedule([request], replaces: false), as: client)

    guard case .refused(.invalid(field: "every", _)) = answer else {
      Issue.record("\(String(describing: answer))")
      return
    }
    #expect(bench.rows.memory.scheduled == [])
  }
}

extension NoticeRequest {
  fileprivate func named(_ name: String) -> Self {
    var named = self
    named.identifier = name
    return named
  }
}
