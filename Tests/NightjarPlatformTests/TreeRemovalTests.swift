import Glibc
import Testing

@testable import NightjarPlatform

struct TreeRemovalTests {
  @Test(.enabled(if: TestHome.mayMount, "mounting a folder is not allowed here"))
  func `what is mounted in a folder outlives its removal, even a folder of the same file system`() throws {
    let test = try TestHome()
    let (real, mounted) = (try test.folder("real"), try test.folder("tree/within/mounted"))
    let kept = try test.file("real/kept", "a film")
    try #require(mount(real, mounted, nil, UInt(MS_BIND), nil) == 0)
    defer { umount2(mounted, Int32(MNT_DETACH)) }

    let refusal = error { () throws(PlatformError) in try Tree.remove(test.root + "/tree") }
    let left = TestHome.text(kept)
    try #require(umount2(mounted, Int32(MNT_DETACH)) == 0)
    let second = error { () throws(PlatformError) in try Tree.remove(test.root + "/tree") }

    #expect(refusal?.code == .system(EBUSY) && refusal?.detail.contains("unmount it first") == true)
    #expect(left == "a film")
    #expect(second == nil && TestHome.status(test.root + "/tree") == nil)
  }

  @Test(.enabled(if: TestHome.mayMount, "mounting a folder is not allowed here"))
  func `an empty file system in a folder is left mounted, and its mount point with it`() throws {
    let test = try TestHome()
    let (real, mounted) = (try test.folder("real"), try test.folder("tree/mounted"))
    try #require(mount(real, mounted, nil, UInt(MS_BIND), nil) == 0)
    defer { umount2(mounted, Int32(MNT_DETACH)) }

    let refusal = error { () throws(PlatformError) in try Tree.remove(test.root + "/tree") }
    try #require(umount2(mounted, Int32(MNT_DETACH)) == 0)

    #expect(refusal?.code == .system(EBUSY))
    #expect(TestHome.names(test.root + "/tree") == ["mounted"])
  }
}
