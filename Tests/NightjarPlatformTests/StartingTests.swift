import CNightjarSpawn
import Glibc
import NightjarModel
import TestThreads
import Testing

@testable import NightjarPlatform

/// How a program is found, and with what it begins.
@Suite(.blocking) struct StartingTests {
  @Test func `a bare name leads along PATH, past what may not be run, which is told if that is all`() throws {
    let place = try TestHome()
    for folder in ["shut", "open"] { _ = try place.folder(folder) }
    _ = try place.file("shut/tool", "#!/bin/sh\nexit 1\n", mode: 0o600)
    _ = try place.file("open/tool", "#!/bin/sh\nexit 7\n", mode: 0o755)
    var settings = Ground.best.settings
    let path = { (folders: [String]) in folders.map { place.root + "/" + $0 }.joined(separator: ":") }
    settings.environment["PATH"] = path(["none", "shut", "shut/tool", "open"])
    let test = try TestLauncher(settings, in: place)
    settings.environment["PATH"] = path(["shut", "none"])
    let other = try TestLauncher(settings, in: TestHome())

    _ = try test.launch(.program("tool"))
    other.launcher.launch(LaunchOrder(app: .program("tool"), life: 1, isBackground: true))

    #expect(try test.next().fact == .exited(status: "exited 7", isCrash: true))
    let refusal = try other.next()
    guard case .launchFailed(let failure) = refusal.fact else { return #expect(Bool(false), "\(refusal)") }
    #expect(failure.code == .refused && failure.detail.hasPrefix("tool: cannot run it: permission denied"))
    withExtendedLifetime(place) {}
  }

  @Test(arguments: Ground.allCases)
  func `an app whose bundle has another name since its upgrade is started from where that lies`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let old = try test.install("exit 3")
    let better = try test.place.bundle(script: "exit 4", named: "Better")
    _ = try AppLibrary(home: test.place.home).install(better)

    _ = try test.launch(old)

    #expect(try test.next().fact == .exited(status: "exited 4", isCrash: true))
  }

  @Test(arguments: Ground.allCases)
  func `an app whose bundle is replaced while it starts is started from the new one`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    var app = try test.install("exit 4")
    // To the process it is gone, although it was there when the launcher looked.
    let gone = try test.place.file("gone", "#!/no/such/interpreter\n", mode: 0o755)
    app.kind = .bundle(path: test.place.root, executable: gone)

    _ = try test.launch(app)

