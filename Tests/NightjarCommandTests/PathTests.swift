import FoundationEssentials
import Glibc
import NightjarCommand
import NightjarWire
import Testing

/// Files and folders by other names than their own: the daemon is told the latter, for others may mean its own files.
@Suite(.timeLimit(.minutes(2))) struct PathTests {
  @Test func `a file that the shell has opened is sent under its own name`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    try bench.write("bytes", to: "cargo")
    try #require(symlink("cargo", bench.folder + "/link") == 0)
    let file = open(bench.folder + "/cargo", O_RDONLY | O_CLOEXEC)
    defer { close(file) }

    #expect(await bench.run("upload", "/dev/fd/\(file)", "http://h/a", "--no-wait") == 0)
    #expect(await bench.run("upload", "link", "http://h/b", "--no-wait") == 0)

    #expect(daemon.read { $0.uploads.map(\.file) } == ["\(bench.folder)/cargo", "\(bench.folder)/cargo"])
  }

  @Test func `what is no file is not sent, and called what it is`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    try bench.write("", to: "gone")
    let gone = open(bench.folder + "/gone", O_RDONLY | O_CLOEXEC)
    defer { close(gone) }
    try #require(unlink(bench.folder + "/gone") == 0)

    for path in ["/dev/fd/\(ends[0])", "/dev/null", "nightjar.sock", ".", "/dev/fd/\(gone)"] {
      #expect(await bench.run("upload", path, "http://h/a", "--no-wait") == 2)
    }

    let kinds = [
      "a pipe, not a file", "a device, not a file", "a socket, not a file", "a folder", "a file without a name",
    ]
    let errors = bench.screen.errors.split(separator: "\n")
    #expect(errors.count == kinds.count && zip(errors, kinds).allSatisfy { $0.contains(" is \($1);") }, "\(errors)")
    #expect(daemon.read { $0.uploads.isEmpty })
  }

  @Test func `a download goes to the folder that is meant, by its own name`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    try FileManager.default.createDirectory(atPath: bench.folder + "/sub", withIntermediateDirectories: false)
    try #require(symlink("sub", bench.folder + "/link") == 0)
    let folder = open(bench.folder + "/sub", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }

    #expect(await bench.run("download", "http://h/a", "-o", "link/b", "--no-wait") == 0)
    #expect(await bench.run("download", "http://h/a", "-o", "/dev/fd/\(folder)", "--no-wait") == 0)
    #expect(await bench.run("download", "http://h/a", "-o", "./-", "--no-wait") == 0)

    let paths = ["sub/b", "sub/a", "-"].map { "\(bench.folder)/\($0)" }
    #expect(daemon.read { $0.downloads.map(\.destination) } == paths)
  }

  @Test func `two dots after a link lead where the system goes, and what follows keeps its name`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    for folder in ["far/sub", "far/Own.app"] {
      try FileManager.default.createDirectory(atPath: "\(bench.folder)/\(folder)", withIntermediateDirectories: true)
    }
    try #require(symlink("far/sub", bench.folder + "/link") == 0)
    try #require(symlink("Own.app", bench.folder + "/far/Other.app") == 0)
    for name in ["notes", "far/notes"] { try bench.write("bytes", to: name) }

    #expect(await bench.run("upload", "link/../notes", "http://h/a", "--no-wait") == 0)
    #expect(await bench.run("download", "http://h/a", "-o", "link/../new", "--no-wait") == 0)
    #expect(await bench.run("install", "./link/./../Other.app") == 0)

    #expect(daemon.read { $0.uploads.map(\.file) } == ["\(bench.folder)/far/notes"])
    #expect(daemon.read { $0.downloads.map(\.destination) } == ["\(bench.folder)/far/new"])
    #expect(daemon.read { $0.deeds } == ["install \(bench.folder)/far/Other.app"])
  }

  @Test(arguments: [
    ["upload", "cargo", "http://h/a", "--no-wait"], ["download", "http://h/a", "--no-wait"], ["install", "A.app"],
    ["--home", "nightjar", "status"],
  ])
  func `a path from a folder that was removed is refused in words`(arguments: [String]) async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    var surroundings = bench.surroundings()
    surroundings.folder = nil

    let status = await Program.run(arguments, in: surroundings)

    #expect(status == 2)
    #expect(bench.screen.errors == "nightjar: This folder is no more, or its path is not UTF-8; go to another (cd).\n")
    #expect(daemon.read { $0.uploads.isEmpty && $0.downloads.isEmpty })
  }

  @Test func `a whole path means the same there`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    try bench.write("bytes", to: "cargo")
    var surroundings = bench.surroundings()
    surroundings.folder = nil

    let upload = ["upload", bench.folder + "/cargo", "http://h/a", "--no-wait"]
    #expect(await Program.run(upload, in: surroundings) == 0)

    #expect(daemon.read { $0.uploads.map(\.file) } == ["\(bench.folder)/cargo"])
  }
}
