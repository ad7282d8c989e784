import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `An app in the switcher` {
  @Test func `stands before those that were used earlier, over a restart too`() {
    var (bench, _) = Bench.withRunningApp()
    bench.send(.installed(otherApp, nil))
    let unused = bench.view(other)?.card.used

    bench.order(.launch(other, arguments: []))
    let otherIsNewer = bench.place(other) > bench.place(farm)
    bench.order(.launch(farm, arguments: []))
    bench.restart()
    bench.order(.launch(other, arguments: []))

    #expect(unused == nil)
    #expect(otherIsNewer)
    #expect(bench.place(other) > bench.place(farm))
  }

  @Test func `has the snapshot of what it showed when it confirmed that it was left`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.show(view: 1, byteCount: 10), as: client)
    bench.order(.leave)
    let early = bench.deeds.snapshots

    bench.ask(.entered(1), as: client)
    let taken = bench.deeds.snapshots
    bench.send(.app(farm, life: 1, .suspended(stint: 1, true)))

    #expect(early == [])
    #expect(taken == [farm])
    #expect(bench.view(farm)?.card.snapshot != nil)
    #expect(bench.view(farm)?.view == nil && bench.deeds.contains(.dropView(farm)))
  }

  @Test func `has that snapshot, too, if the daemon died before it heard of that, and the app confirms to the next`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.show(view: 1, byteCount: 10), as: client)
    bench.order(.leave)
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])

    bench.attach(client, confirms: false)
    bench.ask(.show(view: 2, byteCount: 10), as: client)
    let early = bench.deeds.snapshots
    bench.ask(.entered(1), as: client)

    #expect(early == [] && bench.deeds.snapshots == [farm])
    #expect(bench.view(farm)?.card.snapshot != nil)
  }

  @Test func `gets no new snapshot in the middle of its work, though a later daemon asks it where it is`() {
    var (bench, client) = Bench.withSuspendedApp()
    bench.fetch()
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])

    bench.attach(client, confirms: false)
    bench.ask(.show(view: 2, byteCount: 10), as: client)
    bench.ask(.entered(1), as: client)

    #expect(bench.deeds.snapshots == [])
  }

  @Test func `gets a new snapshot when it has handled its events in the background, and not in the foreground`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.show(view: 1, byteCount: 10), as: client)
    bench.ask(.finishEvents("main"), as: client)
    let inForeground = bench.deeds.snapshots
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.order(.leave)
    bench.ask(.entered(1), as: client)
    bench.send(.app(farm, life: 1, .suspended(stint: 1, true)))
    let first = bench.view(farm)?.card.snapshot ?? 0

    bench.finish(1)
    bench.ask(.acknowledge([1]), as: client)
    bench.ask(.show(view: 2, byteCount: 10), as: client)
    bench.ask(.finishEvents("main"), as: client)

    #expect(inForeground == [])
    #expect(bench.deeds.snapshots == [farm])
    #expect(bench.view(farm)?.card.snapshot ?? 0 > first)
  }

  @Test func `does not promise what it asked not to be shown, until it was launched again`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.ignoreSnapshot, as: client)
    bench.restart()
    let isStale = bench.view(farm)?.card.isStale

    bench.order(.launch(farm, arguments: []))

    #expect(isStale == true)
    #expect(bench.view(farm)?.card.isStale == false)
  }

  @Test func `is refused a view that is too large`() {
    var (bench, client) = Bench.withRunningApp()

    let answer = bench.ask(.show(view: 1, byteCount: (256 << 10) + 1), as: client)

    #expect(answer == .refused(.limitReached(what: "bytes of a view", limit: 256 << 10)))
    #expect(bench.view(farm)?.view == nil)
  }

  @Test func `hears what a person does in its view while it is in the foreground, and then only`() {
    var (bench, client) = Bench.withRunningApp()
    let action = ViewAction("buy", fields: ["count": "3"])

    bench.order(.act(farm, action))
    let told = bench.deeds.messages
    let tooLong = bench.order(.act(farm, ViewAction(String(repeating: "x", count: 257))))
    let tooMuch = bench.order(.act(farm, ViewAction("buy", fields: ["a": String(repeating: "x", count: 64 << 10)])))
    bench.order(.leave)
    bench.ask(.entered(1), as: client)
    let late = bench.order(.act(farm, action))

    #expect(told == [.acted(action)])
    #expect(tooLong == .refused(.invalid(field: "action", reason: "an action's name has 1 to 256 bytes")))
    #expect(tooMuch == .refused(.limitReached(what: "bytes of an action and its fields", limit: 64 << 10)))
    #expect(late == .refused(.notInForeground(farm)))
  }
}