    #expect(try test.next().fact == .exited(status: "exited 4", isCrash: true))
    #expect(TestHome.names(test.place.home.running) == [])
  }

  @Test(arguments: Ground.allCases)
  func `an app may have as many descriptors as it is meant to, and ask for more`(ground: Ground) throws {
    var settings = ground.settings
    settings.filesMax = 200
    let test = try TestLauncher(settings, in: TestHome())
    let app = try test.install("ulimit -Sn; ulimit -Hn")
    var bounds = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &bounds)

    _ = try test.launch(app)
    _ = try test.next()

    #expect(TestHome.text(test.place.home.log(app.id)) == "200\n\(bounds.rlim_max)\n")
  }

  @Test(arguments: SpawnWay.allCases, [(isOrdinary: true, policy: "0\n"), (false, "3\n")])
  func `an app is scheduled as processes usually are, if it is meant to, and else as the daemon is`(
    way: SpawnWay, expected: (isOrdinary: Bool, policy: String)
  ) throws {
    let place = try TestHome()
    let words = try place.file("words", "")
    let output = try #require(Descriptor.opened(words, O_WRONLY))
    try #require(Scheduling.beginBatch())
    defer { Scheduling.endBatch() }

    let spawn = try Spawn(
      Spawn.Order(
        paths: ["/usr/bin/cut"], arguments: ["cut", "-d ", "-f41", "/proc/self/stat"],  // The policy (proc(5)).
        environment: [:], folder: "/", output: output, leaf: nil, way: way, filesMax: nil,
        isOrdinary: expected.isOrdinary))
    spawn.open()

    try #require(Doorbell.wait(for: spawn.pidfd.number, POLLIN))
    var (code, status): (Int32, Int32) = (0, 0)
    #expect(nightjar_reap(spawn.pidfd.number, &code, &status) == 1)
    #expect(TestHome.text(words) == expected.policy)
  }

  /// Programs that lie where nothing answers, as on a file system whose server is gone.
  @Suite(.enabled(if: HeldFile.isPossible, "no file here can be held (leases, fcntl(2))")) struct HeldTests {
    @Test func `nobody waits for a program that cannot be reached, and it is told of when it can`() throws {
      let test = try TestLauncher()
      let path = try test.place.file("tool", "#!/bin/sh\nexit 6\n", mode: 0o755)
      let app = try test.install("exit 0")
      let held = try HeldFile(path)
      test.launcher.launch(LaunchOrder(app: .program(path), life: 1, isBackground: true))

      _ = try test.launch(app)
      let ended = try test.next()
      held.letGo()

      #expect(ended.app == app.id && ended.fact == .exited(status: "exited 0", isCrash: false))
      let launched = try test.next()
      guard case .launched = launched.fact else { return #expect(Bool(false), "\(launched)") }
      #expect(launched.app == AppID("tool"))
      #expect(try test.next().fact == .exited(status: "exited 6", isCrash: true))
    }

    @Test(arguments: Ground.allCases, [true, false])
    func `an app can be ended before its program is reached`(ground: Ground, politely: Bool) throws {
      let test = try TestLauncher(ground)
      let app = try test.install("exit 0")
      let held = try HeldFile(test.place.home.apps + "/dev.test.App/Test.app/run")
      test.launcher.launch(LaunchOrder(app: app, life: 1, isBackground: true))

      test.launcher.end(app.id, life: 1, politely: politely)

      let launched = try test.next()
      guard case .launched = launched.fact else { return #expect(Bool(false), "\(launched)") }
      #expect(try test.next().fact == .exited(status: "was killed by signal \(politely ? 15 : 9)", isCrash: false))
      withExtendedLifetime(held) {}
    }

    @Test func `an order that is repeated meanwhile is answered once, and another life has to wait`() throws {
      let test = try TestLauncher()
      let app = try test.install("exit 0")
      let held = try HeldFile(test.place.home.apps + "/dev.test.App/Test.app/run")

      for life in [3, 3, 4] { test.launcher.launch(LaunchOrder(app: app, life: life, isBackground: true)) }

      let refusal = try test.next()
      guard case .launchFailed = refusal.fact else { return #expect(Bool(false), "\(refusal)") }
      #expect(refusal.life == 4 && test.hasNothingToSay)
      held.letGo()
      let launched = try test.next()
      guard case .launched = launched.fact else { return #expect(Bool(false), "\(launched)") }
      let ended = try test.next()
      #expect(launched.life == 3 && ended.life == 3 && ended.fact == .exited(status: "exited 0", isCrash: false))
    }

    @Test(arguments: Ground.allCases)
    func `a daemon that stops does not wait for it either, and leaves it to the next one`(ground: Ground) throws {
      let first = try TestLauncher(ground)
      let app = try first.install("exit 5")
      let held = try HeldFile(first.place.home.apps + "/dev.test.App/Test.app/run")
      first.launcher.launch(LaunchOrder(app: app, life: 2, isBackground: true))
      first.settle()
      first.lookout.stop()
      let second = try TestLauncher(ground.settings, in: first.place)
      var lives: [Int] = []

      second.launcher.adopt { lives.append($0.life) }
      held.letGo()

      #expect(lives == [2])
      #expect(try second.next().fact == .exited(status: "exited 5", isCrash: true))
      #expect(TestHome.names(first.place.home.running) == [])
    }

    @Test func `a process whose daemon is gone says by its status that there is nothing to run`() throws {
      let place = try TestHome()
      let path = try place.file("tool", "neither script nor program", mode: 0o755)
      let held = try HeldFile(path)
      let pidfd = try forsaken(path)

      held.letGo()

      try #require(Doorbell.wait(for: pidfd.number, POLLIN))
      var (code, status): (Int32, Int32) = (0, 0)
      #expect(nightjar_reap(pidfd.number, &code, &status) == 1)
      #expect(code == CLD_EXITED && status == 127)
      withExtendedLifetime(place) {}
    }

    /// A process that was let go and whose answer nobody will read.
    private func forsaken(_ path: String) throws -> Descriptor {
      let output = try #require(Descriptor.opened("/dev/null", O_WRONLY))
      let spawn = try Spawn(
        Spawn.Order(
          paths: [path], arguments: [path], environment: [:], folder: "/", output: output, leaf: nil, way: .best,
          filesMax: nil))
      spawn.open()
      return spawn.pidfd
    }
  }
}

extension InstalledApp {
  /// A program that is no bundle.
  fileprivate static func program(_ command: String) -> InstalledApp {
    InstalledApp(id: AppID("tool"), displayName: "Tool", kind: .program(relaunch: [command]))
  }
}

/// A file that nobody can open until it is let go, by a lease (fcntl(2)). After 45 seconds the kernel would let it go.
final class HeldFile: Sendable {
  static let isPossible: Bool = {
    var template = Array("/tmp/nightjar-test-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    defer {
      close(file)
      unlink(template)
    }
    return HeldFile.lease(file, F_WRLCK)
  }()

  private let file: Int32

  init(_ path: String) throws {
    let opened = open(path, O_RDONLY | O_CLOEXEC)
    file = opened
    try #require(opened >= 0)
    // A process that was copied while the file was being written has it open for a moment longer.
    let isHeld = Doorbell.look { Self.lease(opened, F_WRLCK) }
    try #require(isHeld)
  }

  deinit { close(file) }

  func letGo() { _ = Self.lease(file, F_UNLCK) }

  /// That somebody is kept waiting would be told by SIGIO, which ends a process; it is told by what nobody minds.
  private static func lease(_ file: Int32, _ kind: Int32) -> Bool {
    let (setSignal, setLease): (Int32, Int32) = (10, 1024)  // F_SETSIG, F_SETLEASE
    return fcntl(file, setSignal, SIGURG) == 0 && fcntl(file, setLease, kind) == 0
  }
}
