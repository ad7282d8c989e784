import CNightjarSpawn
import Foundation
import NightjarModel
import Synchronization
import TestThreads
import Testing

@testable import NightjarPlatform

@Suite(.blocking) struct LauncherTests {
  @Test(arguments: Ground.allCases)
  func `an app runs in its container with nothing of the daemon's`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let app = try test.install("pwd; echo \"$@\"; env | sort; exit 0")

    let pid = try test.launch(app, life: 7, arguments: ["one", "two words"])
    let ended = try test.next()

    #expect(pid > 1 && ended.fact == .exited(status: "exited 0", isCrash: false) && ended.life == 7)
    let container = test.place.home.container(app.id)
    let said = TestHome.text(test.place.home.log(app.id)).split(separator: "\n").map(String.init)
    #expect(Array(said.prefix(2)) == [container.path, "one two words"])
    for line in [
      "HOME=\(container.path)", "CFFIXED_USER_HOME=\(container.path)", "TMPDIR=\(container.temporary)",
      "XDG_CONFIG_HOME=\(container.preferences)", "XDG_DATA_HOME=\(container.support)",
      "XDG_CACHE_HOME=\(container.caches)", "NIGHTJAR_APP=dev.test.App", "NIGHTJAR_LIFE=7",
      "NIGHTJAR_SOCKET=\(test.place.home.socket)", "LANG=C.UTF-8",
    ] {
      #expect(said.contains(line), "\(line)")
    }
    #expect(!said.contains { $0.contains("hush") })
    #expect(TestHome.mode(test.place.home.log(app.id)) == 0o600)
    #expect(TestHome.names(test.place.home.running) == [])
  }

  @Test(arguments: Ground.allCases)
  func `an app starts with three descriptors and no signal blocked or ignored`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let app = try test.install("grep -E 'Sig(Blk|Ign)' /proc/self/status; exec ls /proc/self/fd")
    var all = sigset_t()
    sigfillset(&all)
    signal(SIGPIPE, SIG_IGN)  // As NIO has it in this process, once and for all.
    test.lookout.perform { [all] in _ = withUnsafePointer(to: all) { pthread_sigmask(SIG_SETMASK, $0, nil) } }

    _ = try test.launch(app)
    _ = try test.next()

    let said = TestHome.text(test.place.home.log(app.id)).split(whereSeparator: \.isWhitespace).map(String.init)
    // The fourth descriptor is the folder that ls(1) looks at.
    #expect(said == ["SigBlk:", "0000000000000000", "SigIgn:", "0000000000000000", "0", "1", "2", "3"])
  }

  @Test(arguments: Ground.allCases, [("kill -SEGV $$", "was killed by signal 11"), ("exit 3", "exited 3")])
  func `a crash is told as one`(ground: Ground, end: (script: String, status: String)) throws {
    let test = try TestLauncher(ground)
    let app = try test.install(end.script)

    _ = try test.launch(app)

    #expect(try test.next().fact == .exited(status: end.status, isCrash: true))
  }

  @Test(arguments: Ground.allCases)
  func `an app that is asked to end may end in its own way`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let pipe = Pipe(in: test.place)
    let app = try test.install("trap 'echo bye > \(pipe.path); exit 4' TERM; echo ready > \(pipe.path); \(Self.idle)")
    _ = try test.launch(app)
    #expect(pipe.line() == "ready")

    test.launcher.end(app.id, life: 1, politely: true)

    #expect(pipe.line() == "bye")
    #expect(try test.next().fact == .exited(status: "exited 4", isCrash: false))
  }

  @Test(arguments: Ground.allCases)
  func `an app that will not end is killed`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let pipe = Pipe(in: test.place)
    let app = try test.install("trap '' TERM; echo ready > \(pipe.path); \(Self.idle)")
    _ = try test.launch(app)
    #expect(pipe.line() == "ready")

    test.launcher.end(app.id, life: 1, politely: false)

    #expect(try test.next().fact == .exited(status: "was killed by signal 9", isCrash: false))
  }

  @Test(arguments: Ground.allCases)
  func `what waits for an app's end comes after it, and soon if the app does not run`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let app = try test.install(Self.idle)
    _ = try test.launch(app)
    let (later, soon, other) = (Doorbell(), Doorbell(), AppID("dev.test.Other"))

    test.launcher.afterEnd(of: app.id) { [launcher = test.launcher] in
      if launcher.running(app.id) == nil { later.ring() }
    }
    test.launcher.afterEnd(of: other) { soon.ring() }
    let isSoon = soon.wait()
    test.launcher.end(app.id, life: 1, politely: false)

    #expect(isSoon && later.wait())
    _ = try test.next()
  }

  @Test func `a cgroup takes along what made a session of its own`() throws {
    let test = try TestLauncher()
    guard test.isInCgroups else { return print("skipped: no cgroups for us here") }
    let pipe = Pipe(in: test.place)
    let app = try test.install("setsid sh -c 'echo $$ > \(pipe.path); \(Self.idle)' & \(Self.idle)")
    _ = try test.launch(app)
    let child = nightjar_pidfd_open(try #require(pipe.line().flatMap { Int32($0) }))
    defer { close(child) }

    test.launcher.end(app.id, life: 1, politely: false)

    _ = try test.next()
    #expect(Doorbell.wait(for: child, POLLIN))
  }

  @Test func `an app is gone when its cgroup is empty and not before`() throws {
    let test = try TestLauncher()
    guard test.isInCgroups else { return print("skipped: no cgroups for us here") }
    let (pipe, back) = (Pipe(in: test.place), Pipe(in: test.place, "back"))
    let app = try test.install("setsid sh -c 'read line < \(back.path)' & echo started > \(pipe.path); exit 0")
    let pid = try test.launch(app)
    let leader = nightjar_pidfd_open(pid)
    if leader >= 0 {
      #expect(Doorbell.wait(for: leader, POLLIN))
      close(leader)
    }
    #expect(try test.next(orphaned: true).fact == .orphaned(leader: pid))
    test.settle()
    #expect(test.hasNothingToSay)

    back.say("go")

    #expect(try test.next().fact == .exited(status: "exited 0", isCrash: false))
    #expect(!TestHome.names(test.cgroupParent).contains(app.id.rawValue))
  }

  @Test func `without cgroups the process group goes with its leader`() throws {
    let test = try TestLauncher(.noCgroups)
    let pipe = Pipe(in: test.place)
    let app = try test.install("sh -c 'echo $$ > \(pipe.path); \(Self.idle)' & read line < \(pipe.path).go")
    let go = Pipe(in: test.place, "pipe.go")
    _ = try test.launch(app)
    let child = nightjar_pidfd_open(try #require(pipe.line().flatMap { Int32($0) }))
    defer { close(child) }

    go.say("go")

    #expect(try test.next().fact == .exited(status: "exited 0", isCrash: false))
    #expect(Doorbell.wait(for: child, POLLIN))
  }

  @Test func `a repeated order is answered again, and another life has to wait`() throws {
    let test = try TestLauncher()
    let app = try test.install(Self.idle)
    let pid = try test.launch(app, life: 3)

    #expect(try test.launch(app, life: 3) == pid)
    test.launcher.launch(LaunchOrder(app: app, life: 4, isBackground: true))

    let refusal = try test.next()
    guard case .launchFailed(let failure) = refusal.fact else { return #expect(Bool(false), "\(refusal)") }
    #expect(refusal.life == 4 && failure.code == .refused && failure.detail.contains("\(pid)"))
  }

  @Test(.enabled(if: access("/usr/bin/strace", X_OK) == 0), .timeLimit(.minutes(1)))
  func `who traces an app is seen, for as long as it does`() throws {
    let test = try TestLauncher()
    let pipe = Pipe(in: test.place)
    let app = try test.install("echo ready > \(pipe.path); \(LauncherTests.idle)")
    let pid = try test.launch(app)
    #expect(pipe.line() == "ready")
    #expect(ProcessStatus.tracer(of: pid) == nil)

    var tracer: pid_t = 0
    let words = ["strace", "-qqo", "/dev/null", "-p", "\(pid)"]
    let arguments = words.map { word -> UnsafeMutablePointer<CChar>? in strdup(word) } + [nil]
    defer { arguments.forEach { free($0) } }
    try #require(posix_spawn(&tracer, "/usr/bin/strace", nil, nil, arguments, environ) == 0)
    let isSeen = Doorbell.look { ProcessStatus.tracer(of: pid) == tracer }
    kill(tracer, SIGKILL)
    waitpid(tracer, nil, 0)

    #expect(isSeen)
    #expect(ProcessStatus.tracer(of: pid) == nil)
  }

  @Test(.enabled(if: access("/usr/bin/strace", X_OK) == 0), .timeLimit(.minutes(1)))
  func `an app that traces itself is traced by nobody`() throws {
    let test = try TestLauncher()
    let app = try test.install("strace -qqo /dev/null -p $$ & \(LauncherTests.idle)")
    let pid = try test.launch(app)
    #expect(Doorbell.look { ProcessStatus.tracer(of: pid) != nil })

    let tracer = Mutex<Int32?>(0)
    _ = test.answer { done in
      test.launcher.inspect(app.id, life: 1) { found in
        tracer.withLock { $0 = found }
        done(true)
      }
    }

    #expect(tracer.withLock { $0 } == nil)
  }

  @Test func `an order for a life that is over does nothing`() throws {
    let test = try TestLauncher()
    let app = try test.install(Self.idle)
    let pid = try test.launch(app, life: 2)

    test.launcher.end(app.id, life: 1, politely: false)
    test.settle()

    #expect(test.hasNothingToSay && kill(pid, 0) == 0)
  }

  @Test(arguments: Ground.allCases)
  func `what cannot be run is refused with the reason`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let gone = try test.install("exit 0", id: "dev.test.Gone")
    unlink(test.place.home.apps + "/dev.test.Gone/Test.app/run")
    let wordless = try test.install("exit 0", id: "dev.test.Wordless")
    _ = try test.place.file("home/data/apps/dev.test.Wordless/Test.app/run", "neither script nor program", mode: 0o700)
    let lost = try test.install("exit 0", id: "dev.test.Lost")
    _ = try test.place.file("home/data/apps/dev.test.Lost/Test.app/run", "#!/no/such/interpreter\n", mode: 0o700)

    let wanted: [(InstalledApp, LaunchFailure.Code)] = [
      (gone, .notInstalled), (wordless, .refused), (lost, .notInstalled),
    ]
    for (app, code) in wanted {
      test.launcher.launch(LaunchOrder(app: app, life: 1, isBackground: true))
      let fact = try test.next()
      guard case .launchFailed(let failure) = fact.fact else { return #expect(Bool(false), "\(fact)") }
      #expect(failure.code == code && failure.detail.contains("/run"), "\(failure)")
    }
    #expect(TestHome.names(test.place.home.running) == [])
  }

  @Test func `a log that has grown is moved aside at the next launch`() throws {
    var settings = Ground.best.settings
    settings.logBytesMax = 4
    let test = try TestLauncher(settings, in: TestHome())
    let app = try test.install("echo \"life $NIGHTJAR_LIFE\"")

    for life in 1...3 {
      _ = try test.launch(app, life: life)
      _ = try test.next()
    }

    #expect(TestHome.text(test.place.home.log(app.id)) == "life 3\n")
    #expect(TestHome.text(test.place.home.log(app.id) + ".1") == "life 2\n")
  }

  @Test func `a named pipe in the place of a log, or of what is to be written, holds nobody up`() throws {
    let test = try TestLauncher()
    let app = try test.install("echo here")
    let log = test.place.home.log(app.id)
    for path in [log, test.place.home.running + "/.new-\(app.id)"] { try #require(mkfifo(path, 0o600) == 0) }

    _ = try test.launch(app)
    _ = try test.next()

    #expect(TestHome.text(log) == "here\n")
    #expect(TestHome.status(log + ".1").map { $0.st_mode & S_IFMT } == S_IFIFO)
  }

  @Test func `an app's output waits for its disk, as any program's`() throws {
    let test = try TestHome()

    let log = try AppLog.opened(test.root + "/log", bytesMax: 1)

    #expect(fcntl(log.number, F_GETFL) & (O_NONBLOCK | O_APPEND) == O_APPEND)
  }

  @Test func `a program is started along PATH, as it is`() throws {
    let test = try TestLauncher()
    let pipe = Pipe(in: test.place)
    let command = ["sh", "-c", "echo $HOME $NIGHTJAR_APP $0 > \(pipe.path); read line <> \(pipe.path).no", "word"]
    let program = InstalledApp(id: AppID("tool"), displayName: "Tool", kind: .program(relaunch: command))
    let never = Pipe(in: test.place, "pipe.no")
    let pid = try test.launch(program)
    #expect(pipe.line() == "/ tool word")

    #expect(Cgroups.folder(ofProcess: "\(pid)") == Cgroups.ownFolder())
    kill(pid, SIGTERM)
    #expect(try test.next().fact == .exited(status: "was killed by signal 15", isCrash: false))
    withExtendedLifetime(never) {}
  }

  @Test func `a program is never ended but parted with, and another life of its name begins`() throws {
    let test = try TestLauncher()
    let pipe = Pipe(in: test.place)
    let program = InstalledApp(
      id: AppID("tool"), displayName: "Tool", kind: .program(relaunch: ["sh", "-c", "read line < \(pipe.path)"]))
    let former = try test.launch(program)

    test.launcher.end(program.id, life: 1, politely: false)
    test.settle()
    let (isLeft, isAlive) = (TestHome.names(test.place.home.running) == [], kill(former, 0) == 0)
    #expect(try test.next().fact == .exited(status: "was parted with", isCrash: false))
    let later = try test.launch(program, life: 2)
    kill(former, SIGKILL)
    let isReaped = Doorbell.look { kill(former, 0) != 0 }

    #expect(isLeft && isAlive && isReaped && later != former && test.hasNothingToSay)
    kill(later, SIGKILL)
    #expect(try test.next().life == 2)
  }

  @Test func `a program whose command is gone is told so`() throws {
    let test = try TestLauncher()
    for command in [[], ["no-such-command-here"], ["/no/such/command"], ["relative/command"]] {
      let program = InstalledApp(id: AppID("tool"), displayName: "Tool", kind: .program(relaunch: command))

      test.launcher.launch(LaunchOrder(app: program, life: 1, isBackground: true))

      let fact = try test.next()
      guard case .launchFailed(let failure) = fact.fact else { return #expect(Bool(false), "\(fact)") }
      #expect(failure.code == .notInstalled && failure.detail.contains("register"), "\(failure)")
    }
    #expect(TestHome.names(test.place.home.running) == [])
  }

  @Test(arguments: Ground.allCases)
  func `many launches while other threads take locks never hang`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let apps = try (0..<4).map { try test.install("exit 0", id: "dev.test.App\($0)") }
    let isOver = Mutex(false)
    Thread.detachNewThread {
      var kept: [[Int]] = []
      while !isOver.withLock({ $0 }) {
        kept.append(Array(repeating: 1, count: 500))
        if kept.count > 50 { kept = [] }
        signal(SIGUSR2, SIG_DFL)
      }
    }
    defer { isOver.withLock { $0 = true } }

    for life in 1...25 {
      for app in apps { test.launcher.launch(LaunchOrder(app: app, life: life, isBackground: true)) }
      var ended = 0
      while ended < apps.count {
        if case .exited(let status, _) = try test.next().fact {
          #expect(status == "exited 0")
          ended += 1
        }
      }
    }
  }

  @Test func `daemons that come and go do not take each other's cgroups away`() async throws {
    guard try TestLauncher().isInCgroups else { return print("skipped: no cgroups for us here") }

    let all = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<32 { group.addTask { try TestLauncher().isInCgroups } }
      return try await group.reduce(true) { $0 && $1 }
    }

    #expect(all)
  }

  @Test func `a daemon that tries out cgroups leaves those of apps alone, whatever their names`() throws {
    let first = try TestLauncher()
    guard first.isInCgroups else { return print("skipped: no cgroups for us here") }
    let leaf = try Leaf(at: first.cgroupParent + "/probe")

    let second = try TestLauncher(Ground.best.settings, in: first.place)

    #expect(second.isInCgroups)
    #expect(TestHome.status(leaf.path).map { UInt64($0.st_ino) } == leaf.inode)
    leaf.remove()
    withExtendedLifetime(first) {}
  }

  /// Waits for ever; a trap runs at once.
  ///
  /// wait(1) waits for signals and for children in one system call. In read(1) a signal that comes just before the
  /// system call is noticed only after it, which is never. The child is killed by the one signal that it cannot miss
  /// between its fork and its exec.
  static let idle = #"trap "kill -KILL \$! 2> /dev/null" EXIT; sleep infinity & wait"#
}
