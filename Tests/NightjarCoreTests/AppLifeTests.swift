import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `An app's life` {
  @Test func `begins in the foreground when a person asks, who is answered once it runs`() {
    var bench = Bench()
    bench.send(.installed(farmApp, nil))

    let early = bench.order(.launch(farm, arguments: ["--demo"]))
    let order = bench.deeds.launches
    bench.send(.app(farm, life: 1, .launched(pid: 42)))

    #expect(early == nil)
    #expect(order == [LaunchOrder(app: farmApp, life: 1, isBackground: false, arguments: ["--demo"])])
    #expect(bench.deeds == [.answer(Ticket(1), .launched(pid: 42))])
  }

  @Test func `is not begun with an argument that no process can be given`() {
    var bench = Bench()
    bench.send(.installed(farmApp, nil))

    let answer = bench.order(.launch(farm, arguments: ["--demo", "a\0b"]))

    #expect(answer == .refused(.invalid(field: "arguments", reason: "an argument has no NUL in it")))
    #expect(bench.deeds.launches.isEmpty)
  }

  @Test func `is not begun twice`() {
    var (bench, client) = Bench.withRunningApp()

    let answer = bench.order(.launch(farm, arguments: []))

    #expect(answer == .launched(pid: client.pid))
    #expect(bench.deeds.launches.isEmpty)
  }

  @Test func `brought forward is no longer ended when it has been told everything`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    let client = bench.attachInBackground(life: 2, connection: 2)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)

    bench.order(.launch(farm, arguments: []))
    bench.ask(.acknowledge([1]), as: client)
    bench.ask(.finishEvents("main"), as: client)
    let done = bench.deeds.ends + bench.pass(.hours(1)).ends

    #expect(done == [])
    #expect(bench.view(farm)?.state == .foreground)
  }

  @Test func `asked to begin while the last one ends begins after it`() {
    var (bench, _) = Bench.withRunningApp()
    bench.order(.terminate(farm))

    let early = bench.order(.launch(farm, arguments: ["again"]))
    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    let launches = bench.deeds.launches
    bench.send(.app(farm, life: 2, .launched(pid: 43)))

    #expect(early == nil)
    #expect(launches.map(\.life) == [2])
    #expect(launches.map(\.arguments) == [["again"]])
    #expect(bench.deeds.contains { if case .answer(_, .launched(pid: 43)) = $0 { true } else { false } })
  }

  @Test func `asked to begin while the last one ends does not if a person ends it once more`() {
    var (bench, _) = Bench.withRunningApp()
    bench.order(.terminate(farm))
    let launch = bench.ticket()
    bench.send(.ordered(.launch(farm, arguments: []), launch))

    let answer = bench.order(.terminate(farm))
    let refusal = bench.answer(to: launch)
    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    #expect(answer == .done)
    #expect(refusal == .refused(.launchFailed(farm, LaunchFailure(.refused, "a person has ended it meanwhile"))))
    #expect(bench.deeds.launches.isEmpty)
    #expect(bench.view(farm)?.state == .notRunning)
  }

  @Test func `that does not end when asked is killed, again and again`() {
    var (bench, _) = Bench.withRunningApp()

    bench.order(.terminate(farm))
    let asked = bench.deeds.ends
    let killed = bench.pass(.seconds(16)).ends

    #expect(asked == [true])
    #expect(killed == [false, false, false])
  }

  @Test func `whose launch fails late is over all the same`() {
    var bench = Bench()
    bench.send(.installed(farmApp, nil))
    bench.order(.launch(farm, arguments: []))
    bench.pass(.minutes(2))

    bench.send(.app(farm, life: 1, .launchFailed(LaunchFailure(.refused, "no memory"))))

    #expect(bench.view(farm)?.state == .notRunning)
    #expect(bench.deeds.contains { if case .answer(_, .refused(.launchFailed)) = $0 { true } else { false } })
  }

  @Test func `ignores facts about an earlier one`() {
    var (bench, _) = Bench.withRunningApp()
    bench.order(.terminate(farm))
    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    bench.order(.launch(farm, arguments: []))

    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    #expect(bench.view(farm)?.state == .launching)
  }

  @Test func `outlives the daemon and is adopted`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    _ = bench.attachInBackground(life: 2, connection: 2)

    bench.restart(adopting: [(farm, life: 2, pid: 102)])
    let launches = bench.deeds.launches
    let client = Client(farm, pid: 102, connection: 1)
    bench.attach(client)

    #expect(launches.isEmpty)
    #expect(bench.deeds.messages == [.handleEvents(session: "main")])
    #expect(bench.view(farm)?.state == .background)
  }

  @Test(arguments: [false, true])
  func `that is being ended when the daemon starts anew is ended by the next one`(isUpgraded: Bool) {
    var (bench, client) = Bench.withRunningApp()
    if isUpgraded { bench.send(.installed(farmApp, bench.ticket())) } else { bench.order(.terminate(farm)) }

    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])
    let state = bench.view(farm)?.state
    bench.pass(bench.limits.endTimeout)

    #expect(state == .ending)
    #expect(bench.deeds.ends == [false])
  }

  @Test(arguments: [false, true])
  func `that handles a session's events when the daemon starts anew goes on with them`(isLate: Bool) {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    let before = bench.attachInBackground(life: 2, connection: 2)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: before)
    bench.ask(.acknowledge([1]), as: before)

    bench.restart(adopting: [(farm, life: 2, pid: 102)])
    let client = Client(farm, pid: 102, connection: 3)
    bench.attach(client, confirms: false)
    bench.ask(.openSession("main", sendsLaunchEvents: true, isHandling: true), as: client)
    let told = bench.deeds.messages
    bench.ask(.entered(1), as: client)
    let early = bench.deeds.suspensions + bench.pass(.seconds(29)).suspensions
    let view = bench.view(farm)
    if isLate { bench.pass(.seconds(2)) } else { bench.ask(.finishEvents("main"), as: client) }

    #expect(told == [.eventsFinished(session: "main")])
    #expect(early == [] && view?.state == .background)
    #expect(bench.deeds.suspensions == (isLate ? [] : [farm]))
    #expect(bench.deeds.ends == (isLate ? [false] : []))
  }

  @Test func `cannot stay by saying again and again that it handles events`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    _ = bench.attachInBackground(life: 2, connection: 2)
    bench.restart(adopting: [(farm, life: 2, pid: 102)])
    let client = Client(farm, pid: 102, connection: 3)
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true, isHandling: true), as: client)
    bench.ask(.acknowledge([1]), as: client)

    bench.pass(.seconds(29))
    bench.ask(.openSession("other", sendsLaunchEvents: true, isHandling: true), as: client)
    bench.ask(.finishEvents("main"), as: client)
    let early = bench.deeds.ends
    bench.pass(.seconds(2))

    #expect(early == [])
    #expect(bench.deeds.ends == [false])
  }

  @Test(arguments: [false, true])
  func `goes on for events that it says it is at while it is made to stand still, and not for ever`(isFrozen: Bool) {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.leave)
    bench.ask(.entered(1), as: client)
    if isFrozen { bench.stand() }

    bench.ask(.openSession("main", sendsLaunchEvents: true, isHandling: true), as: client)
    let thawed = bench.deeds.thaws
    bench.send(.app(farm, life: 1, .suspended(stint: 1, true)))
    let state = bench.view(farm)?.state
    let early = bench.pass(.seconds(29)).ends
    let late = bench.pass(.seconds(2)).ends

    #expect(thawed == [farm])
    #expect(state == .background)
    #expect(early == [] && late == [false])
  }

  @Test func `is adopted though it attached before it was found`() {
    var (bench, client) = Bench.withRunningApp()
    bench.restart()
    bench.attach(client)

    bench.send(.adopted(farm, life: 1, pid: client.pid, isFrozen: false))

    #expect(bench.deeds.ends == [])
    bench.send(.detached(client.connection))
    #expect(bench.view(farm)?.state == .foreground)
  }

  @Test func `that nobody remembers is killed`() {
    var bench = Bench()
    bench.send(.installed(farmApp, nil))

    bench.send(.adopted(farm, life: 7, pid: 1, isFrozen: false))
    bench.send(.adopted(AppID("unknown"), life: 1, pid: 2, isFrozen: false))

    #expect(bench.view(farm)?.state == .notRunning)
    #expect(bench.deeds == [.end(AppID("unknown"), life: 1, politely: false)])
  }

  @Test(arguments: [false, true])
  func `that was over already when a person launched it is followed by another`(isHeard: Bool) {
    var (bench, client) = Bench.withRunningApp()
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])

    let answer = bench.order(.launch(farm, arguments: ["x"]))
    if isHeard { bench.attach(client) }
    bench.send(.app(farm, life: 1, .exited(status: "killed by signal 9", isCrash: true)))

    #expect(answer == .launched(pid: client.pid))
    #expect(bench.deeds.launches.map(\.arguments) == (isHeard ? [] : [["x"]]))
  }

  @Test func `that never attaches is followed by none, though a person launched it twice`() {
    var bench = Bench()
    bench.send(.installed(farmApp, nil))
    bench.order(.launch(farm, arguments: []))
    bench.send(.app(farm, life: 1, .launched(pid: 42)))
    bench.pass(.minutes(1))

    let answer = bench.order(.launch(farm, arguments: ["x"]))
    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    #expect(answer == .launched(pid: 42))
    #expect(bench.deeds.launches.isEmpty)
    #expect(bench.view(farm)?.state == .notRunning)
  }

  @Test func `of a process that came from nowhere lasts as long as its connection`() {
    var (bench, client) = Bench.withRunningApp()
    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    bench.attach(client)
    let while_ = bench.view(farm)?.state
    bench.send(.detached(client.connection))

    #expect(while_ == .foreground)
    #expect(bench.view(farm)?.state == .notRunning)
  }

  @Test func `is not begun before what was found at start has been reported`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    bench.supervisor = Supervisor(bench.rows.memory, limits: bench.limits, at: bench.moment)

    let early = bench.send(.awoke)
    let isDue = bench.supervisor.nextLook != nil
    bench.send(.started)

    #expect(early.isEmpty && !isDue)
    #expect(bench.deeds.launches.map(\.life) == [3])
  }
}