@Suite struct `An app that is removed from the switcher` {
  @Test func `ends, loses its transfers, and is launched for nothing until a person launches it`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    bench.order(.removeFromSwitcher(farm))
    let removal = bench.deeds
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    let after = bench.pass(.days(2))
    bench.restart()
    let restarted = bench.pass(.days(2))
    let verdict = bench.view(farm)?.verdict
    bench.order(.launch(farm, arguments: []))

    #expect(removal.ends == [true])
    #expect(removal.contains(.forgetLooks(farm)))
    #expect(after.launches.isEmpty && restarted.launches.isEmpty)
    #expect(verdict == .waits(.removedFromSwitcher, atMost: nil))
    #expect(bench.deeds.launches.map(\.isBackground) == [false])
    #expect(bench.view(farm)?.card.isRemoved == false)
  }

  @Test func `hears at its next launch that a person has cancelled its transfers`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.order(.removeFromSwitcher(farm))
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    bench.order(.launch(farm, arguments: []))
    let later = bench.attachInBackground(life: 2, connection: 7)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: later)

    let codes = bench.deeds.messages.map { message -> TransferFailure.Code? in
      if case .ended(let ended) = message, case .failed(let failure) = ended.outcome { return failure.code }
      return nil
    }
    #expect(codes.compactMap(\.self) == [.cancelledByPerson])
  }

  @Test func `is killed where it stands if it is suspended`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.leave)
    bench.ask(.entered(1), as: client)
    bench.send(.app(farm, life: 1, .suspended(stint: 1, true)))

    bench.order(.removeFromSwitcher(farm))

    #expect(bench.deeds.ends == [false])
    #expect(bench.view(farm)?.card == Card(isRemoved: true))
  }

  @Test func `while it is about to be launched once more is not launched, and whoever waits for that is refused`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.removeFromSwitcher(farm))
    let launch = bench.ticket()
    bench.send(.ordered(.launch(farm, arguments: []), launch))

    let answer = bench.order(.removeFromSwitcher(farm))
    let refusal = bench.answer(to: launch)
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    let failure = LaunchFailure(.refused, "it was removed from the switcher meanwhile")
    #expect(answer == .done && refusal == .refused(.launchFailed(farm, failure)))
    #expect(bench.deeds.launches.isEmpty && bench.view(farm)?.card.isRemoved == true)
    #expect(bench.rows.memory.history.filter { $0.kind == .terminated }.count == 1)
  }

  @Test func `once more, since a process that nobody launched is there, ends that`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.removeFromSwitcher(farm))
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    bench.attach(Client(farm, pid: 77, connection: 9))

    bench.order(.removeFromSwitcher(farm))

    #expect(bench.deeds.ends == [true])
  }

  @Test(arguments: [false, true])
  func `is ended by the next daemon, where this one was killed before it could`(isFrozen: Bool) {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.removeFromSwitcher(farm))

    bench.restart(adopting: [(farm, life: 1, pid: client.pid)], frozen: isFrozen)
    let view = bench.view(farm)
    let late = bench.pass(.seconds(6))

    #expect(view?.state == .ending)
    #expect(late.ends == [false])
  }

  @Test func `is forgotten by the next daemon, where this one was killed before it could, and no other app is`() {
    var bench = Bench.withApp()
    bench.send(.installed(otherApp, nil))
    bench.order(.removeFromSwitcher(farm))

    bench.restart()
    let forgotten = bench.deeds.forgotten
    bench.order(.launch(farm, arguments: []))
    bench.restart()

    #expect(forgotten == [farm])
    #expect(bench.deeds.forgotten == [])
  }

  @Test func `is back when a person launches it, though a process that nobody launched is there already`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.removeFromSwitcher(farm))
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    let stray = Client(farm, pid: 77, connection: 9)
    bench.attach(stray)

    bench.order(.launch(farm, arguments: []))
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: stray)
    bench.ask(.enqueue(.made(5), isSuspended: false), as: stray)

    #expect(bench.deeds.starts.map(\.id) == [TransferID(1)])
    #expect(bench.rows.memory.apps.map(\.card.isRemoved) == [false])
  }

  @Test func `keeps nothing that it queues on its way out, and nothing that it saves`() {
    var (bench, client) = Bench.withRunningApp()
    bench.order(.removeFromSwitcher(farm))

    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    let starts = bench.deeds.starts
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    #expect(starts.isEmpty)
    #expect(bench.deeds.contains(.forgetLooks(farm)))
  }

  @Test func `a protected look is hidden after a start until something is heard of the lock`() {
    var bench = Bench.withProtectedApp()
    bench.supervisor = Supervisor(bench.rows.memory, at: bench.moment)

    let before = bench.view(farm)?.isHidden
    bench.send(.started)
    let after = bench.view(farm)?.isHidden
    bench.order(.simulate(SimulatedConditions(isLocked: true)))

    #expect(before == true && after == false)
    #expect(bench.view(farm)?.isHidden == true)
  }

  @Test(arguments: [Conditions(isLocked: true), Conditions(isLockAwaited: true)])
  func `a protected look stays hidden while the lock that hid it is unknown`(sensed: Conditions) {
    var bench = Bench.withProtectedApp()
    bench.send(.sensed(sensed))
    let locked = bench.view(farm)?.isHidden
    if sensed.isLocked { bench.send(.sensed(Conditions())) }
    let unknown = bench.view(farm)?.isHidden
    let other = bench.supervisor.device.conditions.isLocked

    bench.send(.sensed(Conditions(isLocked: false)))

    #expect(locked == true && unknown == true && !other)
    #expect(bench.view(farm)?.isHidden == false)
  }

  @Test func `a protected look is shown where nothing tells of a lock, or a person says that it is open`() {
    var bench = Bench.withProtectedApp()
    bench.send(.sensed(Conditions(isLockAwaited: true)))
    bench.send(.sensed(Conditions()))
    let lacking = bench.view(farm)?.isHidden

    bench.send(.sensed(Conditions(isLocked: true)))
    bench.send(.sensed(Conditions()))
    bench.order(.simulate(SimulatedConditions(isLocked: false)))
    let said = bench.view(farm)?.isHidden
    bench.order(.endSimulation)

    #expect(lacking == false && said == false)
    #expect(bench.view(farm)?.isHidden == true)
  }
}

extension Bench {
  fileprivate static func withProtectedApp() -> Bench {
    var bench = Bench.withApp()
    var app = bench.supervisor.apps[farm]!.record.installed
    app.isProtected = true
    bench.send(.installed(app, nil))
    return bench
  }

  fileprivate func place(_ app: AppID) -> Int64 { view(app)?.card.used ?? 0 }
}

extension [Deed] {
  fileprivate var snapshots: [AppID] { compactMap { if case .keepSnapshot(let app) = $0 { app } else { nil } } }
  fileprivate var forgotten: [AppID] { compactMap { if case .forgetLooks(let app) = $0 { app } else { nil } } }
}
