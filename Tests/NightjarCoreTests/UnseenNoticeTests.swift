import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A local notification on a locked screen` {
  @Test func `is shown though its app is in the foreground, which is told when it is tapped`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.schedule([.made(1, in: 60, of: bench)], replaces: false), as: client)
    bench.send(.sensed(Conditions(isLocked: true)))

    let done = bench.passWithWall(.seconds(61))
    bench.order(.tapNotice(NoticeID(1)))

    #expect(done.banners.map(\.body) == ["notice 1"] && done.messages.noticed.isEmpty)
    #expect(bench.deeds.messages.noticed.map(\.isTapped) == [true])
  }

  @Test(arguments: [nil, ""] as [String?])
  func `is told the app in the foreground if there is nothing to show`(body: String?) {
    var (bench, client) = Bench.withRunningApp()
    var request = NoticeRequest.made(1, in: 60, of: bench)
    request.content.body = body
    bench.ask(.schedule([request], replaces: false), as: client)
    bench.send(.sensed(Conditions(isLocked: true)))

    let done = bench.passWithWall(.seconds(61))

    #expect(done.banners == [] && done.messages.noticed.map(\.isTapped) == [false])
  }

  @Test func `is told the app in the foreground if the person does not want it shown`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.schedule([.made(1, in: 60, of: bench)], replaces: false), as: client)
    bench.order(.changeSettings(farm, SettingsChange(alerts: false)))
    bench.send(.sensed(Conditions(isLocked: true)))

    let done = bench.passWithWall(.seconds(61))

    #expect(done.banners == [] && done.messages.noticed.map(\.isTapped) == [false])
  }
}

@Suite struct `A local notification whose app stands still before it has taken it` {
  @Test func `is shown once, whatever the app answers later, and told once more when it is tapped`() throws {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.schedule([.made(1, in: 60, of: bench)], replaces: false), as: client)
    let told = try #require(bench.passWithWall(.seconds(61)).messages.noticed.first)

    bench.suspend(client)
    let banner = try #require(bench.deeds.banners.first)
    bench.ask(.takeNotice(told.id, shows: .withSound), as: client)
    let late = bench.deeds.banners
    bench.order(.tapNotice(banner.id))

    #expect(banner.body == "notice 1" && banner.id != told.id && late == [])
    #expect(bench.deeds.messages.noticed.map(\.id) == [banner.id])
    #expect(bench.deeds.messages.noticed.map(\.isTapped) == [true])
  }

  @Test(arguments: [false, true])
  func `is shown only if it is the latest of its name, also where its app ends`(ends: Bool) {
    var (bench, client) = Bench.withRunningApp()
    var request = NoticeRequest.made(1, in: 60, of: bench, each: .minute)
    request.identifier = "each minute"
    bench.ask(.schedule([request], replaces: false), as: client)
    let told = bench.passWithWall(.seconds(125)).messages.noticed

    if ends {
      bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    } else {
      bench.suspend(client)
    }

    #expect(told.count == 2)
    #expect(bench.rows.memory.notices.map(\.isShown) == [true])
    #expect(bench.rows.memory.notices.map(\.firedAt.seconds) == [bench.wall.seconds - 5])
  }

  @Test func `is still told the app if a person has tapped it`() throws {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.schedule([.made(1, in: 60, of: bench)], replaces: false), as: client)
    bench.suspend(client)
    let banner = try #require(bench.passWithWall(.seconds(61)).banners.first)
    bench.order(.tapNotice(banner.id))

    bench.suspend(client)

    #expect(bench.deeds.banners == [])
    #expect(bench.rows.memory.notices.map(\.stage) == [.told(isTapped: true)])
  }

  @Test(arguments: [false, true])
  func `waits for the app if it has no text, or the person does not want it shown`(hasText: Bool) {
    var (bench, client) = Bench.withRunningApp()
    var request = NoticeRequest.made(1, in: 60, of: bench)
    if !hasText { request.content.body = nil }
    bench.order(.changeSettings(farm, SettingsChange(alerts: !hasText)))
    bench.ask(.schedule([request], replaces: false), as: client)
    bench.passWithWall(.seconds(61))

    bench.suspend(client)
    let waiting = bench.rows.memory.notices.map(\.stage)
    bench.ask(.takeNotice(NoticeID(1), shows: .withSound), as: client)

    #expect(waiting == [.told(isTapped: false)])
    #expect(bench.rows.memory.notices == [] && bench.deeds.banners == [])
  }
}

@Suite struct `A local notification whose app ends before it has taken it` {
  @Test func `is said in the log not to be shown if the person does not want it`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.schedule([.made(1, in: 60, of: bench)], replaces: false), as: client)
    bench.passWithWall(.seconds(61))
    bench.order(.changeSettings(farm, SettingsChange(alerts: false)))

    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "was killed", isCrash: true)))

    #expect(bench.rows.memory.notices == [])
    #expect(
      bench.deeds.notes.contains("a notification was not shown: alerts are off in the settings of dev.example.Farm"))
  }
}
