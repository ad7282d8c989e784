import Glibc
import NightjarModel
import Testing

@testable import NightjarPlatform

@Suite struct LibraryTests {
  @Test func `an installed app has its bundle and its container`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)

    let bundle = try library.install(try place.bundle())

    #expect(bundle.path == place.home.apps + "/dev.test.App/Test.app")
    #expect(try library.list().bundles == [bundle])
    let container = place.home.container(bundle.id)
    for folder in [container.documents, container.snapshots, container.preferences, container.temporary] {
      #expect(TestHome.mode(folder) == 0o700, "\(folder)")
    }
    #expect(TestHome.mode(bundle.executable) == 0o700 && TestHome.mode(bundle.path + "/Info.plist") == 0o600)
  }

  @Test func `a number is no new app's identifier, and the app that has one keeps it`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let source = try place.bundle("7")

    let refusal = error { () throws(PlatformError) in try library.install(source) }
    try #require(mkdir(place.home.apps + "/7", 0o700) == 0)
    try #require(rename(source, place.home.apps + "/7/Test.app") == 0)

    #expect(refusal?.code == .badBundle(key: "CFBundleIdentifier"))
    #expect(refusal?.detail.contains("at least one character that is no digit") == true)
    #expect(try library.list().bundles.map(\.id) == [AppID("7")])
    #expect(try library.install(place.bundle("7")).id == AppID("7"))
  }

  @Test func `an upgrade keeps the container and leaves nothing of the old bundle`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let source = try place.bundle()
    _ = try place.file("source/dev.test.App/Test.app/old", "old")
    let first = try library.install(source)
    _ = try place.file("home/data/containers/dev.test.App/Documents/letter", "mine")
    unlink(source + "/old")
    _ = try place.file("source/dev.test.App/Test.app/new", "new")

    let second = try library.install(source)

    #expect(first == second)
    #expect(TestHome.names(second.path) == ["Info.plist", "new", "run"])
    #expect(TestHome.text(place.home.container(second.id).documents + "/letter") == "mine")
    #expect(TestHome.names(place.home.apps) == ["dev.test.App"])
  }

  @Test func `an app that runs keeps its former bundle until that is removed`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let fresh = try library.install(library.draft(try place.bundle(script: "old")))
    let folder = open(fresh.bundle.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }

    let upgrade = try library.install(library.draft(try place.bundle(script: "new")))
    let former = try #require(upgrade.former)
    let isThere = faccessat(folder, "run", F_OK, 0) == 0
    library.remove(former)

    #expect(fresh.former == nil && isThere)
    #expect(TestHome.text(upgrade.bundle.executable).contains("new"))
    #expect(faccessat(folder, "run", F_OK, 0) != 0)
    #expect(TestHome.names(place.home.apps) == ["dev.test.App"])
  }

  @Test func `an app that is renamed by its upgrade stands there once`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let source = try place.bundle()
    _ = try library.install(source)
    rename(source, place.root + "/source/Better.app")

    let better = try library.install(place.root + "/source/Better.app")

    #expect(TestHome.names(place.home.bundleFolder(better.id)) == ["Better.app"])
  }

  @Test func `an invalid bundle changes nothing`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let source = try place.bundle()
    let installed = try library.install(source)
    symlink("/etc/passwd", source + "/secrets")

    let refusal = error { () throws(PlatformError) in try library.install(source) }

    #expect(refusal?.detail.contains("secrets") == true)
    #expect(try library.bundle(installed.id) == installed)
    #expect(TestHome.names(place.home.apps) == ["dev.test.App"])
  }

  @Test func `a bundle that changes while it is copied leaves what is installed`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let source = try place.bundle(script: "old")
    let installed = try library.install(source)
    let info = TestHome.text(source + "/Info.plist")

    let other = try place.file("other", info.replacing("dev.test.App", with: "dev.test.Other"))
    let renamed = error { () throws(PlatformError) in
      try library.install(library.draft(source) { _ = rename(other, source + "/Info.plist") })
    }
    _ = try place.file("source/dev.test.App/Test.app/Info.plist", info)
    let torn = error { () throws(PlatformError) in
      try library.install(library.draft(source) { _ = truncate(source + "/Info.plist", 0) })
    }

    #expect(torn != nil)
    #expect(renamed?.code == .badBundle(key: "CFBundleIdentifier"))
    #expect(try library.list().bundles == [installed])
    #expect(TestHome.text(installed.executable).contains("old"))
    #expect(TestHome.names(place.home.apps) == ["dev.test.App"])
  }

  @Test func `an app whose container cannot be made is not installed, and its earlier version stays`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let installed = try library.install(try place.bundle(script: "old"))
    TestHome.remove(place.home.container(installed.id).path)
    _ = try place.file("home/data/containers/dev.test.App", "in its place")
    _ = try place.file("home/data/containers/dev.test.Fresh", "in its place")
    let (new, other) = (try place.bundle(script: "new"), try place.bundle("dev.test.Fresh"))

    let upgrade = error { () throws(PlatformError) in try library.install(new) }
    let fresh = error { () throws(PlatformError) in try library.install(other) }

    #expect(upgrade != nil && fresh != nil)
    #expect(TestHome.names(place.home.apps) == ["dev.test.App"])
    #expect(TestHome.text(installed.executable).contains("old"))
  }

  @Test func `what cannot be listed is not copied as a folder without files`() throws {
    let place = try TestHome()
    let listless = try place.file("listless", "no folder", mode: 0o700)  // It may be looked into.

    let refusal = error { () throws(PlatformError) in
      try FolderDraft(for: place.root + "/copy").copyContents(of: listless)
    }

    #expect(refusal?.code == .system(ENOTDIR))
  }

  @Test func `two things of one name in a bundle are refused by that name`() throws {
    let place = try TestHome()
    let files = place.root + "/files"
    try Disk.makeFolders(files)
    try Disk.replace(files + "/tool", with: "mine", synced: false)
    let draft = try FolderDraft(for: place.root + "/Tool.app")
    try draft.copyContents(of: files)

    let refusal = error { () throws(PlatformError) in try draft.copy(files + "/tool", as: "tool") }

    #expect(refusal?.detail.contains("would be called tool") == true, "\(String(describing: refusal))")
  }

  @Test func `an uninstalled app leaves nothing behind`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let app = try library.install(try place.bundle()).id
    _ = try place.file("home/state/logs/dev.test.App.log", "said")

    try library.uninstall(app)

    #expect(TestHome.names(place.home.apps) == [] && TestHome.names(place.home.containers) == [])
    #expect(TestHome.names(place.home.logs) == [])
    #expect(error { () throws(PlatformError) in try library.uninstall(app) }?.code == .notInstalled)
    #expect(error { () throws(PlatformError) in try library.bundle(app) }?.code == .notInstalled)
  }

  @Test func `of a program that is uninstalled the logs go`() throws {
    let place = try TestHome()
    for name in ["tool.log", "tool.log.1", "other.log"] { _ = try place.file("home/state/logs/" + name, "said") }

    let refusal = error { () throws(PlatformError) in try AppLibrary(home: place.home).uninstall(AppID("tool")) }

    #expect(refusal?.code == .notInstalled)
    #expect(TestHome.names(place.home.logs) == ["other.log"])
  }

  @Test func `an app whose folder cannot be read is not called uninstalled`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let app = try library.install(try place.bundle()).id
    rename(place.home.bundleFolder(app), place.root + "/aside")
    _ = try place.file("home/data/apps/\(app)", "no folder")

    #expect(error { () throws(PlatformError) in try library.bundle(app) }?.code == .system(ENOTDIR))
  }

  @Test func `what a crash interrupted is finished at the start`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let kept = try library.install(try place.bundle("dev.test.Kept"))
    let app = try library.install(try place.bundle()).id
    // As if the daemon had died right after the rename that removes an app, and amid a copy.
    rename(place.home.bundleFolder(app), place.home.apps + "/.leaving-dev.test.App")
    _ = try place.folder("home/data/apps/.new-0123/Half.app")

    #expect(library.sweep().isEmpty)

    #expect(TestHome.names(place.home.apps) == ["dev.test.Kept"])
    #expect(TestHome.names(place.home.containers) == ["dev.test.Kept"])
    #expect(try library.list().bundles == [kept])
  }

  @Test func `a file whose name is not UTF-8 goes with its app`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let app = try library.install(try place.bundle()).id
    let name = Array((place.home.container(app).documents + "/letter").utf8CString.dropLast())
    close(open(name + [CChar(truncatingIfNeeded: 0xFF), 0], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))

    #expect(try library.uninstall(app) == nil)

    #expect(TestHome.names(place.home.apps) == [] && TestHome.names(place.home.containers) == [])
  }

  @Test func `an app goes with its folders, however deep they are and whatever their modes, and its logs`() throws {
    let place = try TestHome()
    defer { _ = system("rm -rf \(place.root)") }  // It goes down step by step, where paths are too long for one call.
    let library = AppLibrary(home: place.home)
    let app = try library.install(try place.bundle()).id
    bury(in: place.home.container(app).documents, levels: 3000)
    let closed = try place.folder("home/data/containers/\(app)/Documents/closed/within")
    chmod(Disk.parent(of: closed)!, 0)
    for ending in ["", ".1", ".1.new"] { _ = try place.file("home/state/logs/\(app).log\(ending)", "it said") }

    #expect(try library.uninstall(app) == nil)

    #expect(TestHome.names(place.home.apps) == [] && TestHome.names(place.home.containers) == [])
    #expect(TestHome.names(place.home.logs) == [])
  }

  @Test func `where something cannot be looked at, nobody says that it is gone`() throws {
    let far = "/tmp/" + String(repeating: "a", count: 300)  // A name that no file system takes.

    #expect(error { () throws(PlatformError) in try Tree.remove(far) }?.code == .system(ENAMETOOLONG))
    #expect(error { () throws(PlatformError) in try Tree.remove("/tmp/none/of/it") } == nil)
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a file system needs root"))
  func `what cannot be removed is told of at each start, and the rest is swept`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let app = try library.install(try place.bundle()).id
    let disk = place.root + "/home/data/apps/.leaving-dev.test.App/disk"
    try #require(mkdir(place.home.bundleFolder(app) + "/disk", 0o700) == 0)
    try #require(mount("none", place.home.bundleFolder(app) + "/disk", "tmpfs", 0, "size=4k") == 0)
    defer { umount2(disk, Int32(MNT_DETACH)) }

    #expect(try library.uninstall(app) != nil)
    _ = try place.folder("home/data/apps/.new-0123/Half.app")

    #expect(library.sweep().count == 1)
    #expect(library.sweep().count == 1)
    #expect(TestHome.names(place.home.apps) == [".leaving-dev.test.App"])
    #expect(try library.list().bundles.isEmpty)
  }

  /// Makes folders within folders, until no call takes the path of the last one.
  private func bury(in folder: String, levels: Int) {
    let name = String(repeating: "d", count: 250)
    var place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for _ in 0..<levels {
      mkdirat(place, name, 0o700)
      let next = openat(place, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      close(place)
      place = next
    }
    close(place)
  }

  @Test func `a removal that was interrupted does not swallow the app installed after it`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let source = try place.bundle()
    let app = try library.install(source).id
    rename(place.home.bundleFolder(app), place.home.apps + "/.leaving-dev.test.App")

    let again = try library.install(source)
    #expect(library.sweep().isEmpty)

    #expect(try library.list().bundles == [again])
    #expect(TestHome.names(place.home.containers) == ["dev.test.App"])
  }

  @Test func `a damaged app is listed with its fault`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let bundle = try library.install(try place.bundle())
    unlink(bundle.executable)

    let listing = try library.list()

    #expect(listing.bundles.isEmpty)
    #expect(listing.broken[bundle.id]?.code == .badBundle(key: "CFBundleExecutable"))
  }

  @Test func `a folder of apps that cannot be read is no folder without apps`() async {
    await #expect(processExitsWith: .success) {
      let place = try TestHome()
      let library = AppLibrary(home: place.home)
      _ = try library.install(try place.bundle())
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      try #require(getrlimit(files, &limit) == 0)
      var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)  // No further file can be opened.
      try #require(setrlimit(files, &none) == 0)

      let refusal = error { () throws(PlatformError) in try library.list() }
      try #require(setrlimit(files, &limit) == 0)  // So that the home can go.

      try #require(refusal?.code == .system(EMFILE))
      try #require(refusal?.detail.contains(place.home.apps) == true)
    }
  }

  @Test func `an app is gone where nothing stands in its place, not where that cannot be looked at`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let app = try library.install(try place.bundle()).id
    let far = AppID(String(repeating: "a", count: 300))  // A name that no file system takes: ENAMETOOLONG.

    let isGone = library.isGone(app)
    TestHome.remove(place.home.bundleFolder(app))

    #expect(!isGone && library.isGone(app))
    #expect(!library.isGone(far))
  }

  @Test func `a data folder without the home's mark and any of its apps is refused, and left as it is`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let app = try library.install(try place.bundle()).id
    _ = try place.home.claimData(for: [app], isBlank: false)
    rename(place.home.data, place.root + "/away")
    try #require(mkdir(place.home.data, 0o755) == 0)  // A mount point without its disk.
    try place.home.prepareState()

    let refusal = try #require(
      error { () throws(PlatformError) in try place.home.claimData(for: [app], isBlank: false) })
    let left = TestHome.names(place.home.data)
    _ = try place.home.claimData(for: [], isBlank: true)

    #expect(refusal.code == .unusableFolder)
    #expect(refusal.detail.contains(place.home.data) && refusal.detail.contains("mounted"))
    #expect(left == [])
    #expect(TestHome.names(place.home.data) == ["apps", "containers", "groups", "home-id", "staging"])
  }

  @Test(arguments: [true, false])
  func `what is advised for a lost data folder has the daemon start without its apps`(isFolderLeft: Bool) throws {
    let place = try TestHome()
    let app = try AppLibrary(home: place.home).install(try place.bundle()).id
    _ = try place.home.claimData(for: [app], isBlank: false)
    rename(place.home.data, place.root + "/away")
    if isFolderLeft { try #require(mkdir(place.home.data, 0o700) == 0) }
    try place.home.prepareState()

    let refusal = try #require(
      error { () throws(PlatformError) in try place.home.claimData(for: [app], isBlank: false) })
    let advice = try #require(refusal.detail.firstMatch(of: /If it is lost, (.*) has the daemon/)).1

    #expect(system(String(advice)) == 0)
    #expect(error { () throws(PlatformError) in try place.home.claimData(for: [app], isBlank: false) } == nil)
  }

  @Test func `a data folder is marked by the apps that it holds, and then may lose the last of them`() throws {
    let place = try TestHome()
    let library = AppLibrary(home: place.home)
    let app = try library.install(try place.bundle()).id
    _ = try place.home.claimData(for: [app, AppID("dev.test.Gone")], isBlank: false)

    TestHome.remove(place.home.bundleFolder(app))

    #expect(error { () throws(PlatformError) in try place.home.claimData(for: [app], isBlank: false) } == nil)
    #expect(TestHome.text(place.home.data + "/home-id") == TestHome.text(place.home.state + "/home-id"))
  }
}
