import FoundationEssentials
import Glibc
import NightjarCommand
import NightjarWire
import Patience
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct DaemonStartTests {
  /// A daemon in the shell; `hold` has it take the home, as ours does before anything else.
  private func script(_ bench: Bench, _ text: String) throws -> String {
    try bench.script("#!/bin/sh\nhold() { echo $$ > $NIGHTJAR_HOME/state/lock; }\n\(text)\n", to: "nightjard")
    return bench.folder + "/nightjard"
  }

  @Test func `a download starts the daemon beside it, says so, and does not take it along when it ends`() async throws {
    let bench = try Bench()
    let home = bench.folder + "/home"
    let program = try script(bench, "echo in $NIGHTJAR_HOME; hold; exec sleep 600")
    let surroundings = bench.surroundings(environment: ["PATH": "/bin:/usr/bin"], daemonProgram: program)

    defer { endDaemons(of: bench) }
    let run = Task { await Program.run(["download", "http://h/a", "--no-wait", "--home", "home"], in: surroundings) }
    try await bench.screen.waits(for: "No daemon was running; started \(program) as process ")
    let daemon = try TestDaemon(home + "/run/nightjar.sock")

    #expect(await run.value == 0)
    #expect(daemon.read { $0.downloads.count } == 1)
    let id = try #require(started(bench).first)
    #expect(getsid(id) == id)
    let log = home + "/state/nightjard.log"
    try await eventually("the daemon has said something") {
      FileManager.default.contents(atPath: log)?.isEmpty == false
    }
    #expect(FileManager.default.contents(atPath: log) == Data("in \(home)\n".utf8))
  }

  @Test(arguments: [
    ("echo no >&2; exit 1", "nightjard.log says why.\n"),
    (#"printf 'Error: one\nError: two\033\nran Error: x\n'; exit 1"#, #"says why. It said: two\u{1b}"#),
    ("exit 1", "has no room for why: run `nightjard` to see it"),
  ])
  func `a daemon that ends at once is no daemon, and its log says why unless it is empty`(text: String, why: String)
    async throws
  {
    let bench = try Bench()
    let program = try script(bench, text)
    let surroundings = bench.surroundings(
      environment: ["NIGHTJAR_HOME": bench.folder + "/home"], daemonProgram: program)

    #expect(await Program.run(["download", "http://h/a"], in: surroundings) == 3)
    #expect(bench.screen.errors.contains("ended again at once; \(bench.folder)/home/state/nightjard.log"))
    #expect(bench.screen.errors.contains(why))
  }

  @Test func `a daemon that another command has just started is waited for, and not said to be ours`() async throws {
    let bench = try Bench()
    let home = bench.folder + "/home"
    // Ours finds the home locked; the holder is this very process, which lives.
    let program = try script(bench, "echo $PPID > $NIGHTJAR_HOME/state/lock; echo $$ > $NIGHTJAR_HOME/pid; exit 1")
    let surroundings = bench.surroundings(environment: ["NIGHTJAR_HOME": home], daemonProgram: program)

    let run = Task { await Program.run(["download", "http://h/a", "--no-wait"], in: surroundings) }
    let id = try await written(to: home + "/pid")
    defer { end(id) }
    try await eventually("the command has seen its end") { kill(id, 0) != 0 }
    let daemon = try TestDaemon(home + "/run/nightjar.sock")

    #expect(await run.value == 0)
    #expect(daemon.read { $0.downloads.count } == 1)
    #expect(!bench.screen.errors.contains("started"))
  }

  @Test func `a daemon that was about to end is followed by a new one`() async throws {
    let bench = try Bench()
    let home = bench.folder + "/home"
    // Another process holds the home, so that ours refuses it the first time.
    let program = try script(bench, "cd $NIGHTJAR_HOME; [ -e pid ] && hold && exec sleep 600; echo $$ > pid; exit 1")
    let lock = home + "/state/lock"
    #expect(system("umask 077; mkdir -p \(home)/state; sleep 600 >/dev/null 2>&1 & echo $! > \(lock)") == 0)
    let text = String(decoding: FileManager.default.contents(atPath: lock) ?? Data(), as: UTF8.self)
    let holder = try #require(pid_t(text.prefix { $0.isNumber }))
    defer { kill(holder, SIGKILL) }
    let surroundings = bench.surroundings(
      environment: ["NIGHTJAR_HOME": home, "PATH": "/bin:/usr/bin"], daemonProgram: program)

    defer { endDaemons(of: bench) }
    let run = Task { await Program.run(["download", "http://h/a", "--no-wait"], in: surroundings) }
    let first = try await written(to: home + "/pid")
    defer { end(first) }
    try await eventually("the command has seen its end") { kill(first, 0) != 0 }
    kill(holder, SIGKILL)
    try await bench.screen.waits(for: "started ours once more as process ")
    let daemon = try TestDaemon(home + "/run/nightjar.sock")

    #expect(await run.value == 0)
    #expect(daemon.read { $0.downloads.count } == 1)
    #expect(!bench.screen.errors.contains("No daemon was running"))
  }

  @Test(arguments: [("kill -9 $$", true), ("kill -TERM $$", false), ("exit 1", false)])
  func `a daemon that a waiting download has started is started again if it is killed`(end: String, isBack: Bool)
    async throws
  {
    let bench = try Bench(clockStands: isBack)
    let home = bench.folder + "/home"
    let program = try script(
      bench,
      "hold; cd $NIGHTJAR_HOME; [ -e again ] && exec sleep 600; touch again; mkfifo end 2>/dev/null; read x <end; \(end)"
    )
    let surroundings = bench.surroundings(
      environment: ["NIGHTJAR_HOME": home, "PATH": "/bin:/usr/bin"], daemonProgram: program)

    defer { endDaemons(of: bench) }
    let run = Task { await Program.run(["download", "http://h/a"], in: surroundings) }
    try await bench.screen.waits(for: "No daemon was running; started")
    let daemon = try TestDaemon(home + "/run/nightjar.sock")
    try await bench.screen.waits(for: "downloading")
    try bench.write("now\n", to: "home/end")
    daemon.stop()
    if isBack {
      try await bench.screen.waits(for: "Started it again, as process ")
      try daemon.start()
      daemon.update(1) { $0.state = .succeeded }
    }

    #expect(await run.value == (isBack ? 0 : 3))
    #expect(bench.screen.errors.contains("Started it again") == isBack)
  }

  @Test func `a daemon that has bound its socket in another runtime folder is found by its link, and none is started`()
    async throws
  {
    let bench = try Bench()
    let (theirs, ours) = (bench.folder + "/theirs", bench.folder + "/ours")
    let link = bench.folder + "/.local/state/nightjar/run/nightjar.sock"
    #expect(system("mkdir -p \(theirs) \(ours) $(dirname \(link)); ln -s \(theirs)/nightjar.sock \(link)") == 0)
    let daemon = try TestDaemon(theirs + "/nightjar.sock")
    let surroundings = bench.surroundings(
      environment: ["HOME": bench.folder, "XDG_RUNTIME_DIR": ours], daemonProgram: "/bin/false")

    #expect(await Program.run(["download", "http://h/a", "--no-wait"], in: surroundings) == 0)
    #expect(daemon.read { $0.downloads.count } == 1)
  }

  @Test func `a daemon that holds the home and cannot be reached is named with what to do`() async throws {
    let bench = try Bench()
    let home = bench.folder + "/home"
    // The holder is this very process.
    let program = try script(bench, "echo $$ > $NIGHTJAR_HOME/pid; exit 1")
    #expect(system("umask 077; mkdir -p \(home)/state; echo \(getpid()) > \(home)/state/lock") == 0)
    let lock = open(home + "/state/lock", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    let isLate = Mutex(false)
    var surroundings = bench.surroundings(environment: ["NIGHTJAR_HOME": home], daemonProgram: program)
    surroundings.time = Timepiece(
      now: { isLate.withLock { $0 } ? .seconds(60) : .zero }, sleep: { _ in await Task.yield() })

    let run = Task { [surroundings] in await Program.run(["download", "http://h/a"], in: surroundings) }
    let id = try await written(to: home + "/pid")
    defer { end(id) }
    try await eventually("the command has seen its end") { kill(id, 0) != 0 }
    isLate.withLock { $0 = true }

    #expect(await run.value == 3)
    #expect(bench.screen.errors.contains("Process \(getpid()) serves this home all the same."))
    #expect(bench.screen.errors.contains("end it (kill \(getpid()))") && !bench.screen.errors.contains("was started"))
  }

  @Test func `only work that would be lost starts a daemon`() async throws {
    let bench = try Bench()
    let program = try script(bench, "touch \(bench.folder)/started")
    let surroundings = bench.surroundings(
      environment: ["NIGHTJAR_HOME": bench.folder + "/home"], daemonProgram: program)

    #expect(await Program.run(["transfers"], in: surroundings) == 3)
    #expect(await Program.run(["download", "http://h/a", "--no-start"], in: surroundings) == 3)
    #expect(!FileManager.default.fileExists(atPath: bench.folder + "/started"))
  }

  /// The process id in a file, once it is there.
  private func written(to path: String) async throws -> pid_t {
    try await eventually("a process id stands in \(path)") {
      let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
      return text.hasSuffix("\n") ? pid_t(text.dropLast()) : nil
    }
  }

  /// The daemons that were started, as the notices have it.
  private func started(_ bench: Bench) -> [pid_t] {
    bench.screen.errors.matches(of: /as process (\d+)/).compactMap { pid_t($0.1) }
  }

  private func endDaemons(of bench: Bench) { started(bench).forEach(end) }

  /// Ends a daemon and reaps it, unless that was done: whoever is left unreaped keeps Swift Testing from hearing of the
  /// ends of its own processes.
  private func end(_ daemon: pid_t) {
    guard waitpid(daemon, nil, WNOHANG) == 0 else { return }
    kill(daemon, SIGKILL)
    waitpid(daemon, nil, 0)
  }
}
