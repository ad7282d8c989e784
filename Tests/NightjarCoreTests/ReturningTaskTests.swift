import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A task of an app that a later daemon finds running, while the device charges` {
  @Test func `is not run again if it has ended while no daemon was there`() {
    var (bench, client) = Bench.withTaskAndLaterDaemon()

    bench.attach(client, confirms: false)
    let early = bench.deeds.tasks
    bench.ask(.finishRequestedTask(1, success: true), as: client)
    let ended = bench.deeds.tasks
    bench.ask(.entered(1), as: client)

    #expect(early == [] && ended == [] && bench.deeds.tasks == [])
    #expect(bench.deeds.suspensions == [farm])
    #expect(bench.rows.memory.requests == [])
  }

  @Test func `is asked for again as soon as the app has confirmed where it is`() {
    var (bench, client) = Bench.withTaskAndLaterDaemon()
    bench.attach(client, confirms: false)

    bench.ask(.entered(1), as: client)

    #expect(bench.deeds.tasks == [2])
    #expect(bench.deeds.suspensions == [])
  }

  @Test func `is run in the next life if the app never confirms where it is, and is killed for that`() {
    var (bench, client) = Bench.withTaskAndLaterDaemon()
    bench.attach(client, confirms: false)

    let late = bench.pass(.seconds(31))
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "was killed", isCrash: false)))
    let launches = bench.deeds.launches.map(\.life)
    let next = Client(farm, pid: 102, connection: 2)
    bench.send(.app(farm, life: 2, .launched(pid: next.pid)))
    bench.attach(next, confirms: false)

    #expect(late.tasks == [] && late.ends == [false])
    #expect(launches == [2])
    #expect(bench.deeds.tasks == [2])
  }

  @Test func `leaves room for as many others as if the daemon had not changed, and for no more`() {
    var (bench, client) = Bench.withTaskAndLaterDaemon()
    bench.attach(client, confirms: false)
    let max = bench.limits.processingRequestsMax

    let answers = (0...max).map { place in
      bench.ask(.submit(BackgroundRequest(identifier: "other\(place)", kind: .processing)), as: client)
    }

    let refusal = Answer.refused(.limitReached(what: "pending processing requests of one app", limit: max))
    #expect(answers.dropLast().allSatisfy { $0 == .done })
    #expect(answers.last == refusal)
  }
}

extension Bench {
  /// The device charges, and the app is at the task that it was told to run as number 1. Another daemon has come.
  fileprivate static func withTaskAndLaterDaemon() -> (Bench, Client) {
    var (bench, client) = withRefreshableAppInForeground()
    let charging = Conditions(battery: 50, isCharging: true)
    bench.send(.sensed(charging))
    bench.ask(.submit(clean), as: client)
    bench.suspend(client)
    bench.pass(.seconds(1))
    bench.restart(thenFinding: [.adopted(farm, life: 1, pid: client.pid, isFrozen: false), .sensed(charging)])
    return (bench, client)
  }
}

extension [Deed] {
  /// The numbers of the tasks that apps are told to run.
  fileprivate var tasks: [Int64] {
    messages.compactMap { if case .performRequestedTask(let number, _, _, _) = $0 { number } else { nil } }
  }
}
