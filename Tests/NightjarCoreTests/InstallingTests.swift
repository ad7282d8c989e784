import NightjarModel
import Testing

@testable import NightjarCore

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

  @Test func `an app takes the name of a program that is attached, and parts with it without ending it`() {
    var bench = Bench()
    let program = Client(farm, pid: 77, connection: 9, relaunch: ["/bin/farm"])
    bench.attach(program)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: program)
    bench.ask(.enqueue(.made(1), isSuspended: false), as: program)

    bench.send(.installed(farmApp, Ticket(99)))
    let (dismissed, ends) = (bench.deeds.contains(.dismiss(program.connection)), bench.deeds.ends)
    bench.send(.detached(program.connection))
    let shared = bench.ask(.openSession("main", sendsLaunchEvents: true), as: program)
    let again = bench.attach(Client(farm, pid: 77, connection: 10, relaunch: ["/bin/farm"]))
    bench.finish(1)
    let life = bench.deeds.launches.first?.life ?? 0
    let app = bench.attachInBackground(life: life, connection: 11)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: app)

    #expect(dismissed && ends == [])
    #expect(shared == .refused(.notAttached(farm)))
    #expect(again == .refused(.nameRefused("dev.example.Farm", reason: "an installed app has this name")))
    #expect(bench.deeds.tasksTold == [1])
  }

  @Test func `an app that takes the name of a program which the daemon has started can be launched at once`() {
    var (bench, life) = Self.withStartedProgram()

    bench.send(.installed(farmApp, Ticket(99)))
    let (parted, launched) = (bench.deeds.contains(.end(farm, life: life, politely: true)), bench.deeds.launches.first)
    bench.send(.app(farm, life: life, .exited(status: "exited 0", isCrash: false)))

    #expect(parted && life > 0)
    #expect(launched?.app == farmApp && (launched?.life ?? 0) > life)
    #expect(bench.view(farm)?.state != .notRunning)
  }

  @Test func `a program that outlived the daemon is not taken for the app that has its name by then`() {
    var (bench, life) = Self.withStartedProgram()

    bench.supervisor = Supervisor(bench.rows.memory, limits: bench.limits, at: bench.moment)
    bench.send(.installed(farmApp, nil))
    let found = bench.send(.adopted(farm, life: life, pid: 78, isFrozen: false))
    let begun = bench.send(.started)

    #expect(found.contains(.end(farm, life: life, politely: false)))
    #expect(begun.launches.map(\.app) == [farmApp])
    #expect(bench.supervisor.apps[farm]?.history.entries.map(\.kind) == [.launched, .exited, .launched])
  }

  /// A program that the daemon has started, in this life, to tell it of a download.
  private static func withStartedProgram() -> (Bench, life: Int) {
    var bench = Bench()
    let program = Client(farm, pid: 77, connection: 9, relaunch: ["/bin/farm"])
    bench.attach(program)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: program)
    bench.ask(.enqueue(.made(1), isSuspended: false), as: program)
    bench.send(.detached(program.connection))
    bench.finish(1)
    let life = bench.deeds.launches.first?.life ?? 0
    bench.send(.app(farm, life: life, .launched(pid: 78)))
    return (bench, life)
  }

  @Test func `what a program shows goes with its last connection`() {
    var bench = Bench()
    let program = Client(farm, pid: 77, connection: 9, relaunch: ["/bin/farm"])
    bench.attach(program)
    bench.ask(.show(view: 1, byteCount: 10), as: program)

    bench.send(.detached(program.connection))

    #expect(bench.deeds.contains(.dropView(farm)))
    #expect(bench.view(farm)?.view == nil)
  }

  @Test func `an app cannot take the command line's name`() {
    var bench = Bench()
    let impostor = InstalledApp(id: .commandLine, displayName: "", kind: farmApp.kind)

    bench.send(.installed(impostor, Ticket(9)))

    guard case .refused(.nameRefused)? = bench.answer(to: Ticket(9)) else { return #expect(bench.deeds.isEmpty) }
    #expect(bench.rows.memory.apps.isEmpty)
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
