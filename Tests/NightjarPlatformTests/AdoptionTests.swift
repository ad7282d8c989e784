import CNightjarSpawn
import Glibc
import NightjarModel
import TestThreads
import Testing

@testable import NightjarPlatform

@Suite(.blocking) struct AdoptionTests {
  @Test(arguments: Ground.allCases)
  func `an app outlives its daemon, and the next one hears how it ends`(ground: Ground) throws {
    let first = try TestLauncher(ground)
    let pipe = Pipe(in: first.place)
    let app = try first.install("echo ready > \(pipe.path); read line < \(pipe.path).go; exit 5")
    let go = Pipe(in: first.place, "pipe.go")
    let pid = try first.launch(app, life: 9)
    #expect(pipe.line() == "ready")
    first.lookout.stop()
    let second = try TestLauncher(ground.settings, in: first.place)

    let survivors = second.launcher.adopt()
    go.say("go")

    #expect(survivors == [Survivor(app: app.id, life: 9, pid: pid, isFrozen: false)])
    let ended = try second.next()
    #expect(ended.fact == .exited(status: "exited 5", isCrash: true) && ended.life == 9)
    #expect(TestHome.names(first.place.home.running) == [])
  }

  @Test(arguments: Ground.allCases)
  func `an app that is already dead is told of before its end`(ground: Ground) throws {
    let first = try TestLauncher(ground)
    let pid = try first.launch(try first.install(LauncherTests.idle), life: 3)
    first.lookout.stop()
    let dead = nightjar_pidfd_open(pid)
    defer { close(dead) }
    try #require(kill(-pid, SIGKILL) == 0 && Doorbell.wait(for: dead, POLLIN))
    let second = try TestLauncher(ground.settings, in: first.place)
    var hasEndedBefore: [Bool] = []

    second.launcher.adopt { _ in
      second.settle()
      hasEndedBefore.append(!second.hasNothingToSay)
    }

    #expect(hasEndedBefore == [false])
    #expect(try second.next().fact == .exited(status: "was killed by signal 9", isCrash: true))
  }

  @Test(arguments: [Ground.best, .noCgroups])
  func `a process that is no child of ours is adopted and ended as well`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let stranger = try Stranger(in: test.place)
    let leaf = test.isInCgroups ? try stranger.enter(test.cgroupParent + "/dev.test.App") : nil
    try stranger.record(leaf: leaf).write(in: test.place.home)

    let survivors = test.launcher.adopt()
    test.launcher.end(stranger.app, life: 1, politely: false)

