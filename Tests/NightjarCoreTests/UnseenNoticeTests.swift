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
