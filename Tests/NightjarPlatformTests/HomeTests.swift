import Glibc
import NightjarModel
import Testing

@testable import NightjarPlatform

@Suite struct HomeTests {
  @Test func `the folders follow the XDG base directories`() throws {
    let environment = ["HOME": "/home/ada", "XDG_STATE_HOME": "/var/state", "XDG_DATA_HOME": "relative/is/ignored"]

    let home = try Home(environment: environment)

    #expect(home.data == "/home/ada/.local/share/nightjar")
    #expect(home.state == "/var/state/nightjar")
    #expect(home.runtime == "/var/state/nightjar/run")
    #expect(home.runtimeIsFallback)
  }

  @Test(arguments: [("here", "/w/here"), ("./a//b/", "/w/a/b"), ("../x", "/x"), ("/abs/./y", "/abs/y"), (".", "/w")])
  func `a folder is named from where a person is`(named: String, path: String) {
    #expect(Disk.absolute(named, from: "/w") == path)
  }

  @Test func `a home that cannot be made says why, and that it may lie elsewhere`() throws {
    let home = try Home(environment: ["NIGHTJAR_HOME": "/proc/nowhere"])

    let refusal = try #require(error { () throws(PlatformError) in try home.prepare() })

    #expect(refusal.code == .unusableFolder)
    #expect(refusal.detail.hasPrefix("cannot make the folder /proc/nowhere: No such file or directory; "))
    #expect(refusal.detail.hasSuffix("set NIGHTJAR_HOME to another folder"))
  }

  @Test(arguments: [EROFS, EACCES, ENOSPC, EMFILE])
  func `what the system refuses anywhere is not said to be the home's fault`(code: Int32) {
    #expect(!PlatformError.system("cannot make the folder /x", code).detail.contains("NIGHTJAR_HOME"))
  }

  @Test func `a runtime folder counts only if it is ours`() throws {
    let place = try TestHome()
    let ours = ["HOME": "/h", "XDG_RUNTIME_DIR": place.root]
    let missing = ["HOME": "/h", "XDG_RUNTIME_DIR": place.root + "/nothing"]

    #expect(try Home(environment: ours).socket == place.root + "/nightjar/nightjar.sock")
    #expect(try Home(environment: missing).runtimeIsFallback)
  }

  @Test func `a link leads to the socket from where it would lie without a runtime folder`() throws {
    let place = try TestHome()
    let with = try Home(environment: ["HOME": place.root, "XDG_RUNTIME_DIR": place.root])
    let without = try Home(environment: ["HOME": place.root])
    for home in [with, without] { try home.prepare() }

    #expect(with.socketElsewhere == without.socket && without.socketElsewhere == nil)

    #expect(mknod(without.socket, S_IFSOCK | 0o600, 0) == 0)
    try with.linkSocket()
    #expect(readlink(without.socket) == with.socket)

    without.clearSocket()
    #expect(access(without.socket, F_OK) != 0)
  }

  @Test func `the socket's folder is made anew, but none above it, and nothing in a home that is gone`() throws {
    let place = try TestHome()
    let user = place.root + "/user"
    try #require(mkdir(user, 0o700) == 0)
    let home = try Home(environment: ["HOME": place.root, "XDG_RUNTIME_DIR": user])
    try home.prepare()
    let lock = try HomeLock(home: home)

    try #require(rmdir(home.runtime) == 0)
    try home.restoreRuntime()
    try #require(rmdir(home.runtime) == 0 && rmdir(user) == 0)
    let loggedOut = error { () throws(PlatformError) in try home.restoreRuntime() }
    #expect(access(user, F_OK) != 0)
    try #require(mkdir(user, 0o700) == 0 && unlink(home.lock) == 0)
    let removed = error { () throws(PlatformError) in try home.restoreRuntime() }

    #expect(loggedOut?.code == .unusableFolder && removed?.code == .unusableFolder)
    #expect(access(home.runtime, F_OK) != 0)
    withExtendedLifetime(lock) {}
  }

  private func readlink(_ path: String) -> String {
    var text = [UInt8](repeating: 0, count: 4096)
    let count = text.withUnsafeMutableBytes { Glibc.readlink(path, $0.baseAddress!, $0.count) }
    return String(decoding: text.prefix(max(count, 0)), as: UTF8.self)
  }

  @Test func `NIGHTJAR_HOME moves all of it`() throws {
    let home = try Home(environment: ["NIGHTJAR_HOME": "/srv/n/", "HOME": "/h", "XDG_RUNTIME_DIR": "/tmp"])

    let paths = [home.database, home.staging, home.apps, home.containers, home.logs, home.socket, home.lock]
    #expect(paths.allSatisfy { $0.hasPrefix("/srv/n/") })
  }

  @Test(arguments: [[:], ["HOME": ""], ["NIGHTJAR_HOME": "here", "HOME": "/h"]])
  func `no absolute home is refused with what to set`(environment: [String: String]) throws {
    let refusal = try #require(error { () throws(PlatformError) in try Home(environment: environment) })

    #expect(refusal.code == .unusableFolder)
    #expect(refusal.detail.contains("NIGHTJAR_HOME"))
  }

  @Test func `prepared folders are closed to others, also those that were open`() throws {
    let place = try TestHome()
    chmod(place.home.state, 0o777)

    try place.home.prepare()

    for folder in [place.home.data, place.home.state, place.home.runtime, place.home.staging, place.home.logs] {
      #expect(TestHome.mode(folder) == 0o700, "\(folder)")
    }
  }