    #expect(survivors.map(\.pid) == [stranger.pid])
    let ended = try test.next().fact
    // Whoever reaps it may do so before we look; then only newer kernels still know.
    let answers: [AppFact] = [
      .exited(status: "was killed by signal 9", isCrash: false),
      .exited(status: "ended in a way that is not known", isCrash: false),
    ]
    #expect(KernelVersion.running < KernelVersion("6.15") ? answers.contains(ended) : ended == answers[0])
  }

  @Test(arguments: Ground.allCases)
  func `a home that is removed leaves none of its apps running`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let app = try test.install("trap '' TERM; \(LauncherTests.idle)")
    let pid = try test.launch(app)
    test.lookout.stop()

    let removal = try test.place.home.remove()

    #expect(removal.ended == [app.id.rawValue])
    var status: Int32 = 0
    let reaped = waitpid(pid, &status, 0)  // Nobody else does, now that its record is gone.
    #expect(reaped == pid && status & 0x7F == SIGKILL)
    #expect(TestHome.status(test.place.home.data) == nil)
  }

  @Test(arguments: [true, false])
  func `a home is removed once all of an app's process group has ended, and not before`(leaderLives: Bool) throws {
    let remains = try Remains(leaderLives: leaderLives)

    _ = try remains.first.place.home.remove()

    var child = pollfd(fd: remains.child, events: Int16(POLLIN), revents: 0)
    let hasEnded = poll(&child, 1, 0) == 1
    #expect(hasEnded)
    if leaderLives { waitpid(remains.leader, nil, 0) }  // Nobody else does, now that its record is gone.
  }

  @Test func `a process group has ended once nothing of it runs, and not before, though somebody is yet to be reaped`()
    throws
  {
    let remains = try Remains(leaderLives: true)
    let record = try remains.record()
    defer { waitpid(remains.leader, nil, 0) }

    kill(remains.leader, SIGKILL)
    let withChild = record.groupHasEnded(by: .zero)
    kill(-remains.leader, SIGKILL)
    let withoutAny = record.groupHasEnded(by: Clocks.boot() + .seconds(30))

    #expect(!withChild && withoutAny)
  }

  @Test func `a frozen app stays frozen until it is thawed`() throws {
    let first = try TestLauncher()
    let pipe = Pipe(in: first.place)
    let app = try first.install("trap 'echo bye > \(pipe.path); exit 0' TERM; \(LauncherTests.idle)")
    _ = try first.launch(app)
    #expect(first.answer { first.launcher.freeze(app.id, life: 1, done: $0) } == true)
    first.lookout.stop()
    let second = try TestLauncher(Ground.best.settings, in: first.place)

    let survivors = second.launcher.adopt()

    #expect(survivors.map(\.isFrozen) == [true])
    #expect(second.answer { second.launcher.thaw(app.id, life: 1, done: $0) } == true)
    #expect(second.launcher.running(app.id)?.isFrozen == false)
  }

  @Test func `another process that got the same number is left alone`() throws {
    let test = try TestLauncher(.noCgroups)
    let stranger = try Stranger(in: test.place)
    var record = stranger.record(leaf: nil)
    record.startTime += 1
    try record.write(in: test.place.home)

    let survivors = test.launcher.adopt()

    #expect(survivors.isEmpty && kill(stranger.pid, 0) == 0)
    #expect(TestHome.names(test.place.home.running) == [])
  }

  @Test(arguments: [Ground.best, .noCgroups])
  func `a copy of a home leaves the original's apps alone`(ground: Ground) throws {
    let original = try TestLauncher(ground)
    let pid = try original.launch(try original.install(LauncherTests.idle))
    let copy = try TestHome()
    for name in ["home-id", "running/dev.test.App"] {
      _ = try copy.file("home/state/" + name, TestHome.text("\(original.place.home.state)/\(name)"))
    }
    let test = try TestLauncher(ground.settings, in: copy)
    let isCopy = try copy.home.id() == original.place.home.id()

    let survivors = test.launcher.adopt()
    let removal = try copy.home.remove()

    #expect(isCopy && survivors.isEmpty && removal.ended.isEmpty)
    #expect(ProcessStatus(of: pid)?.isZombie == false)
    #expect(TestHome.names(original.place.home.running) == ["dev.test.App"])
  }

  @Test func `records of an earlier boot, and what is no record, are swept away`() throws {
    let test = try TestLauncher(.noCgroups)
    let stranger = try Stranger(in: test.place)
    var record = stranger.record(leaf: nil)
    record.boot = "another"
    try record.write(in: test.place.home)
    _ = try test.place.file("home/state/running/dev.test.Torn", "life 1\npid")

    #expect(test.launcher.adopt().isEmpty)
    #expect(TestHome.names(test.place.home.running) == [])
  }

  @Test func `a record leaves those of other apps alone, whatever their names, and its draft is nobody's`() throws {
    let place = try TestHome()
    let records = ["dev.test.App.new", "dev.test.App"].map { name in
      RunningRecord(
        app: AppID(name), life: 1, pid: 2, startTime: 3, boot: "boot", leaf: nil, isProgram: false)
    }
    _ = try place.file("home/state/running/.new-dev.test.App", "life 1\npid 2\nstart 3\nboot boot\n")

    let before = RunningRecord.all(in: place.home)
    for record in records { try record.write(in: place.home) }

    #expect(before.isEmpty)
    #expect(Set(RunningRecord.all(in: place.home)) == Set(records))
    #expect(TestHome.names(place.home.running) == ["dev.test.App", "dev.test.App.new"])
  }

  @Test func `without cgroups, what a leader left is killed though it died while no daemon ran`() throws {
    let remains = try Remains()
    let second = try TestLauncher(Ground.noCgroups.settings, in: remains.first.place)

    #expect(second.launcher.adopt().isEmpty)

    #expect(Doorbell.wait(for: remains.child, POLLIN))
    #expect(TestHome.names(remains.first.place.home.running) == [])
  }

  @Test func `without cgroups, what a leader left is killed though nothing but its number can reach it`() throws {
    let remains = try Remains()
    let launcher = remains.first.launcher
    let gone = try #require(launcher.running(remains.app))
    // As older kernels have it: the pidfd of a leader that was reaped leads to no group.
    let running = Running(
      app: gone.app, life: gone.life, pid: gone.pid, startTime: gone.startTime,
      pidfd: Descriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC)), leaf: nil, isProgram: false)

    launcher.endGroup(of: running)

    #expect(Doorbell.wait(for: remains.child, POLLIN))
  }

  @Test func `a process group that got the number of another life is left alone`() throws {
    let remains = try Remains()
    var record = try remains.record()
    record.life += 1
    try record.write(in: remains.first.place.home)
    let second = try TestLauncher(Ground.noCgroups.settings, in: remains.first.place)

    #expect(second.launcher.adopt().isEmpty)

    #expect(remains.answer() == "alive")
    #expect(TestHome.names(remains.first.place.home.running) == [])
  }

  @Test func `a process group of another home's app is left alone, whatever life it has`() throws {
    let remains = try Remains()
    let other = try TestLauncher(.noCgroups)
    try remains.record().write(in: other.place.home)

    #expect(other.launcher.adopt().isEmpty)

    #expect(remains.answer() == "alive")
    #expect(TestHome.names(other.place.home.running) == [])
  }

  @Test func `what nobody wrote down is killed, in this home and in no other`() throws {
    let (test, other) = (try TestLauncher(), try TestLauncher())
    guard test.isInCgroups else { return print("skipped: no cgroups for us here") }
    let (mine, theirs) = (try Stranger(in: test.place), try Stranger(in: other.place))
    let leaf = try mine.enter(test.cgroupParent + "/dev.test.Unknown")
    let theirLeaf = try theirs.enter(other.cgroupParent + "/dev.test.Unknown")

    #expect(test.launcher.adopt().isEmpty)

    #expect(Doorbell.wait(for: mine.pidfd, POLLIN) && kill(theirs.pid, 0) == 0)
    #expect(TestHome.status(leaf.path) == nil)
    #expect(theirLeaf.kill())
    theirLeaf.waitUntilEmpty(milliseconds: 30_000)
    theirLeaf.remove()
  }

  @Test func `an app whose leader is gone lives on in its cgroup, and the daemon hears of that`() throws {
    let test = try TestLauncher()
    guard test.isInCgroups else { return print("skipped: no cgroups for us here") }
    let stranger = try Stranger(in: test.place)
    var record = stranger.record(leaf: try stranger.enter(test.cgroupParent + "/dev.test.App"))
    record.startTime += 1  // Its leader was another.
    try record.write(in: test.place.home)

    let survivors = test.launcher.adopt()
    let left = try test.next(orphaned: true)
    test.launcher.end(stranger.app, life: 1, politely: true)

    #expect(survivors.count == 1)
    #expect(left == TestLauncher.Fact(app: stranger.app, life: 1, fact: .orphaned(leader: record.pid)))
    #expect(try test.next().fact == .exited(status: "ended in a way that is not known", isCrash: false))
  }
}

