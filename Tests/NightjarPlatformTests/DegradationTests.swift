import NightjarModel
import Testing

@testable import NightjarPlatform

@Suite struct DegradationTests {
  @Test func `every fallback is announced with what to do`() throws {
    let test = try TestLauncher(.noCgroups)
    let home = try Home(environment: ["HOME": test.place.root])

    let found = Degradations.found(
      home: home, launcher: test.launcher, identity: PeerIdentity(launcher: test.launcher),
      memory: try MemorySensor(lookout: test.lookout, settings: MemorySettings()) { _ in })

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
      memory: try MemorySensor(lookout: test.lookout, settings: settings) { _ in })

    #expect(found.map(\.name).contains("older-identity"))
    #expect(found.first { $0.name == "memory-polled" }?.detail.contains("configuration") == true)
    #expect(found.map(\.name).contains("signals-only") == !test.isInCgroups)
  }

  @Test(arguments: [
    ("6.1.0-18-amd64", "6.13", true), ("6.13", "6.13.2", false), ("7.0-rc1", "6.15", false), ("", "6.1", true),
  ])
  func `kernel versions are compared as numbers`(one: String, other: String, isOlder: Bool) {
    #expect((KernelVersion(one) < KernelVersion(other)) == isOlder)
  }
}
