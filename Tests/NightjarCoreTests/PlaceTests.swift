import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `An app that leaves the foreground` {
  @Test func `is told, and suspended as soon as it confirms`() {
    var (bench, client) = Bench.withRunningApp()

    bench.order(.leave)
    let told = bench.deeds
    bench.ask(.entered(1), as: client)
    let suspended = bench.deeds.suspensions
    bench.send(.app(farm, life: 1, .suspended(stint: 1, true)))

    #expect(told.messages == [.enterBackground(number: 1, remaining: .seconds(180))])
    #expect(told.suspensions == [])
    #expect(suspended == [farm])
    #expect(bench.view(farm)?.state == .suspended)
    #expect(bench.rows.memory.apps.map(\.isBackground) == [true])
  }

  @Test func `makes room for the one that a person launches`() {
    var (bench, _) = Bench.withRunningApp()
    bench.send(.installed(otherApp, nil))

    bench.order(.launch(other, arguments: []))

    #expect(bench.deeds.messages == [.enterBackground(number: 1, remaining: .seconds(180))])
    #expect(bench.deeds.launches.map(\.app.id) == [other])
    #expect(bench.view(farm)?.state == .background)
  }

  @Test func `is killed if it does not return from didEnterBackground in five seconds`() {
    var (bench, _) = Bench.withRunningApp()
    bench.order(.leave)

    let early = bench.pass(.milliseconds(4900))
    let late = bench.pass(.milliseconds(200))

    #expect(early.ends == [])
    #expect(late.ends == [false])
    #expect(late.notes.contains { $0.contains("didEnterBackground") && $0.contains("5 s") })
  }

  @Test func `is not suspended by a confirmation of an earlier time`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.leave)
    bench.order(.launch(farm, arguments: []))
    bench.order(.leave)

    bench.ask(.entered(1), as: client)
    let early = bench.deeds.suspensions
    bench.ask(.entered(2), as: client)

    #expect(early == [])
    #expect(bench.deeds.suspensions == [farm])
  }

  @Test func `does not lose its five seconds to sleep`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.leave)

    bench.sleep(.hours(8))
    let slept = bench.deeds.ends
    bench.ask(.entered(1), as: client)

    #expect(slept == [])
    #expect(bench.deeds.suspensions == [farm])
  }

  @Test func `is not confirmed by another of its processes`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.leave)

    let answer = bench.attach(Client(farm, pid: 99, connection: 9))
    let early = bench.deeds.suspensions
    bench.ask(.entered(1), as: client)

    let standing = Standing(settings: AppSettings(), badge: 0)
    #expect(answer == .attached(life: 1, isBackground: true, standing: standing))
    #expect(early == [])
    #expect(bench.deeds.suspensions == [farm])
  }

  @Test func `leaves it to one alone, though two were there when the daemon was killed`() {
    var (bench, client) = Bench.withRunningApp()
    bench.send(.installed(otherApp, nil))
    bench.rows.memory.apps.removeAll { $0.installed.id == other }
    bench.rows.memory.apps.append(AppRecord(installed: otherApp, life: 3))
    bench.restart(adopting: [(farm, life: 1, pid: client.pid), (other, life: 3, pid: 77)])

    #expect(bench.view(other)?.state == .foreground)
    #expect(bench.rows.memory.apps.first { $0.installed.id == farm }?.isBackground == true)
  }

  @Test func `is ended instead of suspended if its bundle says so`() {
    var bench = Bench()
    var app = farmApp
    app.exitsOnSuspend = true
    let client = Client(farm)
    bench.send(.installed(app, nil))
    bench.order(.launch(farm, arguments: []))
    bench.send(.app(farm, life: 1, .launched(pid: client.pid)))
    bench.attach(client)

    bench.order(.leave)
    bench.ask(.entered(1), as: client)

    #expect(bench.deeds.suspensions == [])
    #expect(bench.deeds.ends == [true])
  }

  @Test func `is nobody when nobody is there`() {
    var bench = Bench()

    let answer = bench.order(.leave)

    #expect(answer == .leftForeground(nil))
  }
}

@Suite struct `A suspended app` {
  @Test func `comes back to the foreground when a person launches it`() {
    var (bench, client) = Bench.withSuspendedApp()

    let answer = bench.order(.launch(farm, arguments: []))

    #expect(answer == .launched(pid: client.pid))
    #expect(bench.deeds.thaws == [farm])
    #expect(bench.deeds.messages == [.enterForeground])
    #expect(bench.view(farm)?.state == .foreground)
  }

