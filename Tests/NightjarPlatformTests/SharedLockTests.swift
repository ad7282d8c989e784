import Glibc
import NightjarModel
import TestThreads
import Testing

@testable import NightjarPlatform

/// Ways to lock a file (fcntl(2), flock(2)).
enum LockKind: CaseIterable, Sendable {
  case posix, ofd, whole

  func lock(_ file: Int32) -> Bool {
    var order = flock()
    (order.l_type, order.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    switch self {
    case .posix: return fcntl(file, F_SETLK, &order) == 0
    case .ofd: return fcntl(file, 37, &order) == 0  // F_OFD_SETLK
    case .whole: return flock(file, LOCK_EX | LOCK_NB) == 0
    }
  }
}

@Suite(.blocking) struct SharedLockTests {
  private let app = AppID("dev.test.App")

  private func file(in folder: String) throws -> (path: String, number: Int32) {
    mkdir(folder, 0o700)
    let number = open(folder + "/file", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(number >= 0)
    return (folder + "/file", number)
  }

  @Test(arguments: LockKind.allCases)
  func `a lock on a file in the folder of a group is found, whatever its kind, for as long as it is held`(
    kind: LockKind
  ) throws {
    let place = try TestHome()
    let (path, number) = try file(in: place.home.groups + "/one")
    let locks = SharedLocks(of: app, in: place.home)
    let before = locks.held(by: [getpid()])

    try #require(kind.lock(number))
    let held = locks.held(by: [getpid()])
    close(number)

    #expect(before == nil)
    #expect(held == path)
    #expect(locks.held(by: [getpid()]) == nil)
  }

  @Test func `no more descriptors are looked at than anybody may wait for`() throws {
    let place = try TestHome()
    let (path, number) = try file(in: place.home.groups + "/one")
    defer { close(number) }
    try #require(LockKind.posix.lock(number))
    let locks = SharedLocks(of: app, in: place.home)

    #expect(locks.held(by: [getpid(), getpid()], descriptorsMax: 1) == nil)
    #expect(locks.held(by: [getpid()]) == path)
  }

  @Test func `other apps' containers and the staging area are shared, one's own container is not`() throws {
    let place = try TestHome()
    let home = place.home

    for (folder, isShared) in [
      (home.staging, true), (home.container(AppID("dev.test.Other")).path, true), (home.container(app).path, false),
      (place.root, false),
    ] {
      let (path, number) = try file(in: folder)
      try #require(LockKind.whole.lock(number))
      #expect(SharedLocks(of: app, in: home).held(by: [getpid()]) == (isShared ? path : nil))
      close(number)
    }
  }

  @Test(arguments: [Ground.best, .noCgroups])
  func `an app that stands still is asked for the locks of all its processes`(ground: Ground) throws {
    let test = try TestLauncher(ground)
    let pipe = Pipe(in: test.place)
    let (path, number) = try file(in: test.place.home.groups + "/one")
    close(number)
    let app = try test.install("flock \(path) sh -c 'echo ready > \(pipe.path); \(LauncherTests.idle)' & wait")
    _ = try test.launch(app)
    #expect(pipe.line() == "ready")

    #expect(test.answer { test.launcher.freeze(app.id, life: 1, done: $0) } == true)

    #expect(test.launcher.sharedLock(of: app.id, life: 1) == path)
    #expect(test.launcher.sharedLock(of: app.id, life: 2) == nil)
  }

  @Test(arguments: [
    ("", false), ("3: FLOCK  ADVISORY  WRITE 42 fe:00:5326301 0 EOF", true),
    ("3: -> FLOCK  ADVISORY  WRITE 42 fe:00:5326301 0 EOF", false),
    ("3: FLOCK  ADVISORY  WRITE 8 fe:00:5326301 0 EOF", true),
    ("3: POSIX  ADVISORY  READ 43 fe:00:5326301 0 EOF", true),
    ("3: POSIX  ADVISORY  READ 8 fe:00:5326301 0 EOF", false),
    ("3: OFDLCK ADVISORY  WRITE -1 fe:00:5326301 0 EOF", true),
  ])
  func `the daemon's own locks are no reason to look closer, and others may be`(line: String, mayHold: Bool) {
    let home = "1: FLOCK  ADVISORY  WRITE 7 fe:00:16220233 0 EOF\n"
    let database = "2: POSIX  ADVISORY  READ 7 fe:00:5326300 1073741826 1073742335\n"

    let found = SharedLocks.mayHold([42, 43], in: home + database + line + "\n", reader: 7)

    #expect(found == mayHold)
  }

  @Test func `an app that waits for a lock holds none`() throws {
    let test = try TestLauncher()
    let (path, number) = try file(in: test.place.home.groups + "/one")
    try #require(LockKind.whole.lock(number))
    let app = try test.install("exec flock \(path) true")
    let pid = try test.launch(app)
    let waiter = " -> FLOCK  ADVISORY  WRITE \(pid) "
    #expect(Doorbell.look { Disk.text(of: "/proc/locks")?.contains(waiter) == true })

    #expect(test.launcher.sharedLock(of: app.id, life: 1) == nil)
    close(number)
  }
}
