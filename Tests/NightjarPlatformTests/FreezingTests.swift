import Glibc
import NightjarModel
import TestThreads
import Testing

@testable import NightjarPlatform

@Suite(.blocking) struct FreezingTests {
  @Test(arguments: [Ground.best, .noCgroups])
  func `a frozen app answers nothing until it is thawed`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let (pipe, back) = (Pipe(in: test.place), Pipe(in: test.place, "back"))
    let app = try test.install("while read line < \(back.path); do echo \"heard $line\" > \(pipe.path); done")
    _ = try test.launch(app)
    back.say("one")
    #expect(pipe.line() == "heard one")

    #expect(test.answer { test.launcher.freeze(app.id, life: 1, done: $0) } == true)
    back.say("two")
    #expect(test.launcher.running(app.id)?.isFrozen == true)
    #expect(test.answer { test.launcher.thaw(app.id, life: 1, done: $0) } == true)

    #expect(pipe.line() == "heard two")
  }

  @Test(arguments: [Ground.best, .noCgroups])
  func `a frozen app that is asked to end ends in its own way`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let pipe = Pipe(in: test.place)
    let app = try test.install("trap 'exit 6' TERM; echo ready > \(pipe.path); \(LauncherTests.idle)")
    _ = try test.launch(app)
    #expect(pipe.line() == "ready")
    #expect(test.answer { test.launcher.freeze(app.id, life: 1, done: $0) } == true)

    test.launcher.end(app.id, life: 1, politely: true)

    #expect(try test.next().fact == .exited(status: "exited 6", isCrash: false))
  }

  @Test(arguments: [Ground.best, .noCgroups])
  func `a frozen app can be killed, and launched anew unfrozen`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let pipe = Pipe(in: test.place)
    let app = try test.install("echo ready > \(pipe.path); \(LauncherTests.idle)")
    _ = try test.launch(app)
    #expect(pipe.line() == "ready")
    #expect(test.answer { test.launcher.freeze(app.id, life: 1, done: $0) } == true)

    test.launcher.end(app.id, life: 1, politely: false)

    #expect(try test.next().fact == .exited(status: "was killed by signal 9", isCrash: false))
    _ = try test.launch(app, life: 2)
    #expect(pipe.line() == "ready")
  }

  @Test func `an app that goes on without its first process can be frozen, and is thawed again`() throws {
    let test = try TestLauncher()
    guard test.isInCgroups else { return print("skipped: no cgroups for us here") }
    let (pipe, back) = (Pipe(in: test.place), Pipe(in: test.place, "back"))
    let heard = "while read line < \(back.path); do echo \"heard $line\" > \(pipe.path); done"
    let app = try test.install("setsid sh -c '\(heard)' & exit 0")
    let pid = try test.launch(app)
    #expect(try test.next(orphaned: true).fact == .orphaned(leader: pid))

    #expect(test.answer { test.launcher.freeze(app.id, life: 1, done: $0) } == true)
    back.say("one")
    #expect(test.launcher.running(app.id)?.isFrozen == true)
    #expect(test.answer { test.launcher.thaw(app.id, life: 1, done: $0) } == true)

    #expect(pipe.line() == "heard one")
  }

  @Test func `what does not run can be neither frozen nor thawed`() throws {
    let test = try TestLauncher()

    #expect(test.answer { test.launcher.freeze(AppID("none"), life: 1, done: $0) } == false)
    #expect(test.answer { test.launcher.thaw(AppID("none"), life: 1, done: $0) } == false)
  }
}