extension Launcher {
  fileprivate func adopt() -> [Survivor] {
    var survivors: [Survivor] = []
    adopt { survivors.append($0) }
    return survivors
  }
}

/// What is left of an app without a cgroup: no daemon, most often no leader, but a child of that.
final class Remains {
  let first: TestLauncher
  let app: AppID
  /// Reaped already, unless it lives.
  let leader: Int32
  /// The child's pidfd.
  let child: Int32
  private let pipe: Pipe
  private let go: Pipe

  init(leaderLives: Bool = false) throws {
    let first = try TestLauncher(.noCgroups)
    let (pipe, go) = (Pipe(in: first.place), Pipe(in: first.place, "pipe.go"))
    let script = "echo $$ > \(pipe.path); read line < \(go.path); echo alive > \(pipe.path)"
    let app = try first.install("sh -c '\(script)' & wait")
    let leader = try first.launch(app)
    let pid = try #require(pipe.line().flatMap { Int32($0) })
    child = nightjar_pidfd_open(pid)
    first.lookout.stop()
    if !leaderLives {
      kill(leader, SIGKILL)
      waitpid(leader, nil, 0)
    }
    (self.first, self.app, self.leader, self.pipe, self.go) = (first, app.id, leader, pipe, go)
  }

  deinit {
    _ = nightjar_pidfd_signal(child, SIGKILL, false)
    close(child)
  }

  /// What was written down of the app.
  func record() throws -> RunningRecord {
    try #require(first.launcher.running(app)).record(in: first.launcher.boot)
  }

  /// What the child says when it is asked; nil if it is gone.
  func answer() -> String? {
    go.say("go")
    return pipe.line()
  }
}

/// A process that is init's child, as an app is after its daemon has died.
final class Stranger: Sendable {
  let app = AppID("dev.test.App")
  let pid: Int32
  let pidfd: Int32
  private let place: TestHome

  init(in place: TestHome) throws {
    self.place = place
    let pipe = Pipe(in: place, "stranger")
    let never = place.root + "/never"
    let life = "echo $$ > \(pipe.path); while :; do read line <> \(never); done"
    let script = "mkfifo \(never); setsid sh -c '\(life)' >/dev/null 2>&1 &"
    try #require(Doorbell.shell(script) == 0)
    pid = try #require(pipe.line().flatMap { Int32($0) })
    pidfd = nightjar_pidfd_open(pid)
    try #require(pidfd >= 0)
  }

  deinit {
    _ = nightjar_pidfd_signal(pidfd, SIGKILL, false)
    Doorbell.wait(for: pidfd, POLLIN)
    close(pidfd)
  }

  /// Puts it into a cgroup.
  func enter(_ path: String) throws -> Leaf {
    let leaf = try Leaf(at: path)
    let file = open(path + "/cgroup.procs", O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    let text = "\(pid)"
    try #require(write(file, text, text.utf8.count) > 0)
    return leaf
  }

  func record(leaf: Leaf?) -> RunningRecord {
    RunningRecord(
      app: app, life: 1, pid: pid, startTime: ProcessStatus(of: pid)?.startTime ?? 0,
      boot: (try? Clocks().now().bootID.rawValue) ?? "",
      leaf: leaf.map { RunningRecord.LeafName(path: $0.path, inode: $0.inode) }, isProgram: false)
  }
}