  @Test func `is woken knowing how it stands: whether the device is locked, before what it is to do`() {
    var (bench, _) = Bench.withSuspendedApp(tasks: 1)
    bench.send(.sensed(Conditions(isLocked: true)))

    bench.finish(1)

    let woken = bench.deeds.messages
    guard case .standing(let standing)? = woken.first else { return #expect(Bool(false), "it was told \(woken)") }
    #expect(standing.isLocked == true)
    #expect(woken.dropFirst().first == .handleEvents(session: "main"))
  }

  @Test func `is woken when the last task of a session has ended, told, and suspended again`() {
    var (bench, client) = Bench.withSuspendedApp(tasks: 2)

    bench.finish(1)
    let early = bench.deeds
    bench.finish(2)
    let woken = bench.deeds
    bench.ask(.acknowledge([1, 2]), as: client)
    let acknowledged = bench.deeds.suspensions
    bench.ask(.finishEvents("main"), as: client)

    #expect(early.thaws.isEmpty && early.messages.isEmpty)
    #expect(woken.thaws == [farm])
    #expect(woken.messages.first == .handleEvents(session: "main"))
    #expect(woken.tasksTold == [1, 2])
    #expect(woken.messages.last == .eventsFinished(session: "main"))
    #expect(acknowledged == [])
    #expect(bench.deeds.suspensions == [farm])
  }

  @Test func `is thawed before it is told anything`() {
    var (bench, _) = Bench.withSuspendedApp(tasks: 1)

    bench.finish(1)

    let thaw = bench.deeds.firstIndex { if case .thaw = $0 { true } else { false } }
    let tell = bench.deeds.firstIndex { if case .tell = $0 { true } else { false } }
    #expect(thaw != nil && tell != nil && thaw! < tell!)
  }

  @Test func `hears nothing of the progress of its tasks`() {
    var (bench, _) = Bench.withSuspendedApp(tasks: 1)

    bench.send(.transfer(TransferID(1), attempt: 1, .progressed(count: 10, expected: 100)))

    #expect(bench.deeds.messages.isEmpty)
  }

  @Test func `hears nothing of it either while it is ended for a lock that it holds`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.order(.leave)
    bench.ask(.entered(1), as: client)
    bench.send(.app(farm, life: 1, .locked(stint: 1, path: "/groups/one/db")))

    bench.send(.transfer(TransferID(1), attempt: 1, .progressed(count: 10, expected: 100)))

    #expect(bench.deeds.messages.isEmpty)
  }

  @Test func `is woken no sooner than its back-off and its budget allow`() {
    var limits = Limits()
    limits.launchesPerAppMax = 1
    var (bench, client) = Bench.withSuspendedApp(tasks: 1, limits: limits)
    bench.finish(1)
    bench.ask(.acknowledge([1]), as: client)
    bench.ask(.enqueue(.made(2), isSuspended: false), as: client)
    bench.ask(.finishEvents("main"), as: client)
    bench.send(.app(farm, life: 1, .suspended(stint: 2, true)))

    bench.finish(2)
    let early = bench.deeds.thaws
    let verdict = bench.view(farm)?.verdict
    let later = bench.pass(limits.launchInterval)

    #expect(early == [])
    #expect(verdict == .waits(.launchBudget(max: 1), atMost: limits.launchInterval))
    #expect(later.thaws == [farm])
  }

  @Test func `is killed rather than asked when it has to go`() {
    var (bench, _) = Bench.withSuspendedApp()

    bench.order(.terminate(farm))

    #expect(bench.deeds.ends == [false])
  }

  @Test func `goes with a daemon that is asked to stop, since nobody would wake it`() {
    var (bench, _) = Bench.withSuspendedApp()

    bench.send(.stopping)

    #expect(bench.deeds.ends == [false])
  }

