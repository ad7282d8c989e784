import Glibc
import NightjarModel
import Patience
import Testing

@testable import NightjarPlatform

@Suite(.timeLimit(.minutes(2))) struct LogKeeperTests {
  /// Writes as an app does: to the end of one file that stays open.
  private final class Writer {
    private let file: Int32

    init(_ path: String) { file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
    deinit { close(file) }

    func write(_ text: String) { _ = Glibc.write(file, text, text.utf8.count) }
  }

  private func becomesEmpty(_ path: String) async throws {
    try await eventually("the log begins anew") { TestHome.status(path)?.st_size == 0 }
  }

  @Test func `a log that grows too long begins anew while its app goes on writing`() async throws {
    let test = try TestHome()
    let lookout = try Lookout()
    let path = test.home.log(AppID("dev.test.App"))
    let keeper = try LogKeeper(home: test.home, bytesMax: 1000, lookout: lookout, pause: .milliseconds(1))
    let writer = Writer(path)

    let before = "long ago\n" + String(repeating: "-", count: 300) + "\nlately\n"
    writer.write(before)
    writer.write(String(repeating: "a", count: 800))
    try await becomesEmpty(path)
    #expect(TestHome.text(path + ".1") == before + String(repeating: "a", count: 800))  // Only a little too long.
    writer.write("afterwards\n")
    #expect(TestHome.text(path) == "afterwards\n")
    writer.write(String(repeating: "b", count: 2000))
    try await becomesEmpty(path)

    #expect(TestHome.text(path + ".1") == String(repeating: "b", count: 875))  // Far too long: cut.
    #expect(TestHome.mode(path + ".1") == 0o600)
    #expect(Disk.names(in: test.home.logs) == ["dev.test.App.log", "dev.test.App.log.1"])
    withExtendedLifetime(keeper) { lookout.stop() }
  }

  @Test func `of a log far beyond its bound the newest lines are kept, and no more than the bound`() async throws {
    let test = try TestHome()
    let lookout = try Lookout()
    let path = test.home.log(AppID("dev.test.App"))
    let lines = (10_000..<16_000).map { "line \($0)\n" }
    Writer(path).write(lines.joined())

    let keeper = try LogKeeper(home: test.home, bytesMax: 20_000, lookout: lookout)
    try await becomesEmpty(path)

    let kept = TestHome.text(path + ".1")
    #expect(kept.utf8.count <= 20_000 && kept.utf8.count > 17_000)
    #expect(kept == lines.suffix(kept.utf8.count / 11).joined())
    withExtendedLifetime(keeper) { lookout.stop() }
  }

  @Test func `a log that grows many times too long is looked at again soon`() async throws {
    let test = try TestHome()
    let lookout = try Lookout()
    let path = test.home.log(AppID("dev.test.App"))
    let keeper = try LogKeeper(home: test.home, bytesMax: 1000, lookout: lookout, pause: .seconds(3600))
    let writer = Writer(path)

    for _ in 0..<3 {
      writer.write(String(repeating: "a", count: 10_000))
      try await becomesEmpty(path)
    }

    #expect(TestHome.text(path + ".1") == String(repeating: "a", count: 875))
    withExtendedLifetime(keeper) { lookout.stop() }
  }

  @Test func `folders where logs are to be kept make way, while an app runs and at its next launch`() async throws {
    let test = try TestHome()
    let lookout = try Lookout()
    let path = test.home.log(AppID("dev.test.App"))
    for place in [".1/within", ".1.new/within"] { _ = try test.folder("home/state/logs/dev.test.App.log\(place)") }
    let keeper = try LogKeeper(home: test.home, bytesMax: 1000, lookout: lookout, pause: .milliseconds(1))
    let writer = Writer(path)

    writer.write(String(repeating: "a", count: 1100))
    try await becomesEmpty(path)
    #expect(TestHome.text(path + ".1") == String(repeating: "a", count: 1100))

    lookout.stop()
    try #require(unlink(path + ".1") == 0 && unlink(path) == 0)
    for place in ["/within", ".1/within"] { _ = try test.folder("home/state/logs/dev.test.App.log\(place)") }
    _ = try AppLog.opened(path, bytesMax: 1000)
    Writer(path).write(String(repeating: "b", count: 1100))
    _ = try AppLog.opened(path, bytesMax: 1000)

    #expect(TestHome.text(path + ".1") == String(repeating: "b", count: 1100))
    withExtendedLifetime(keeper) {}
  }

  @Test func `logs that cannot be watched are looked at once all the same, and that is said`() async throws {
    let (test, lookout, bell) = (try TestHome(), try Lookout(), Doorbell())
    let path = test.home.log(AppID("dev.test.App"))
    TestHome.remove(test.home.logs)
    lookout.perform { _ = bell.wait() }
    let keeper = try LogKeeper(home: test.home, bytesMax: 1000, lookout: lookout)
    mkdir(test.home.logs, 0o700)
    Writer(path).write(String(repeating: "a", count: 2000))

    bell.ring()
    try await becomesEmpty(path)

    #expect(keeper.shortcoming?.contains(test.home.logs) == true)
    #expect(Disk.names(in: test.home.logs) == ["dev.test.App.log", "dev.test.App.log.1"])
    withExtendedLifetime(keeper) { lookout.stop() }
  }

  @Test func `a log of any length begins anew, and what was left of a copy goes`() async throws {
    let folder = "\(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/nightjar-\(UInt64.random(in: 0 ... .max))"
    let (home, lookout, bell) = (try Home(environment: ["NIGHTJAR_HOME": folder]), try Lookout(), Doorbell())
    defer { TestHome.remove(folder) }
    try home.prepare()
    let (path, left) = (home.log(AppID("dev.test.App")), home.log(AppID("gone")) + ".1.new")
    try #require(mkfifo(path + ".1.new", 0o600) == 0 && mkfifo(left, 0o600) == 0)
    let writer = Writer(path)
    lookout.perform { _ = bell.wait() }

    let keeper = try LogKeeper(home: home, bytesMax: 1000, lookout: lookout)
    try #require(truncate(path, .max) == 0 || truncate(path, 1 << 43) == 0)  // As long as the file system has them.
    bell.ring()
    try await becomesEmpty(path)

    #expect(Disk.names(in: home.logs) == ["dev.test.App.log", "dev.test.App.log.1"])
    withExtendedLifetime((keeper, writer)) { lookout.stop() }
  }

  @Test func `what is within bounds, and what is no log, is left as it is`() async throws {
    let test = try TestHome()
    let lookout = try Lookout()
    let other = Writer(test.home.logs + "/notes.txt")
    let short = Writer(test.home.logs + "/a.log")
    let long = Writer(test.home.logs + "/b.log")
    let keeper = try LogKeeper(home: test.home, bytesMax: 1000, lookout: lookout, pause: .milliseconds(1))

    other.write(String(repeating: "x", count: 5000))
    short.write(String(repeating: "x", count: 1000))
    long.write(String(repeating: "x", count: 1001))
    try await becomesEmpty(test.home.logs + "/b.log")

    #expect(Disk.names(in: test.home.logs) == ["a.log", "b.log", "b.log.1", "notes.txt"])
    withExtendedLifetime(keeper) { lookout.stop() }
  }
}
