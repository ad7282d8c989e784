import Glibc
import NightjarModel
import Synchronization
import TestThreads
import Testing

@testable import NightjarPlatform

@Suite(.blocking) struct MemorySensorTests {
  private let meminfo = "MemTotal:       1000 kB\nMemFree: 1 kB\nMemAvailable:     90 kB\n"

  @Test func `the kernel's figures are read`() throws {
    let figures = try #require(MemoryFigures(meminfo))

    #expect(figures.total == 1_024_000 && figures.available == 92_160)
    #expect(figures.isBelow(percent: 10) && !figures.isBelow(percent: 9))
    #expect(MemoryFigures("MemTotal: 5 kB\n") == nil)
    let pressure = "some avg10=0.00 total=15\nfull avg10=0.12 avg60=0.00 avg300=0.00 total=1500000\n"
    #expect(MemoryFigures.stalled(pressure) == .milliseconds(1500))
    #expect(MemoryFigures.stalled("") == nil)
  }

  /// This machine has pressure stall information, or the test says what it lacks.
  @Test func `the kernel takes the triggers, and nobody polls`() throws {
    let lookout = try Lookout()
    defer { lookout.stop() }

    let sensor = try MemorySensor(lookout: lookout, settings: MemorySettings()) { _ in }

    let hasStalls = access(MemoryFigures.pressureFile, W_OK) == 0
    #expect((sensor.shortcoming == nil) == hasStalls)
    #expect(sensor.read().total > 0)
    #expect(sensor.read().pressure < .urgent || MemoryFigures()!.isBelow(percent: 50))
  }

  @Test func `a window that the kernel does not take is told, and one polls instead`() throws {
    let (lookout, bell, heard) = (try Lookout(), Doorbell(), Kept())
    defer { lookout.stop() }
    var settings = MemorySettings()
    (settings.window, settings.warningStall, settings.urgentStall) = (.seconds(60), .seconds(2), .seconds(1))
    (settings.warningPercent, settings.urgentPercent, settings.pollInterval) = (101, 0, .milliseconds(10))

    let sensor = try MemorySensor(lookout: lookout, settings: settings) { pressure in
      heard.pressures.withLock { $0.append(pressure) }
      bell.ring()
    }

    #expect(sensor.shortcoming?.contains("60000000") == true)
    #expect(bell.wait())
    #expect(heard.pressures.withLock { $0.first } == .warning)
  }

  /// A group of processes that may have 32 MiB reads a file twice as large again and again. Only where there is such a
  /// group (cgroup v1's memory controller, as root) and the kernel tells of stalls.
  @Test(.enabled(if: Thrash.isPossible), .timeLimit(.minutes(2)))
  func `a real lack of memory is noticed`() throws {
    let (lookout, bell, heard) = (try Lookout(), Doorbell(), Kept())
    defer { lookout.stop() }
    var settings = MemorySettings()
    (settings.warningStall, settings.stallPercent) = (.milliseconds(5), 101)

    let sensor = try MemorySensor(lookout: lookout, settings: settings) { pressure in
      heard.pressures.withLock { $0.append(pressure) }
      bell.ring()
    }
    let thrash = try Thrash()

    #expect(bell.wait())
    #expect(heard.pressures.withLock { $0.first } != MemoryPressure.none)
    withExtendedLifetime((sensor, thrash)) {}
  }

  private final class Kept: Sendable { let pressures = Mutex<[MemoryPressure]>([]) }

  @Test(arguments: [Ground.best, .noCgroups])
  func `the app that takes up most is found, with all its processes`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let pipe = Pipe(in: test.place)
    let small = try test.install("echo ready > \(pipe.path); \(LauncherTests.idle)", id: "dev.test.Small")
    // A child that holds 50 MiB in a variable.
    let holder = "x=$(head -c 50000000 /dev/zero | tr '\\0' x); echo ready > \(pipe.path); \(LauncherTests.idle)"
    let large = try test.install("(\(holder)) & wait", id: "dev.test.Large")
    for app in [small, large] {
      _ = try test.launch(app)
      #expect(pipe.line() == "ready")
    }

    let lives = [AppLifeID(small.id, life: 1), AppLifeID(large.id, life: 1), AppLifeID(AppID("none"), life: 1)]
    // While it forks, half of its pages are a child's that was not there when the processes were listed.
    var found = test.launcher.footprints(of: lives)
    for _ in 0..<100 where found[lives[1], default: 0] < 50_000_000 { found = test.launcher.footprints(of: lives) }

    #expect(found[lives[1], default: 0] >= 50_000_000)
    #expect(found[lives[0], default: 0] < 20_000_000)
    #expect(found[lives[2]] == nil)
  }
}

/// Processes that have too little memory.
private final class Thrash {
  private static let parent = "/sys/fs/cgroup/memory"
  private let (group, file): (String, String)
  private var pid: pid_t = 0

  static var isPossible: Bool {
    access(parent + "/memory.limit_in_bytes", R_OK) == 0 && access(parent, W_OK) == 0
      && access(MemoryFigures.pressureFile, W_OK) == 0
  }

  init() throws {
    (group, file) = ("\(Self.parent)/nightjar-test-\(getpid())", "/var/tmp/nightjar-test-\(getpid())")
    try #require(mkdir(group, 0o755) == 0)
    let script = """
      echo 33554432 > \(group)/memory.limit_in_bytes; echo $$ > \(group)/cgroup.procs
      head -c 67108864 /dev/urandom > \(file); while :; do cat \(file) > /dev/null; done
      """
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(script), nil]
    defer { arguments.forEach { free($0) } }
    try #require(posix_spawn(&pid, "/bin/sh", nil, nil, arguments, environ) == 0)
  }

  deinit {
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
    unlink(file)
    // The last `cat` ends by itself.
    _ = Doorbell.look { [group] in rmdir(group) == 0 || errno != EBUSY }
  }
}