  @Test func `that cannot be made to stand still is killed`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.leave)
    bench.ask(.entered(1), as: client)

    bench.send(.app(farm, life: 1, .suspended(stint: 1, false)))

    #expect(bench.deeds.ends == [false])
    #expect(bench.deeds.notes.contains { $0.contains("stand still") })
  }

  @Test func `about which the launcher says nothing is killed`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.leave)
    bench.ask(.entered(1), as: client)

    let done = bench.pass(.seconds(61))

    #expect(done.ends == [false])
  }

  @Test func `that one of its processes attaches to runs on, and loses nothing by having stood still`() {
    var (bench, _) = Bench.withSuspendedApp(tasks: 1)
    let helper = Client(farm, pid: 99, connection: 9)

    bench.attach(helper)
    let attached = bench.deeds
    bench.send(.app(farm, life: 1, .suspended(stint: 2, true)))
    bench.pass(.hours(1))
    bench.finish(1)
    let done = bench.pass(.seconds(1))

    #expect(attached.thaws == [farm] && attached.suspensions == [farm])
    #expect(done.ends == [])
  }

  @Test func `is told of a session again that it was told of before and did not open`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.ask(.enqueue(.made(2), isSuspended: true), as: bench.comeBackInForeground())
    bench.finish(1)
    bench.send(.detached(ConnectionID(5)), .app(farm, life: 2, .exited(status: "exited 0", isCrash: false)))
    bench.pass(.seconds(2))
    let client = bench.attachInBackground(life: 3, connection: 6)
    bench.order(.resume(TransferID(2)))
    bench.ask(.finishEvents("main"), as: client)
    let suspended = bench.deeds.suspensions
    bench.send(.app(farm, life: 3, .suspended(stint: 1, true)))

    bench.finish(2)

    #expect(suspended == [farm])
    #expect(bench.deeds.thaws == [farm])
    #expect(bench.deeds.messages == [.handleEvents(session: "main")])
  }

  @Test func `outlives the daemon, and attaches again when it is woken`() {
    var (bench, client) = Bench.withSuspendedApp(tasks: 1)
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)], frozen: true)
    let adopted = bench.view(farm)?.state

    bench.finish(1, attempt: 2)
    let woken = bench.deeds
    let again = Client(farm, pid: client.pid, connection: 9)
    bench.attach(again)

    #expect(adopted == .suspended)
    #expect(woken.thaws == [farm] && woken.messages.isEmpty)
    #expect(bench.deeds.messages == [.handleEvents(session: "main")])
  }
}

@Suite struct `An app that attaches in the background` {
  @Test func `again and again before it stands still does not fill its history with that`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.leave)
    bench.ask(.entered(1), as: client)
    let before = bench.rows.memory.history.count

    for connection in 100..<110 as Range<UInt64> {
      bench.attach(Client(farm, pid: client.pid, connection: connection))
      bench.send(.detached(ConnectionID(connection)))
    }
    let between = bench.rows.memory.history.count
    bench.attach(Client(farm, pid: client.pid, connection: 110))
    bench.stand()
    bench.attach(Client(farm, pid: client.pid, connection: 111))

    #expect(between == before)
    #expect(bench.rows.memory.history.map(\.kind).suffix(2) == [.suspended, .resumed])
  }

  @Test func `again and again does not run on for that, whether it confirms where it is or not`() {
    for confirms in [false, true] {
      var (bench, client) = Bench.withRunningApp()
      bench.order(.leave)
      bench.ask(.entered(1), as: client)
      var (rests, isKilled) = (0, false)
      for connection in 100..<110 as Range<UInt64> where !isKilled {
        bench.attach(Client(farm, pid: client.pid, connection: connection), confirms: confirms)
        rests += bench.deeds.suspensions.count
        bench.stand()
        isKilled = !bench.pass(.seconds(25)).ends.isEmpty
      }

      #expect(rests == (confirms ? 10 : 0))
      #expect(isKilled == !confirms)
    }
  }

  @Test func `and hangs up each time does not either`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    bench.send(.app(farm, life: 2, .launched(pid: 102)))
    bench.pass(.seconds(1))
    var told: [Int64?] = []
    for connection in 100..<104 as Range<UInt64> {
      let client = Client(farm, pid: 102, connection: connection)
      if case .attached(_, _, let transition, _, _)? = bench.attach(client, confirms: false) { told.append(transition) }
      bench.ask(.finishEvents("main"), as: client)
      bench.pass(.seconds(20))
      if bench.view(farm)?.state == .background { bench.send(.detached(client.connection)) }
    }

    #expect(told.prefix(2) == [1, 2])
    #expect(bench.view(farm)?.state == .ending)
  }
}

extension Bench {
  /// The app has queued so many tasks, whose attempts run, and is suspended.
  static func withSuspendedApp(tasks: UInt64 = 0, limits: Limits = Limits()) -> (Bench, Client) {
    var (bench, client) = withRunningApp(limits: limits)
    for number in 0..<tasks { bench.ask(.enqueue(.made(number + 1), isSuspended: false), as: client) }
    bench.order(.leave)
    bench.ask(.entered(1), as: client)
    bench.send(.app(farm, life: 1, .suspended(stint: 1, true)))
    return (bench, client)
  }

  /// A person launches the app once more; its session is open.
  fileprivate mutating func comeBackInForeground() -> Client {
    let client = Client(farm, pid: 55, connection: 5)
    order(.launch(farm, arguments: []))
    send(.app(farm, life: 2, .launched(pid: client.pid)))
    attach(client)
    ask(.openSession("main", sendsLaunchEvents: true), as: client)
    return client
  }
}
