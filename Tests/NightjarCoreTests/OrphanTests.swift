import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `An app whose first process is gone` {
  private static let gone = Event.app(farm, life: 1, .orphaned)
  private static let crash = Event.app(farm, life: 1, .exited(status: "was killed by signal 11", isCrash: true))

  @Test(arguments: [false, true])
  func `and whose connection is closed is ended, and begins anew when a person asks`(closesFirst: Bool) {
    var (bench, client) = Bench.withRunningApp()
    let closed = Event.detached(client.connection)

    bench.send(closesFirst ? closed : Self.gone)
    let early = bench.deeds.ends
    bench.send(closesFirst ? Self.gone : closed)
    let ends = bench.deeds.ends
    bench.order(.launch(farm, arguments: ["again"]))
    bench.send(Self.crash)

    #expect(early == [] && ends == [true])
    #expect(bench.deeds.launches.map(\.arguments) == [["again"]])
  }

  @Test func `goes on while another is attached`() {
    var (bench, client) = Bench.withRunningApp()
    let helper = Client(farm, pid: client.pid + 1, connection: 2)
    bench.attach(helper)

    bench.send(Self.gone)
    bench.send(.detached(client.connection))
    let early = bench.deeds.ends
    bench.send(.detached(helper.connection))

    #expect(early == [] && bench.deeds.ends == [true])
  }

  @Test func `before any had attached is ended with the last that did`() {
    var bench = Bench()
    bench.send(.installed(farmApp, nil))
    bench.order(.launch(farm, arguments: []))
    bench.send(.app(farm, life: 1, .launched(pid: 41)))
    let client = Client(farm)

    bench.send(Self.gone)
    bench.attach(client)
    bench.send(.detached(client.connection))

    #expect(bench.deeds.ends == [true])
  }

  @Test func `by a crash is not charged with it if a person ends the rest later`() {
    var (bench, client) = Bench.withRunningApp()
    bench.attach(Client(farm, pid: client.pid + 1, connection: 2))
    bench.send(Self.gone)
    bench.send(.detached(client.connection))

    bench.order(.terminate(farm))
    bench.send(Self.crash)

    #expect(bench.supervisor.apps[farm]?.hasCrashed == false)
  }

  @Test func `is the processes that it has started if none ever attached`() {
    var bench = Bench()
    bench.send(.installed(farmApp, nil))
    bench.order(.launch(farm, arguments: []))
    bench.send(.app(farm, life: 1, .launched(pid: 42)))

    bench.send(Self.gone)

    #expect(bench.deeds.ends == [] && bench.pass(.minutes(5)).ends == [])
    #expect(bench.view(farm)?.state == .foreground)
  }
}
