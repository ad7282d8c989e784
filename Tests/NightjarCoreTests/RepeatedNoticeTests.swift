import NightjarModel
import Testing

@testable import NightjarCore

/// An app that dies before it hears that its request was accepted asks again in its next life, under the same key.
@Suite struct `A local notification that is asked for again` {
  @Test func `is not shown again once a person has put it away`() throws {
    var bench = Bench.withApp()
    let request = NoticeRequest.immediate(1, of: bench)
    bench.schedule(request)
    let banner = try #require(bench.deeds.banners.first)
    bench.order(.dismissNotice(banner.id))

    bench.schedule(request)
    let repeated = bench.deeds.banners
    bench.restart()
    bench.schedule(request)

    #expect(repeated == [] && bench.deeds.banners == [])
    #expect(bench.order(.listNotices) == .notices([]))
  }

  @Test func `is over once it has fired, though nothing was shown of it`() {
    var bench = Bench.withApp()
    bench.order(.changeSettings(farm, SettingsChange(alerts: false)))
    var request = NoticeRequest.made(1, in: 60, of: bench)
    request.content.badge = 3
    bench.schedule(request)
    bench.passWithWall(.minutes(2))
    bench.order(.changeSettings(farm, SettingsChange(alerts: true)))

    bench.schedule(request)

    #expect(bench.deeds.banners == [])
    #expect(bench.rows.memory.scheduled == [] && bench.rows.memory.notices == [])
    #expect(bench.rows.memory.apps.map(\.pastNotices) == [[request.key]])
  }

  @Test(arguments: [false, true])
  func `is over once newer ones have taken its place, on the screen or in front`(isInFront: Bool) {
    var limits = Limits()
    limits.shownNoticesPerAppMax = 1
    var (bench, client) = Bench.withRunningApp(limits: limits)
    if !isInFront {
      bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    }
    for number in [1, 2] as [UInt64] { bench.schedule(.immediate(number, of: bench)) }

    bench.schedule(.immediate(1, of: bench))

    #expect(bench.deeds.banners == [] && bench.deeds.messages.noticed.isEmpty)
    #expect(bench.rows.memory.notices.map(\.request.key) == [RequestKey(high: 3, low: 2)])
  }

  @Test func `is over once its app has ended without taking it, though nothing was shown of it`() {
    var (bench, client) = Bench.withRunningApp()
    let request = NoticeRequest.immediate(1, of: bench)
    bench.ask(.schedule([request], replaces: false), as: client)
    bench.order(.changeSettings(farm, SettingsChange(alerts: false)))
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "was killed", isCrash: true)))
    bench.order(.changeSettings(farm, SettingsChange(alerts: true)))

    bench.schedule(request)

    #expect(bench.deeds.banners == [] && bench.rows.memory.notices == [])
    #expect(bench.rows.memory.apps.map(\.pastNotices) == [[request.key]])
  }

  @Test func `is not told again once the delegate has taken it`() {
    var (bench, client) = Bench.withRunningApp()
    let request = NoticeRequest.immediate(1, of: bench)
    bench.ask(.schedule([request], replaces: false), as: client)
    bench.ask(.takeNotice(NoticeID(1)), as: client)

    bench.ask(.schedule([request], replaces: false), as: client)

    #expect(bench.deeds.messages.noticed.isEmpty)
    #expect(bench.rows.memory.notices == [])
  }

  @Test func `is scheduled if its app had taken it back`() {
    var (bench, client) = Bench.withRunningApp()
    let request = NoticeRequest.made(1, in: 60, of: bench)
    bench.ask(.schedule([request], replaces: false), as: client)
    bench.ask(.cancelNotices(nil), as: client)

    bench.ask(.schedule([request], replaces: false), as: client)

    #expect(bench.rows.memory.scheduled.map(\.request) == [request])
  }

  @Test func `is not over while it has repetitions, whoever puts one away`() throws {
    var bench = Bench.withApp()
    bench.schedule(.made(1, in: 60, of: bench, each: .hour))
    let banner = try #require(bench.passWithWall(.seconds(61)).banners.first)
    bench.order(.dismissNotice(banner.id))

    let next = bench.passWithWall(.hours(1))

    #expect(next.banners.map(\.body) == ["notice 1"])
    #expect(bench.rows.memory.apps.map(\.pastNotices) == [[]])
  }

  @Test func `goes on with its repetitions if it replaces itself unchanged`() {
    var bench = Bench.withApp()
    let request = NoticeRequest.made(1, in: 60, of: bench, each: .hour)
    bench.schedule(request)
    bench.schedule(.made(2, in: 7200, of: bench))
    bench.passWithWall(.seconds(61))
    bench.order(.dismissNotice(NoticeID(1)))

    bench.ask(.schedule([request], replaces: true), as: Client(farm))
    let again = bench.deeds.banners
    let next = bench.passWithWall(.hours(3))

    #expect(again == [])
    #expect(next.banners.map(\.body) == Array(repeating: "notice 1", count: 3))
  }

  @Test func `goes on with its repetitions after it was taken back, though it lies there from before`() {
    var bench = Bench.withApp()
    let request = NoticeRequest.made(1, in: 60, of: bench, each: .hour)
    bench.schedule(request)
    bench.passWithWall(.seconds(61))
    bench.ask(.schedule([], replaces: true), as: Client(farm))

    bench.schedule(request)
    let again = bench.deeds.banners
    let next = bench.passWithWall(.hours(3))

    #expect(again == [])
    #expect(next.banners.map(\.body) == Array(repeating: "notice 1", count: 3))
  }

  @Test func `is known by its key for as long as its app has not seen to many others`() {
    var limits = Limits()
    limits.pastNoticesPerAppMax = 2
    var (bench, client) = Bench.withRunningApp(limits: limits)
    for number in 1...3 as ClosedRange<UInt64> {
      bench.ask(.schedule([.immediate(number, of: bench)], replaces: false), as: client)
      bench.ask(.takeNotice(NoticeID(Int64(number))), as: client)
    }

    #expect(bench.rows.memory.apps.map(\.pastNotices) == [[2, 3].map { RequestKey(high: 3, low: $0) }])
  }
}

extension NoticeRequest {
  /// One that is fired at once.
  static func immediate(_ number: UInt64, of bench: Bench) -> Self {
    var request = made(number, in: 60, of: bench)
    request.time = nil
    return request
  }
}
