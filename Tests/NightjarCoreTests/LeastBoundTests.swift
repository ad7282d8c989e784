import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `With the least that a setting allows` {
  private static let keys = Limits.counts.map(\.key) + Limits.durations.map(\.key)

  @Test(arguments: keys.map { [$0] } + [keys])
  func `an app's download runs, and the app is told of its end`(keys: [String]) {
    var (bench, client) = Bench.withRunningApp(limits: Limits(atLeastOf: keys))

    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    let starts = bench.deeds.starts
    bench.finish(1)

    #expect(starts.count == 1)
    #expect(bench.deeds.tasksTold == [1])
  }

  @Test(arguments: keys)
  func `an app is launched to hear of a download that ended without it, and time goes on`(key: String) {
    var (bench, client) = Bench.withRunningApp(limits: Limits(atLeastOf: [key]))
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.send(.detached(client.connection))
    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    bench.finish(1)
    let launches = (bench.deeds + bench.pass(.minutes(1))).launches

    #expect(launches.first?.app.id == farm)
  }

  @Test func `a percentage is at most a hundred`() {
    let percents = Limits.counts.filter { $0.key.contains("percent") || $0.key == "battery.min" }

    #expect(percents.count == 2 && percents.allSatisfy { $0.values == 0...100 })
  }
}

extension Limits {
  /// The ordinary bounds, but for these, each at its least.
  fileprivate init(atLeastOf keys: [String]) {
    self.init()
    for bound in Self.counts where keys.contains(bound.key) { self[keyPath: bound.path] = bound.values.lowerBound }
    for bound in Self.durations where keys.contains(bound.key) { self[keyPath: bound.path] = bound.values.lowerBound }
  }
}
