import CNightjarSpawn
import Glibc
import NightjarModel
import TestThreads
import Testing

@testable import NightjarPlatform

/// An app whose first process has left its cgroup, as any process may.
@Suite(.blocking) struct LeavingTests {
  @Test func `an app whose first process has left its cgroup is not called frozen, and runs on`() throws {
    let test = try TestLauncher()
    guard test.isInCgroups else { return print("skipped: no cgroups for us here") }
    let (pipe, back) = (Pipe(in: test.place), Pipe(in: test.place, "back"))
    let app = try test.install(
      "sleep infinity & \(Self.leaving(test)); while read line < \(back.path); do echo \"heard $line\" > \(pipe.path); done"
    )
    _ = try test.launch(app)
    back.say("one")
    #expect(pipe.line() == "heard one")

    #expect(test.answer { test.launcher.freeze(app.id, life: 1, done: $0) } == false)

    back.say("two")
    #expect(pipe.line() == "heard two")
    #expect(test.launcher.running(app.id)?.isFrozen == false)
  }

  @Test func `a first process that has left its cgroup is killed, and its group with it`() throws {
    let test = try TestLauncher()
    guard test.isInCgroups else { return print("skipped: no cgroups for us here") }
    let pipe = Pipe(in: test.place)
    let app = try test.install("\(Self.leaving(test)); sh -c 'echo $$ > \(pipe.path); sleep infinity' & wait")
    _ = try test.launch(app)
    let child = nightjar_pidfd_open(try #require(pipe.line().flatMap { Int32($0) }))
    defer { close(child) }

    test.launcher.end(app.id, life: 1, politely: false)

    #expect(try test.next().fact == .exited(status: "was killed by signal 9", isCrash: false))
    #expect(Doorbell.wait(for: child, POLLIN))
  }

  @Test func `a home is not removed under a first process that has left its cgroup`() throws {
    let test = try TestLauncher()
    guard test.isInCgroups else { return print("skipped: no cgroups for us here") }
    let pipe = Pipe(in: test.place)
    let app = try test.install("\(Self.leaving(test)); echo ready > \(pipe.path); \(LauncherTests.idle)")
    let pid = try test.launch(app)
    #expect(pipe.line() == "ready")
    test.lookout.stop()

    let removal = try test.place.home.remove()

    var status: Int32 = 0
    let reaped = waitpid(pid, &status, WNOHANG)  // Nobody else does, now that its record is gone.
    #expect(reaped == pid && status & 0x7F == SIGKILL)
    #expect(removal.ended == [app.id.rawValue])
  }

  @Test func `an app that has left its cgroup is the app still`() throws {
    let test = try TestLauncher()
    guard test.isInCgroups else { return print("skipped: no cgroups for us here") }
    let socket = try Listener(at: test.place.home.socket)
    let app = try test.install("\(Self.leaving(test)); " + PeerTests.connecting(to: socket))
    let pid = try test.launch(app)

    let connection = try socket.accepted()
    let peer = try PeerIdentity(launcher: test.launcher).peer(of: connection.number)

    #expect(peer == Peer(pid: pid, uid: geteuid(), app: app.id))
  }

  @Test func `what an app has put into cgroups below its own counts as its own`() throws {
    let test = try TestLauncher()
    guard test.isInCgroups else { return print("skipped: no cgroups for us here") }
    let (pipe, own) = (Pipe(in: test.place), test.cgroupParent + "/dev.test.App")
    let app = try test.install(
      "mkdir \(own)/below; echo $$ > \(own)/below/cgroup.procs; echo ready > \(pipe.path); exec sleep infinity")
    let pid = try test.launch(app)
    #expect(pipe.line() == "ready")

    #expect(test.launcher.running(app.id)?.processes == [pid])
    #expect(test.answer { test.launcher.freeze(app.id, life: 1, done: $0) } == true)
  }

  /// What a script says to leave.
  private static func leaving(_ test: TestLauncher) -> String { "echo $$ > \(test.cgroupParent)/cgroup.procs" }
}
