import Glibc
import TestThreads
import Testing

@testable import NightjarPlatform

@Suite(.blocking) struct SocketWatchTests {
  private let place: TestHome
  private let lookout: Lookout
  private let bell = Doorbell()

  init() throws { (place, lookout) = (try TestHome(), try Lookout()) }

  private func begin() -> SocketWatch? {
    SocketWatch(address: "unix:path=\(place.root)/run/user/bus", lookout: lookout) { [bell] in bell.ring() }
  }

  @Test func `a socket is told of, and before it each folder on the way to it`() throws {
    defer { lookout.stop() }

    for step in ["run", "run/user", "run/user/bus"] {
      let watch = try #require(begin())
      _ = try place.folder(step)
      #expect(bell.wait(), "\(step)")
      withExtendedLifetime(watch) {}
    }
  }

  @Test func `a folder that goes is told of, and when it comes back`() throws {
    defer { lookout.stop() }
    let folder = try place.folder("run/user")
    let watch = try #require(begin())

    try #require(rmdir(folder) == 0)
    #expect(bell.wait())
    _ = try place.folder("run/user")
    #expect(bell.wait())

    withExtendedLifetime(watch) {}
  }

  @Test(.enabled(if: TestHome.mayMount, "mounting a file system is not allowed here"))
  func `a folder that is unmounted is told of, as at a logout`() throws {
    defer { lookout.stop() }
    let folder = try place.folder("run/user")
    try #require(mount("none", folder, "tmpfs", 0, "size=16k") == 0)
    defer { umount2(folder, Int32(MNT_DETACH)) }
    let watch = try #require(begin())

    try #require(umount2(folder, Int32(MNT_DETACH)) == 0)

    #expect(bell.wait())
    withExtendedLifetime(watch) {}
  }
}

struct BusAddressTests {
  @Test(
    arguments: [
      ("unix:path=/run/user/1000/bus", "/run/user/1000/bus"),
      ("unix:path=/a%20b%3Bc/bus,guid=1;tcp:host=b", "/a b;c/bus"),
      ("unix:path=", nil), ("unix:abstract=/a", nil), ("tcp:host=b;unix:path=/a", nil), ("", nil),
    ] as [(String, String?)])
  func `the path of an address is read, with what is escaped in it`(address: String, path: String?) {
    #expect(SocketWatch.path(in: address) == path)
  }
}
