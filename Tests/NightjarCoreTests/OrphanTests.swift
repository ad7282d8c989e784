import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `An app whose first process is gone` {
  private static let gone = Event.app(farm, life: 1, .orphaned(leader: 42))
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

  @Test func `is shown as one that is attached, and known by its first all the same`() {
    var (bench, client) = Bench.withRunningApp()
    bench.attach(Client(farm, pid: client.pid + 1, connection: 2))

    bench.send(Self.gone)
    bench.send(.detached(client.connection))

    #expect(bench.view(farm)?.pid == client.pid + 1 && bench.view(farm)?.leader == client.pid)
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

  @Test func `by a crash is charged once if the rest is killed for a deadline`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    let client = bench.attachInBackground(life: 2, connection: 2)
    bench.attach(Client(farm, pid: client.pid + 1, connection: 3))
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)

    bench.send(.app(farm, life: 2, .orphaned(leader: client.pid)))
    let killed = bench.pass(.seconds(31)).ends
    bench.send(.app(farm, life: 2, .exited(status: "was killed by signal 11", isCrash: true)))

    #expect(killed == [false])
    #expect(bench.rows.memory.wakes.map(\.crashes) == [1])
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

@Suite struct `An app whose first process had gone before its daemon was started` {
  private static let gone = Event.app(farm, life: 1, .orphaned(leader: 42))
  private static let helper = Client(farm, pid: 43, connection: 2)

  @Test func `is ended once if none of it attaches in time`() {
    var bench = Bench.withAdoptedOrphan()
    let early = bench.deeds.ends + bench.pass(Limits().attachTimeout - .seconds(1)).ends

    let late = bench.pass(.seconds(2)).ends
    bench.send(.app(farm, life: 1, .exited(status: "ended in a way that is not known", isCrash: false)))

    #expect(early == [] && late == [true])
    #expect(bench.view(farm)?.state == .notRunning && bench.deeds.launches == [])
  }

  @Test func `lives on with one that attaches in time, and ends with it`() {
    var bench = Bench.withAdoptedOrphan()
    bench.pass(Limits().attachTimeout - .seconds(1))

    bench.attach(Self.helper)
    let attached = bench.deeds.ends + bench.pass(.hours(1)).ends
    bench.send(.detached(Self.helper.connection))

    #expect(attached == [] && bench.deeds.ends == [true])
  }

  @Test func `ends in the background, too, with the last that has attached again`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.leave)
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])
    bench.send(Self.gone)
    let early = bench.deeds.ends

    bench.attach(Self.helper, confirms: false)
    bench.send(.detached(Self.helper.connection))

    #expect(early == [] && bench.deeds.ends == [true])
  }

  @Test func `begins anew for a person who opens it meanwhile`() {
    var bench = Bench.withAdoptedOrphan()
    let launch = bench.ticket()

    bench.send(.ordered(.launch(farm, arguments: ["again"]), launch))
    let (ends, early) = (bench.deeds.ends, bench.answer(to: launch))
    bench.send(.app(farm, life: 1, .exited(status: "ended in a way that is not known", isCrash: false)))
    let launches = bench.deeds.launches
    bench.send(.app(farm, life: 2, .launched(pid: 77)))

    #expect(ends == [true] && early == nil)
    #expect(launches.map(\.arguments) == [["again"]])
    #expect(bench.answer(to: launch) == .launched(pid: 77))
  }

  @Test func `begins anew for a person although it stands still, and nobody is shown the process that is gone`() {
    var (bench, client) = Bench.withSuspendedApp()
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)], frozen: true)
    bench.send(Self.gone)
    bench.send(.app(farm, life: 1, .suspended(stint: 1, true)))
    let shown = bench.view(farm)?.pid

    let answer = bench.order(.launch(farm, arguments: []))
    let done = bench.deeds
    bench.send(.app(farm, life: 1, .exited(status: "was killed by signal 9", isCrash: false)))

    #expect(shown == nil && answer == nil)
    #expect(done.ends == [false] && done.thaws == [])
    #expect(bench.deeds.launches.map(\.life) == [2])
  }

  @Test func `goes on when a person opens it, as the process that has attached`() {
    var bench = Bench.withAdoptedOrphan()
    bench.attach(Self.helper)

    let answer = bench.order(.launch(farm, arguments: []))

    #expect(answer == .launched(pid: Self.helper.pid) && bench.deeds.ends == [])
  }

  @Test func `has no less time if it stands still, which begins when it is woken`() {
    var (bench, client) = Bench.withSuspendedApp()
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)], frozen: true)
    bench.send(Self.gone)
    let early = bench.deeds.ends
    bench.send(.app(farm, life: 1, .suspended(stint: 1, true)))
    let asleep = bench.pass(.hours(1)).ends

    bench.fetch()
    let woken = bench.deeds
    let inTime = bench.pass(Limits().attachTimeout - .seconds(1)).ends
    let late = bench.pass(.seconds(2)).ends

    #expect(early + asleep + woken.ends + inTime == [])
    #expect(woken.thaws == [farm] && late == [false])
  }

  @Test func `is the processes that it has started if only an earlier life of it attached`() {
    var bench = Bench.withApp()
    bench.order(.launch(farm, arguments: []))
    bench.send(.app(farm, life: 2, .launched(pid: 41)))
    bench.restart(adopting: [(farm, life: 2, pid: 41)])

    bench.send(.app(farm, life: 2, .orphaned(leader: 41)))
    let ends = bench.deeds.ends + bench.pass(.hours(1)).ends

    #expect(bench.rows.memory.apps.map(\.life) == [2] && bench.rows.memory.apps.map(\.attachedLife) == [1])
    #expect(ends == [])
    #expect(bench.view(farm)?.state == .foreground)
  }
}

@Suite struct `An app that a stopping daemon hangs up on` {
  @Test(arguments: [false, true])
  func `lives on though its first process is gone`(goesLast: Bool) {
    var (bench, client) = Bench.withRunningApp()
    let helper = Client(farm, pid: client.pid + 1, connection: 2)
    bench.attach(helper)
    let gone = Event.app(farm, life: 1, .orphaned(leader: 42))

    var ends = goesLast ? [] : bench.send(gone).ends
    ends += bench.send(.stopping).ends
    ends += bench.send(.detached(client.connection)).ends + bench.send(.detached(helper.connection)).ends
    if goesLast { ends += bench.send(gone).ends }

    #expect(ends == [])
  }

  @Test func `has neither ended nor failed, though nobody launched it`() {
    var bench = Bench.withTasksOfEndedApp()
    let client = Client(farm)
    bench.attach(client)
    bench.finish(1)
    let history = bench.rows.memory.history

    bench.send(.stopping)
    bench.send(.detached(client.connection))

    #expect(bench.rows.memory.history == history)
    #expect(bench.rows.memory.apps.map(\.failures) == [0] && bench.rows.memory.apps.map(\.notBefore) == [nil])
  }
}

extension Bench {
  /// The app runs in the foreground and had attached to an earlier daemon, and its first process has gone since.
  fileprivate static func withAdoptedOrphan() -> Bench {
    var (bench, client) = withRunningApp()
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])
    bench.send(.app(farm, life: 1, .orphaned(leader: 42)))
    return bench
  }
}
