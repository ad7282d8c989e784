import Glibc
import TestThreads
import Testing

@testable import NightjarPlatform

/// When root runs the tests, they are run once more as a user who may do nothing in particular.
@Suite(.blocking, .enabled(if: geteuid() == 0, "this is an ordinary user's run")) struct OrdinaryUserTests {
  @Test func `all promises hold for an ordinary user without cgroups`() throws {
    let place = try TestHome()

    #expect(try Self.run(in: place, before: ""))
  }

  @Test func `all promises hold for an ordinary user whose cgroup is delegated`() throws {
    guard let own = Cgroups.ownFolder(), let delegated = try? Leaf(at: own + "/nightjar-test-\(getpid())") else {
      return print("skipped: no cgroups for us here")
    }
    defer { delegated.remove() }
    let place = try TestHome()
    for name in ["", "/cgroup.procs", "/cgroup.subtree_control"] { chown(delegated.path + name, 65_534, 65_534) }

    #expect(try Self.run(in: place, before: "echo $$ > \(delegated.path)/cgroup.procs &&"))
  }

  private static func run(in place: TestHome, before: String) throws -> Bool {
    chmod(place.root, 0o755)
    let home = try place.folder("user")
    chown(home, 65_534, 65_534)
    let user = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    let program = Doorbell.program
    guard Doorbell.shell("\(user) test -x '\(program)'") == 0 else {
      print("skipped: no setpriv(1), or an ordinary user may not run \(program)")
      return true
    }
    let rooms = "NightjarPlatformTests.(Home|Library|Launcher|Adoption|Freezing|Peer)Tests"
    let tests = "timeout 600 \(user) '\(program)' --testing-library swift-testing --filter '\(rooms)'"
    let status = Doorbell.shell("(\(before) HOME=\(home) exec \(tests)) > \(place.root)/said 2>&1")
    let said = TestHome.text(place.root + "/said")
    let isGood = status == 0 && said.contains("\"an app that will not end is killed\" with 4 test cases passed")
    if !isGood { print(said) }
    return isGood
  }
}