  @Test(arguments: [(0o777, 0o755), (0o775, 0o755), (0o700, 0o700), (0o1777, 0o777)] as [(mode_t, mode_t)])
  func `others may not write into the folder of a home that was there before`(mode: mode_t, closed: mode_t) throws {
    let place = try TestHome()
    let folder = try place.folder("open")
    try #require(chmod(folder, mode) == 0)

    try Home(environment: ["NIGHTJAR_HOME": folder]).prepareState()

    #expect(TestHome.mode(folder) == closed)
  }

  @Test(
    .enabled(if: geteuid() == 0, "needs root, to give a folder to another user"),
    arguments: [(0o777, true), (0o775, false), (0o1777, false)] as [(mode_t, Bool)])
  func `a home in another user's folder is used as it is, and known to be open`(mode: mode_t, isOpen: Bool) throws {
    let place = try TestHome()
    let folder = try place.folder("volume")
    try #require(chown(folder, 65_534, 65_534) == 0 && chmod(folder, mode) == 0)
    let home = try Home(environment: ["NIGHTJAR_HOME": folder])

    try home.prepare()

    #expect(home.openRoot == (isOpen ? folder : nil))
    #expect(TestHome.status(folder)?.st_mode == S_IFDIR | mode)
    #expect([home.state, home.data, home.runtime].allSatisfy { TestHome.mode($0) == 0o700 })
  }

  @Test func `what is removed of a home is Nightjar's, and the rest is told and stays`() throws {
    let place = try TestHome()
    let (home, database) = (place.home, place.home.database)
    _ = try home.id()
    for file in [database, database + "-wal", database + ".damaged-1", home.desktop, home.socket] {
      _ = try place.file(String(file.dropFirst(place.root.count + 1)), "ours")
    }
    let mine = try ["data/photos", "data/.hidden", "run/other.sock", "state/nightjar.txt"].map {
      try place.file("home/" + $0, "mine")
    }

    let removal = try home.remove()

    #expect(removal == Home.Removal(gone: [], stays: [mine[1], mine[0], mine[2], mine[3]]))
    #expect(mine.allSatisfy { TestHome.text($0) == "mine" })
    #expect([home.data, home.runtime, home.state].flatMap(TestHome.names).count == mine.count)
  }

  @Test func `copies that were under way go with a home, and what programs keep of their sessions`() throws {
    let place = try TestHome()
    let (home, away) = (place.home, try place.folder("away"))
    let copies = [("staging", ".nightjar-1-7.part"), ("staging.damaged-1", ".nightjar-2-7.part"), ("staging", "mine")]
    for (area, name) in copies {
      let copy = try place.file("away/" + name, "half a film")
      try #require(symlink(copy, try place.folder("home/data/" + area) + "/\(name).copy") == 0)
    }
    _ = try place.folder("home/state/programs/tool/sessions/session-a/spool")

    let removal = try home.remove()

    #expect(TestHome.names(away) == ["mine"])
    #expect(removal == Home.Removal(gone: [home.data, home.runtime, home.state]))
  }

  @Test func `a home among a user's folders goes with its socket's place, but for what others have there`() throws {
    let place = try TestHome()
    let home = try Home(environment: ["HOME": place.root + "/anna"])
    try home.prepare()
    let stranger = try place.file("anna/.local/state/nightjar/run/mine", "mine")

    let first = try home.remove()
    TestHome.remove(stranger)
    let second = try home.remove()

    #expect(first == Home.Removal(gone: [home.data], stays: [stranger]))
    #expect(second.gone == [home.runtime, home.state] && second.stays.isEmpty)
  }

  @Test func `a symbolic link in place of a folder is refused`() throws {
    let place = try TestHome()
    TestHome.remove(place.home.staging)
    symlink("/tmp", place.home.staging)

    let refusal = try #require(error { () throws(PlatformError) in try place.home.prepare() })

    #expect(refusal.code == .unusableFolder)
    #expect(refusal.detail.contains(place.home.staging) && refusal.detail.contains("symbolic link"))
  }

  @Test func `a file in place of a folder is refused`() throws {
    let place = try TestHome()
    TestHome.remove(place.home.logs)
    _ = try place.file("home/state/logs", "")

    let refusal = try #require(error { () throws(PlatformError) in try place.home.prepare() })

    #expect(refusal.detail.contains("is not a folder"))
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to give a folder to another user"))
  func `another user's folder is refused`() throws {
    let place = try TestHome()
    chown(place.home.apps, 65_534, 65_534)

    let refusal = try #require(error { () throws(PlatformError) in try place.home.prepare() })

    #expect(refusal.code == .unusableFolder)
    #expect(refusal.detail.contains("belongs to user 65534"))
  }

  @Test(.enabled(if: geteuid() != 0, "needs an ordinary user, whom modes bind"))
  func `a place that cannot be written to is refused by its path`() throws {
    let refusal = try #require(
      error { () throws(PlatformError) in try Home(environment: ["NIGHTJAR_HOME": "/proc/none"]).prepare() })

    #expect(refusal.code == .unusableFolder)
    #expect(refusal.detail.contains("/proc/none"))
  }

  @Test func `a file that cannot be put in its place leaves nothing beside it`() throws {
    let place = try TestHome()
    let taken = try place.folder("files/taken")

    let refusal = error { () throws(PlatformError) in try Disk.replace(taken, with: "text", synced: true) }

    #expect(refusal?.code == .system(EISDIR))
    #expect(TestHome.names(place.root + "/files") == ["taken"])
  }

  @Test func `a home keeps its name`() throws {
    let (place, other) = (try TestHome(), try TestHome())

    let first = try place.home.id()
    let second = try place.home.id()

    #expect(first == second && first.count == 32)
    #expect(try other.home.id() != first)
  }
}
