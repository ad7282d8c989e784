import Glibc
import NightjarModel
import Testing

@testable import NightjarPlatform

/// Two state folders, and one data folder that both name.
@Suite struct DataTests {
  private let place: TestHome
  private let home: Home
  private let other: Home

  init() throws {
    place = try TestHome()
    (home, other) = (try Self.home(place, "first"), try Self.home(place, "second"))
    for home in [home, other] { try home.prepareState() }
  }

  private static func home(_ place: TestHome, _ state: String) throws -> Home {
    let root = place.root
    return try Home(environment: ["HOME": root, "XDG_DATA_HOME": root + "/data", "XDG_STATE_HOME": "\(root)/\(state)"])
  }

  private func claim(
    _ home: Home, isBlank: Bool, aside: Int? = nil
  ) throws(PlatformError) -> (lock: DataLock, notice: String?) {
    try home.claimData(for: [], isBlank: isBlank, aside: aside)
  }

  private func stage() throws { _ = try place.file("data/nightjar/staging/1.part", "half a film") }

  @Test func `a data folder that a daemon uses is neither claimed nor removed with another state folder`() throws {
    let first = try claim(home, isBlank: true)
    try stage()

    let refusal = error { () throws(PlatformError) in try claim(other, isBlank: true) }
    let removal = error { () throws(PlatformError) in try other.remove() }

    #expect(refusal?.code == .locked(by: nil) && removal?.code == .locked(by: nil))
    #expect(refusal?.detail.contains(home.data) == true)
    #expect(TestHome.text(home.staging + "/1.part") == "half a film")
    #expect(TestHome.text(home.mark) == TestHome.text(home.idFile))
    withExtendedLifetime(first.lock) {}
  }

  @Test func `a new state folder takes over the data folder of another, and puts aside what is staged there`() throws {
    _ = try claim(home, isBlank: true)
    try stage()

    let notice = try claim(other, isBlank: true, aside: 1).notice

    #expect(notice?.contains(home.staging + ".damaged-1") == true)
    #expect(TestHome.text(home.staging + ".damaged-1/1.part") == "half a film")
    #expect(TestHome.names(home.staging) == [])
    #expect(TestHome.text(home.mark) == TestHome.text(other.idFile))
  }

  @Test(arguments: [true, false])
  func `the data folder of another home is refused to one that is not new, and left as it is`(isBlank: Bool) throws {
    _ = try claim(home, isBlank: true)
    try stage()
    _ = try other.id()

    let refusal = try #require(error { () throws(PlatformError) in try claim(other, isBlank: isBlank) })
    let left = TestHome.text(home.staging + "/1.part")
    let advice = try #require(refusal.detail.firstMatch(of: /given up, (.*) makes/)).1

    #expect(refusal.code == .unusableFolder && left == "half a film")
    #expect(TestHome.text(home.mark) == TestHome.text(home.idFile))
    #expect(system(String(advice)) == 0)
    #expect(error { () throws(PlatformError) in try claim(other, isBlank: isBlank) } == nil)
  }

  @Test func `what was staged for a database that is gone is put aside, also in a home that is not new`() throws {
    _ = try claim(home, isBlank: true)
    try stage()

    let notice = try claim(home, isBlank: true, aside: 3).notice

    #expect(notice?.contains(home.staging + ".damaged-3") == true)
    #expect(TestHome.text(home.staging + ".damaged-3/1.part") == "half a film")
  }

  @Test func `a home that has lost its id, but not what it remembers, takes it from the mark`() throws {
    _ = try claim(home, isBlank: true)
    let id = try home.id()
    unlink(home.idFile)

    #expect(error { () throws(PlatformError) in try claim(home, isBlank: false) } == nil)
    #expect(try home.id() == id)
  }

  @Test func `what is staged stays for the home that it is of`() throws {
    _ = try claim(home, isBlank: true)
    try stage()

    let notice = try claim(home, isBlank: true).notice

    #expect(notice == nil)
    #expect(TestHome.text(home.staging + "/1.part") == "half a film")
  }

  @Test func `an empty folder is not the data folder of a home without bundles that remembers transfers`() throws {
    _ = try claim(home, isBlank: true)
    rename(home.data, place.root + "/away")
    try #require(mkdir(home.data, 0o700) == 0)  // A mount point without its disk.

    let refusal = try #require(error { () throws(PlatformError) in try claim(home, isBlank: false) })
    let left = TestHome.names(home.data)
    try #require(rmdir(home.data) == 0 && rename(place.root + "/away", home.data) == 0)

    #expect(refusal.code == .unusableFolder && refusal.detail.contains("mounted"))
    #expect(left == [])
    #expect(error { () throws(PlatformError) in try claim(home, isBlank: false) } == nil)
  }

  @Test func `a home whose mark found no room on its disk is known by its staging area`() throws {
    _ = try claim(home, isBlank: true)
    unlink(home.mark)

    #expect(error { () throws(PlatformError) in try claim(home, isBlank: false) } == nil)
    #expect(TestHome.text(home.mark) == TestHome.text(home.idFile))
  }
}
