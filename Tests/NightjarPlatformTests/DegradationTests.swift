import Glibc
import NightjarModel
import Testing

@testable import NightjarPlatform

@Suite struct DegradationTests {
  private func logs(of test: TestLauncher) throws -> LogKeeper {
    try LogKeeper(home: test.place.home, bytesMax: 1000, lookout: test.lookout)
  }

  private func zone(of test: TestLauncher) -> ZoneSensor {
    ZoneSensor(lookout: test.lookout, environment: [:], localtime: test.place.home.logs + "/localtime") { _ in }
  }

  @Test func `every fallback is announced with what to do`() throws {
    let test = try TestLauncher(.noCgroups)
    let home = try Home(environment: ["HOME": test.place.root])

    let found = Degradations.found(
      home: home, launcher: test.launcher, identity: PeerIdentity(launcher: test.launcher),
      memory: try MemorySensor(lookout: test.lookout, settings: MemorySettings()) { _ in }, logs: try logs(of: test),
      zone: zone(of: test))

    let names = found.map(\.name)
    #expect(names.starts(with: ["signals-only", "identity-by-pid", "no-runtime-folder"]))
    #expect(found.allSatisfy { $0.detail.contains("Remedy:") })
  }

  @Test func `a forced means is announced as well`() throws {
    let test = try TestLauncher()
    let identity = PeerIdentity(launcher: test.launcher, means: .procCgroup)
    var settings = MemorySettings()
    settings.usesStalls = false

    let found = Degradations.found(
      home: test.place.home, launcher: test.launcher, identity: identity,
      memory: try MemorySensor(lookout: test.lookout, settings: settings) { _ in }, logs: try logs(of: test),
      zone: zone(of: test))

    #expect(found.map(\.name).contains("older-identity"))
    #expect(found.first { $0.name == "memory-polled" }?.detail.contains("configuration") == true)
    #expect(found.map(\.name).contains("signals-only") == !test.isInCgroups)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to give a folder to another user"))
  func `a home that anybody could rename is announced`() throws {
    let test = try TestLauncher()
    let folder = try test.place.folder("volume")
    try #require(chown(folder, 65_534, 65_534) == 0 && chmod(folder, 0o777) == 0)
    let home = try Home(environment: ["NIGHTJAR_HOME": folder])

    let found = Degradations.found(
      home: home, launcher: test.launcher, identity: PeerIdentity(launcher: test.launcher),
      memory: try MemorySensor(lookout: test.lookout, settings: MemorySettings()) { _ in }, logs: try logs(of: test),
      zone: zone(of: test))

    let open = found.first { $0.name == "open-home" }
    #expect(open?.detail.contains(folder) == true && open?.detail.contains("Remedy:") == true)
  }

  @Test func `a folder that cannot be watched is announced, with what follows from it`() throws {
    let test = try TestLauncher()
    TestHome.remove(test.place.home.logs)

    let found = Degradations.found(
      home: test.place.home, launcher: test.launcher, identity: PeerIdentity(launcher: test.launcher),
      memory: try MemorySensor(lookout: test.lookout, settings: MemorySettings()) { _ in }, logs: try logs(of: test),
      zone: zone(of: test))

    #expect(found.map(\.name).suffix(2) == ["logs-unwatched", "zone-unwatched"])
    #expect(found.suffix(2).allSatisfy { $0.detail.contains(test.place.home.logs) && $0.detail.contains("Remedy:") })
  }

  @Test(arguments: [(EMFILE, "fs.inotify.max_user_instances"), (ENOSPC, "fs.inotify.max_user_watches")])
  func `what inotify has too few of is called by its name`(number: Int32, name: String) {
    let words = PlatformError.inotify("cannot watch /etc", number).detail

    #expect(words.contains(name) && words.contains("sysctl"))
    #expect(!words.contains("ulimit") && !words.contains("disk"))
  }

  @Test(arguments: [
    ("6.1.0-18-amd64", "6.13", true), ("6.13", "6.13.2", false), ("7.0-rc1", "6.15", false), ("", "6.1", true),
  ])
  func `kernel versions are compared as numbers`(one: String, other: String, isOlder: Bool) {
    #expect((KernelVersion(one) < KernelVersion(other)) == isOlder)
  }
}
