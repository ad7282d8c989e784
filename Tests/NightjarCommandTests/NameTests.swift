import Glibc
import NightjarCommand
import NightjarWire
import Testing

@testable import struct NightjarCommand.FileName

@Suite(.timeLimit(.minutes(2))) struct NameTests {
  @Test(arguments: [
    ("https://h/a/b.iso?x=1#y", "b.iso"), ("https://h", "download"), ("https://h/", "download"),
    ("https://h/a/", "a"), ("https://h/..", "download"), ("https://h/%2e%2e", "download"), ("https://h/.", "download"),
    ("https://h/%2e%2e%2fetc%2fpasswd", "_._etc_passwd"), ("https://h/a%00b", "a_b"), ("https://h/a%1b%5b2J", "a_[2J"),
    ("https://h/.bashrc", "_bashrc"), ("https://h/-rf", "_rf"), ("https://h/a%20b", "a b"),
    ("https://h/gr%C3%BC%C3%9Fe", "grüße"), ("https://h/a%FF", "a%FF"), ("https://h/%252e", "%2e"),
    ("https://h/a%+5", "a%+5"),
    ("https://h/x%E2%80%AEy", "x_y"), ("https://h?a/b", "download"),
    ("https://h/gr\u{FC}\u{DF}e%20an?x#y", "gr\u{FC}\u{DF}e an"), ("https://h/a\u{600}?key=secret", "a_"),
    ("https://h/a/\u{301}b", "\u{301}b"), ("https://h/.\u{301}bashrc", "_\u{301}bashrc"),
  ])
  func `a name from a URL is one plain name`(url: String, name: String) {
    #expect(FileName(url: url)?.text == name)
  }

  @Test func `a long name is cut and keeps its extension`() throws {
    let name = try #require(FileName(url: "https://h/\(String(repeating: "ü", count: 300)).tar.gz"))

    #expect(name.text.utf8.count <= 200)
    #expect(name.text.hasSuffix(".gz"))
  }

  @Test(arguments: ["", ".gz"])
  func `a name of one long character is cut within it`(suffix: String) throws {
    let marks = String(repeating: "%CC%81", count: 300)

    let name = try #require(FileName(url: "https://h/a\(marks)\(suffix)"))

    #expect(name.text.unicodeScalars.first == "a")
    #expect((199...200).contains(name.text.utf8.count))
    #expect(name.text.hasSuffix(suffix))
  }

  @Test func `a file that stands there is refused unless it may go`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    try bench.write("mine", to: "a.iso")

    #expect(await bench.run("download", "http://h/a.iso", "--no-wait") == 5)
    #expect(bench.screen.errors.contains("\(bench.folder)/a.iso exists; replace it with --force"))
    #expect(await bench.run("download", "http://h/a.iso", "--no-wait", "--force") == 0)
    #expect(daemon.read { $0.downloads.map(\.overwrite) } == [true])
  }

  @Test func `a link that leads nowhere stands in the way, and what is no ordinary file always does`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    try #require(symlink("/nowhere/at/all", bench.folder + "/link") == 0)
    try #require(mkfifo(bench.folder + "/pipe", 0o600) == 0)

    #expect(await bench.run("download", "http://h/link", "--no-wait") == 5)
    #expect(await bench.run("download", "http://h/pipe", "--no-wait", "--force") == 5)
    #expect(bench.screen.errors.contains("\(bench.folder)/pipe is no ordinary file"))
    #expect(daemon.read { $0.downloads.isEmpty })
    #expect(await bench.run("download", "http://h/link", "--no-wait", "--force") == 0)
  }

  @Test(arguments: [
    (["http://h/a", "http://h/a"], "would both be"),
    (["http://h/a", "http://h/b", "-o", "nope"], "is no folder, and 2 files need one"),
    (["http://h/a", "-o", "nope/"], "There is no folder nope/"),
    (["http://h/a", "-o", "nope/file"], "There is no folder"),
    (["http://h/a", "-o", String(repeating: "ü", count: 128)], "has 256 bytes, and a file's name at most 255"),
    // In this one nobody makes files, not even root.
    (["http://h/a", "-o", "/proc/sys"], "Nothing can be put into the folder /proc/sys: "),
    (["http://h/a", "-o", "/proc/sys/file"], "Nothing can be put into the folder /proc/sys: "),
  ])
  func `a place that cannot be used is named`(arguments: [String], message: String) async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let status = await Program.run(["download", "--no-wait"] + arguments, in: bench.surroundings())

    #expect(status == 2)
    #expect(bench.screen.errors.contains(message))
    #expect(daemon.read { $0.downloads.isEmpty })
  }

  @Test func `two downloads of one name are refused without their passwords`() async throws {
    let bench = try Bench()

    #expect(await bench.run("download", "http://me:secret@h/a", "http://me:secret@i/a") == 2)
    #expect(bench.screen.errors.contains("http://h/a and http://i/a would both be"), "\(bench.screen.errors)")
  }

  @Test func `files go to the folder or under the name that was given`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    #expect(await bench.run("download", "http://h/a", "http://h/b", "-o", ".", "--no-wait") == 0)
    #expect(await bench.run("download", "http://h/a", "-o", "x/../c", "--no-wait") == 0)
    #expect(daemon.read { $0.downloads.map(\.destination) } == ["a", "b", "c"].map { "\(bench.folder)/\($0)" })
  }

  @Test func `a name may be as long as file systems take it`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    let name = String(repeating: "ü", count: 127) + "a"

    #expect(await bench.run("download", "http://h/a", "-o", name, "--no-wait") == 0)
    #expect(daemon.read { $0.downloads.map(\.destination) } == ["\(bench.folder)/\(name)"])
  }
}
