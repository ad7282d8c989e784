import CNightjarSpawn
import Glibc
import NightjarModel
import Synchronization
import Testing

@testable import NightjarPlatform

/// What the launcher finds on a machine; the poorer ones are forced.
enum Ground: CaseIterable, Sendable {
  case best, cloneThenMove, fork, noCgroups

  var settings: LauncherSettings {
    var settings = LauncherSettings(environment: [
      "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "HOME": "/", "DAEMON_SECRET": "hush",
    ])
    switch self {
    case .best: break
    case .cloneThenMove: settings.spawnWay = .cloneThenMove
    case .fork: settings.spawnWay = .fork
    case .noCgroups: settings.cgroups = .never
    }
    return settings
  }
}

/// A launcher with a home and a lookout of its own, whose facts can be waited for.
final class TestLauncher: Sendable {
  let place: TestHome
  let lookout: Lookout
  let launcher: Launcher
  private let heard = Heard()

  struct Fact: Equatable {
    var app: AppID
    var life: Int
    var fact: AppFact
  }

  private final class Heard: Sendable {
    let facts = Mutex<[Fact]>([])
    let leaders = Mutex<[pid_t]>([])
    let bell = Doorbell()
  }

  init(_ settings: LauncherSettings, in place: TestHome) throws {
    self.place = place
    lookout = try Lookout()
    launcher = try Launcher(home: place.home, lookout: lookout, settings: settings) { [heard] app, life, fact in
      if case .launched(let pid) = fact { heard.leaders.withLock { $0.append(pid) } }
      heard.facts.withLock { $0.append(Fact(app: app, life: life, fact: fact)) }
      heard.bell.ring()
    }
  }

  convenience init(_ ground: Ground = .best) throws { try self.init(ground.settings, in: TestHome()) }

  /// Kills what the test left running, and waits until the kernel has done it.
  deinit {
    lookout.stop()
    for name in TestHome.names(place.home.running) {
      guard let running = launcher.running(AppID(name)) else { continue }
      _ = running.leaf?.kill()
      running.signalGroup(SIGKILL)
      running.signalLeader(SIGKILL)
      Doorbell.wait(for: running.pidfd.number, POLLIN)
      var (code, status): (Int32, Int32) = (0, 0)
      _ = nightjar_reap(running.pidfd.number, &code, &status)
      if let leaf = running.leaf {
        while leaf.isPopulated, Doorbell.wait(for: leaf.events.number, POLLPRI) { continue }
        leaf.remove()
      }
    }
    reapLeaders()
  }

  /// Those whose records are gone, too: whoever is left unreaped keeps Swift Testing from hearing of the ends of its
  /// own processes.
  private func reapLeaders() {
    for pid in heard.leaders.withLock({ $0 }) where waitpid(pid, nil, WNOHANG) == 0 {
      kill(-pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
  }

  var isInCgroups: Bool { !cgroupParent.isEmpty }

  /// The folder of this home's leaves; empty without cgroups.
  var cgroupParent: String {
    if case .cgroup(let parent) = launcher.suspension { parent } else { "" }
  }

  /// The next fact, waited for. That the first process has gone before the others is told only to who asks: it depends
  /// on how fast each of those that were ended at once goes.
  func next(orphaned: Bool = false) throws -> Fact {
    repeat {
      let fact: Fact? = heard.facts.withLock { facts in
        if !orphaned, case .orphaned? = facts.first?.fact { facts.removeFirst() }
        return facts.isEmpty ? nil : facts.removeFirst()
      }
      if let fact { return fact }
    } while heard.bell.wait()
    throw PlatformError(.system(ETIMEDOUT), "no fact came")
  }

  var hasNothingToSay: Bool { heard.facts.withLock { $0.isEmpty } }

  /// Waits until everything that the lookout knows by now has been handled.
  func settle() {
    for _ in 0..<2 {
      let bell = Doorbell()
      lookout.perform { bell.ring() }
      _ = bell.wait()
    }
  }

  /// Waits for the answer of a call that answers later.
  func answer(_ call: (@escaping @Sendable (Bool) -> Void) -> Void) -> Bool? {
    let (bell, answer) = (Doorbell(), Answer())
    call { value in
      answer.value.withLock { $0 = value }
      bell.ring()
    }
    return bell.wait() ? answer.value.withLock { $0 } : nil
  }

  private final class Answer: Sendable { let value = Mutex<Bool?>(nil) }

  /// Installs an app that runs a script.
  func install(_ script: String, id: String = "dev.test.App") throws -> InstalledApp {
    try AppLibrary(home: place.home).install(try place.bundle(id, script: script)).app
  }

  /// Launches an app in its first life, and returns the leader's process id.
  func launch(_ app: InstalledApp, life: Int = 1, arguments: [String] = []) throws -> Int32 {
    launcher.launch(LaunchOrder(app: app, life: life, isBackground: false, arguments: arguments))
    let fact = try next()
    guard case .launched(let pid) = fact.fact, fact.life == life else {
      throw PlatformError(.system(ECHILD), "not launched: \(fact)")
    }
    return pid
  }
}

/// Something that one thread rings and another waits for, with a generous limit.
final class Doorbell: Sendable {
  private let number = nightjar_bell()

  deinit { close(number) }

  func ring() { nightjar_ring(number) }

  func wait() -> Bool {
    defer { nightjar_hush(number) }
    return Self.wait(for: number, POLLIN)
  }

  /// The path of the program that runs these tests.
  static var program: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    return String(decoding: path.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Runs a command to its end, in the calling thread's namespaces; its status as wait(2) gives it.
  static func shell(_ command: String) -> Int32 {
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(command), nil]
    defer { arguments.forEach { free($0) } }
    var (pid, status): (pid_t, Int32) = (0, -1)
    guard posix_spawn(&pid, "/bin/sh", nil, nil, arguments, environ) == 0 else { return -1 }
    waitpid(pid, &status, 0)
    return status
  }

  /// Looks until something is so; false if it is not within a minute.
  static func look(isSo: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while !isSo() {
      guard ContinuousClock.now < end else { return false }
      sched_yield()
    }
    return true
  }

  @discardableResult static func wait(for descriptor: Int32, _ events: Int32) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    while true {
      let count = poll(&wanted, 1, 30_000)
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }
}

/// A named pipe by which a script says something to a test, line by line.
final class Pipe: Sendable {
  let path: String
  private let number: Int32

  init(in place: TestHome, _ name: String = "pipe") {
    path = place.root + "/" + name
    mkfifo(path, 0o600)
    number = open(path, O_RDWR | O_CLOEXEC)  // Both ends, so that opening it never waits.
  }

  deinit { close(number) }

  /// The next line, waited for; nil if none comes.
  func line() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while Doorbell.wait(for: number, POLLIN), read(number, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }

  func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    write(number, bytes, bytes.count)
  }
}
