import Glibc
import NightjarModel
import Testing

@testable import NightjarPlatform

/// Symbolic links in bundles, which are copied as they are or refused.
@Suite struct BundleLinkTests {
  @Test func `links within a bundle stay links`() throws {
    let place = try TestHome()
    let source = try place.bundle()
    _ = try place.folder("source/dev.test.App/Test.app/sub")
    symlink("run", source + "/also")
    symlink("../run", source + "/sub/too")

    let bundle = try AppLibrary(home: place.home).install(source)

    for link in ["/also", "/sub/too"] {
      #expect(TestHome.status(bundle.path + link).map { $0.st_mode & S_IFMT } == S_IFLNK)
    }
  }

  @Test(arguments: [
    ("link", "../Test.app/run"), ("link", "../../dev.test.App/Test.app/run"), ("a/b/link", "../../../Test.app/run"),
    ("a/b/link", "up/../../Test.app/run"), ("link", "run/"),
  ])
  func `links that lead out and in again, by names that the copy does not have, are refused`(
    link: String, target: String
  ) throws {
    let place = try TestHome()
    let source = try place.bundle()
    _ = try place.folder("source/dev.test.App/Test.app/a/b")
    symlink("..", source + "/a/b/up")
    symlink(target, source + "/" + link)

    let refusal = error { () throws(PlatformError) in try AppLibrary(home: place.home).install(source) }

    #expect(refusal?.code == .badBundle(key: nil))
    #expect(refusal?.detail.contains("\(link) is a symbolic link that leads out of the bundle") == true)
  }

  @Test(arguments: [(".", "loop"), ("a/..", "loop"), ("../..", "a/b/loop")])
  func `a link to the bundle itself is refused as a loop`(target: String, link: String) throws {
    let place = try TestHome()
    let source = try place.bundle()
    _ = try place.folder("source/dev.test.App/Test.app/a/b")
    symlink(target, source + "/" + link)

    let refusal = error { () throws(PlatformError) in try AppLibrary(home: place.home).install(source) }

    #expect(refusal?.detail.contains("\(link) is a symbolic link that leads to the bundle itself") == true)
  }

  @Test func `links that lead out in two steps are refused`() throws {
    let place = try TestHome()
    let source = try place.bundle()
    _ = try place.folder("source/dev.test.App/Test.app/a/b")
    symlink("a/b", source + "/deep")
    symlink("deep/../../../..", source + "/a/out")

    let refusal = error { () throws(PlatformError) in try AppLibrary(home: place.home).install(source) }

    #expect(refusal?.code == .badBundle(key: nil))
  }
}
