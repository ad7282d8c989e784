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

  @Test func `is adopted though it attached before it was found`() {
    var (bench, client) = Bench.withRunningApp()
    bench.restart()
    bench.attach(client)

    bench.send(.adopted(farm, life: 1, pid: client.pid))

    #expect(bench.deeds.ends == [])
    bench.send(.detached(client.connection))
    #expect(bench.view(farm)?.state == .foreground)
  }

  @Test func `that nobody remembers is killed`() {
    var bench = Bench()
    bench.send(.installed(farmApp, nil))

    bench.send(.adopted(farm, life: 7, pid: 1))
    bench.send(.adopted(AppID("unknown"), life: 1, pid: 2))

    #expect(bench.view(farm)?.state == .notRunning)
    #expect(bench.deeds == [.end(AppID("unknown"), life: 1, politely: false)])
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

@Suite struct `Installing and removing` {
  @Test func `an upgrade ends the app and keeps what is its`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    var newer = farmApp
    newer.displayName = "Farm 2"

    bench.send(.installed(newer, Ticket(99)))

    #expect(bench.deeds.ends == [true])
    guard case .app(let view)? = bench.answer(to: Ticket(99)) else { return #expect(bench.deeds.isEmpty) }
    #expect(view.installed == newer && view.transfers == 1)
    #expect(bench.rows.memory.apps.map(\.installed) == [newer])
  }

  @Test func `an uninstallation ends the app, forgets all that is its, and then answers`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    let early = bench.order(.uninstall(farm))
    let ended = bench.deeds.ends
    bench.send(.app(farm, life: 1, .exited(status: "killed", isCrash: false)))

    #expect(early == nil)
    #expect(ended == [false])
    #expect(bench.deeds.suffix(2).first == .uninstall(farm))
    #expect(bench.deeds.contains(.discard(TransferID(1))))
    #expect(bench.deeds.last == .answer(Ticket(6), .done) || bench.answer(to: Ticket(5)) == .done)
    #expect(bench.rows.memory.apps.isEmpty && bench.rows.memory.sessions.isEmpty && bench.rows.memory.transfers.isEmpty)
  }

  @Test func `an uninstallation wins over a launch that waits`() {
    var (bench, _) = Bench.withRunningApp()
    bench.order(.terminate(farm))
    bench.order(.launch(farm, arguments: []))

    bench.order(.uninstall(farm))
    let refused = bench.deeds
    let launch = bench.order(.launch(farm, arguments: []))
    bench.send(.app(farm, life: 1, .exited(status: "killed", isCrash: false)))

    #expect(refused.contains { if case .answer(_, .refused(.noSuchApp(farm))) = $0 { true } else { false } })
    #expect(launch == .refused(.noSuchApp(farm)))
    #expect(bench.deeds.launches.isEmpty)
    #expect(bench.view(farm) == nil)
  }

  @Test func `an installation wins over a removal that waits`() {
    var (bench, _) = Bench.withRunningApp()
    bench.order(.uninstall(farm))

    bench.send(.installed(farmApp, Ticket(99)))
    let refused = bench.deeds
    bench.send(.app(farm, life: 1, .exited(status: "killed", isCrash: false)))

    #expect(refused.contains { if case .answer(_, .refused(.invalid(field: "app", _))) = $0 { true } else { false } })
    #expect(!bench.deeds.contains(.uninstall(farm)))
    #expect(bench.view(farm)?.state == .notRunning)
  }

  @Test func `what a removed app held is given to the others in the same turn`() {
    var limits = Limits()
    limits.runningMax = 1
    var (bench, client) = Bench.withRunningApp(limits: limits)
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.order(.enqueue(.made(2, app: .commandLine, session: nil)))
    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    bench.order(.uninstall(farm))

    #expect(bench.deeds.starts.map(\.id) == [TransferID(2)])
    #expect(bench.send(.awoke).isEmpty)
  }

  @Test func `a bundle that is gone from the disk ends before it is forgotten`() {
    var (bench, _) = Bench.withRunningApp()

    bench.send(.uninstalled(farm))
    let ended = bench.deeds.ends
    let known = bench.view(farm) != nil
    bench.send(.app(farm, life: 1, .exited(status: "killed", isCrash: false)))

    #expect(ended == [false] && known)
    #expect(bench.view(farm) == nil)
    #expect(!bench.deeds.contains(.uninstall(farm)))
  }
}

@Suite struct `A program` {
  private let client = Client(tool, pid: 1, connection: 1, relaunch: ["tool", "--again"])

  private func benchWithFinishedTask() -> Bench {
    var bench = Bench()
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    bench.ask(.enqueue(.made(1, app: tool), isSuspended: false), as: client)
    bench.send(.detached(client.connection))
    bench.finish(1)
    return bench
  }

  @Test func `is relaunched by its own command when there is something to tell`() {
    let bench = benchWithFinishedTask()

    #expect(bench.deeds.launches.map(\.app.kind) == [.program(relaunch: ["tool", "--again"])])
  }

  @Test func `is not relaunched while it is attached`() {
    var bench = Bench()
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    bench.ask(.enqueue(.made(1, app: tool), isSuspended: false), as: client)

    bench.finish(1)

    #expect(bench.deeds.launches.isEmpty)
    #expect(bench.deeds.tasksTold == [1])
  }

  @Test func `whose command ends after it has handed over stays attached`() {
    var bench = benchWithFinishedTask()
    bench.send(.app(tool, life: 1, .launched(pid: 50)))
    let worker = Client(tool, pid: 51, connection: 2, relaunch: client.relaunch)
    bench.attach(worker)

    bench.send(.app(tool, life: 1, .exited(status: "exited 0", isCrash: false)))
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: worker)

    #expect(bench.deeds.tasksTold == [1])
    #expect(bench.deeds.launches.isEmpty)
  }

  @Test func `is never ended, however long it takes`() {
    var bench = benchWithFinishedTask()
    bench.send(.app(tool, life: 1, .launched(pid: 50)))
    bench.attach(Client(tool, pid: 50, connection: 2, relaunch: client.relaunch))

    let done = bench.pass(.hours(2))

    #expect(done.ends == [])
    #expect(bench.order(.terminate(tool)) == .refused(.notABundle(tool)))
  }

  @Test func `is removed at once, with what is its`() {
    var bench = benchWithFinishedTask()
    bench.send(.app(tool, life: 1, .launched(pid: 50)))

    let answer = bench.order(.uninstall(tool))

    #expect(answer == .done)
    #expect(bench.deeds.ends == [])
    #expect(bench.rows.memory.apps.isEmpty && bench.rows.memory.transfers.isEmpty && bench.rows.memory.wakes.isEmpty)
  }

  @Test(arguments: ["", "../etc", ".hidden", "a b", "dev.nightjar.cli"])
  func `needs a name that can be used`(name: String) {
    var bench = Bench()

    guard case .refused(.nameRefused(name, _))? = bench.attach(Client(AppID(name), relaunch: [])) else {
      return #expect(bench.deeds.isEmpty)
    }
  }

  @Test func `cannot take an installed app's name`() {
    var bench = Bench()
    bench.send(.installed(farmApp, nil))

    guard case .refused(.nameRefused)? = bench.attach(Client(farm, relaunch: [])) else {
      return #expect(bench.deeds.isEmpty)
    }
  }
}
