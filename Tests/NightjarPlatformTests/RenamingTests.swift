import Glibc
import NightjarModel
import Testing

@testable import NightjarPlatform

/// File systems that cannot rename as others do.
@Suite struct RenamingTests {
  @Test(arguments: [EINVAL, ENOSYS])
  func `an app comes, is upgraded and goes where the file system has plain renames alone`(lacking: Int32) throws {
    let place = try TestHome()
    var library = AppLibrary(home: place.home)
    library.renaming = plain(lacking)

    let fresh = try library.install(library.draft(try place.bundle(script: "old")))
    let upgrade = try library.install(library.draft(try place.bundle(script: "new")))
    let former = try #require(upgrade.former)
    let kept = TestHome.names(place.home.apps)
    library.remove(former)

    #expect(fresh.former == nil && kept.count == 2 && TestHome.names(place.home.apps) == ["dev.test.App"])
    #expect(try library.list().bundles == [upgrade.bundle])
    #expect(TestHome.text(upgrade.bundle.executable).contains("new"))
    #expect(try library.uninstall(upgrade.bundle.id) == nil)
    #expect(TestHome.names(place.home.apps) == [] && TestHome.names(place.home.containers) == [])
  }

  @Test func `an app of a container's image, which cannot be moved, is upgraded and goes`() throws {
    let place = try TestHome()
    var library = AppLibrary(home: place.home)
    let old = try library.install(try place.bundle(script: "old"))
    _ = try place.file("home/state/logs/dev.test.App.log", "said")
    library.renaming = immovable(place.home.bundleFolder(old.id))

    let new = try library.install(try place.bundle(script: "new"))

    #expect(try library.list().bundles == [new] && TestHome.text(new.executable).contains("new"))
    #expect(TestHome.names(place.home.apps) == ["dev.test.App"])
    #expect(try library.uninstall(new.id) == nil)
    #expect(TestHome.names(place.home.apps) == [] && TestHome.names(place.home.containers) == [])
    #expect(TestHome.names(place.home.logs) == [])
  }

  @Test(arguments: [true, false])
  func `an upgrade that dies between two renames leaves the old app or the new one`(isMovable: Bool) throws {
    let place = try TestHome()
    var library = AppLibrary(home: place.home)
    let app = try library.install(try place.bundle(script: "old")).id
    let (apps, moments) = (place.home.apps, try place.folder("moments"))
    let lacking = isMovable ? plain(EINVAL) : immovable(place.home.bundleFolder(app))
    library.renaming = lacking
    library.renaming.move = { from, to in
      try? Tree.copy(apps, to: "\(moments)/\(TestHome.names(moments).count)")
      return lacking.move(from, to)
    }

    _ = try library.install(try place.bundle(script: "new"))

    #expect(TestHome.names(moments).count == 3)
    for moment in TestHome.names(moments) {
      TestHome.remove(apps)
      try #require(rename("\(moments)/\(moment)", apps) == 0)
      let mayBeTorn = !isMovable && TestHome.status(apps + "/.coming-dev.test.App") != nil
      if mayBeTorn { unlink(apps + "/dev.test.App/Test.app/Info.plist") }  // As if it had died amid the removal.
      #expect(library.sweep().isEmpty)
      #expect(TestHome.names(apps) == ["dev.test.App"])
      let script = TestHome.text(try library.bundle(app).executable)
      #expect(script.contains(moment == "0" ? "old" : "new"), "moment \(moment)")
    }
  }

  @Test func `an upgrade whose second rename fails leaves the old app`() throws {
    let place = try TestHome()
    var library = AppLibrary(home: place.home)
    let old = try library.install(try place.bundle(script: "old"))
    library.renaming = plain(EINVAL)
    let coming = place.home.apps + "/.coming-dev.test.App"
    library.renaming.move = { from, to in from == coming ? EIO : Renaming().move(from, to) }

    let source = try place.bundle(script: "new")
    let refusal = error { () throws(PlatformError) in try library.install(source) }

    #expect(refusal?.code == .system(EIO))
    #expect(TestHome.names(place.home.apps) == ["dev.test.App"])
    #expect(try library.list().bundles == [old] && TestHome.text(old.executable).contains("old"))
  }

  @Test func `an upgrade that waits to be finished does not bring back an app that is removed`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let app = try library.install(try place.bundle()).id
    _ = try place.folder("home/data/apps/.coming-dev.test.App/Test.app")

    try library.uninstall(app)

    #expect(library.sweep().isEmpty)
    #expect(TestHome.names(place.home.apps) == [])
  }

  @Test(arguments: [true, false])
  func `a made folder takes the place of the old one on any file system`(isMovable: Bool) throws {
    let place = try TestHome()
    let target = try place.folder("out/Tool.app")
    _ = try place.file("out/Tool.app/old", "old")
    var draft = try FolderDraft(for: target)
    draft.renaming = isMovable ? plain(EINVAL) : immovable(target)
    try draft.write("new", to: "new")

    var refusal: PlatformError?
    do throws(PlatformError) { try draft.settle(replaces: false) } catch { refusal = error }
    let left = TestHome.names(target)
    try draft.settle(replaces: true)

    #expect(refusal?.code == .system(EEXIST) && left == ["old"])
    #expect(TestHome.names(target) == ["new"])
  }

  @Test func `a folder of a file system that syncs no folders counts as synced`() throws {
    #expect(error { () throws(PlatformError) in try Disk.sync(folder: "/proc") } == nil)  // It answers EINVAL.
  }

  /// A file system that has plain renames alone. A name that is taken is seen before that (rename(2)).
  private func plain(_ lacking: Int32) -> Renaming {
    var renaming = Renaming()
    renaming.moveExclusively = { TestHome.status($1) == nil ? lacking : EEXIST }
    renaming.exchange = { _, _ in lacking }
    return renaming
  }

  /// overlayfs with a folder that comes from a lower layer.
  private func immovable(_ folder: String) -> Renaming {
    var renaming = Renaming()
    renaming.exchange = { _, _ in EXDEV }
    renaming.move = { from, to in from == folder ? EXDEV : Renaming().move(from, to) }
    return renaming
  }
}
