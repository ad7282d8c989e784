import FoundationEssentials
import Glibc
import NightjarCommand
import NightjarPlatform
import NightjarWire
import Patience
import Testing

@testable import struct NightjarCommand.GrowingFile
@testable import struct NightjarCommand.LineCutter

@Suite(.timeLimit(.minutes(2))) struct LogTests {
  private func append(_ text: String, to path: String) throws {
    let handle = try #require(fopen(path, "a"))
    fputs(text, handle)
    fclose(handle)
  }

  private func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : -1
  }

  private func text(after file: inout GrowingFile) throws -> String {
    var text: [UInt8] = []
    try file.readOn { text += $0 }
    return String(decoding: text, as: UTF8.self)
  }

  @Test(arguments: [
    ([], "1\n2\n3\n4"), (["-n", "2"], "3\n4"), (["-n", "0"], ""), (["-n", "9"], "1\n2\n3\n4"),
  ])
  func `a log is printed whole or from its last lines`(options: [String], text: String) async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { $0.logPath = bench.folder + "/a.log" }
    try bench.write("1\n2\n3\n4", to: "a.log")

    #expect(await Program.run(["log", "a"] + options, in: bench.surroundings()) == 0)
    #expect(bench.screen.output == (text.isEmpty ? "" : text + "\n"))
    daemon.stop()
  }

  @Test func `a terminal is safe from what an app prints`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { $0.logPath = bench.folder + "/a.log" }
    try bench.write("a\tb\u{1b}[31m\n", to: "a.log")

    #expect(await bench.run("log", "a", isTerminal: true) == 0)
    #expect(bench.screen.output == "a\tb\\u{1b}[31m\n")
    daemon.stop()
  }

  @Test func `a dumb terminal is safe from what an app prints`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { $0.logPath = bench.folder + "/a.log" }
    try bench.write("b\u{1b}[31m\n", to: "a.log")
    var surroundings = bench.surroundings()
    surroundings.console.output.isShown = true

    #expect(await Program.run(["log", "a"], in: surroundings) == 0)
    #expect(bench.screen.output == "b\\u{1b}[31m\n")
    daemon.stop()
  }

  @Test(arguments: [(true, "<p>\\u{1b}c\n</p>\\u{202e}\n"), (false, "<p>\u{1b}c\n</p>\u{202e}\n")])
  func `a terminal is safe from what an app shows, and a file has it as it is`(isTerminal: Bool, html: String)
    async throws
  {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { $0.html = "<p>\u{1b}c\n</p>\u{202e}" }

    #expect(await bench.run("view", "a", isTerminal: isTerminal) == 0)
    #expect(bench.screen.output == html)
    daemon.stop()
  }

  @Test(arguments: [(nil, "."), ("<p></p>", "; its snapshot: nightjar view --snapshot a")] as [(String?, String)])
  func `who finds no view is sent to the snapshot only if there is one`(snapshot: String?, way: String) async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { $0.snapshot = snapshot }

    #expect(await bench.run("view", "a") == 4)
    #expect(bench.screen.errors == "nightjar: a shows nothing just now\(way)\n")
    daemon.stop()
  }

  @Test func `an app that wrote nothing is no error`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { $0.logPath = bench.folder + "/none.log" }

    #expect(await bench.run("log", "a") == 0)
    #expect(bench.screen.errors.contains("a has written nothing yet."))
    daemon.stop()
  }

  @Test func `following goes on through rotation, emptying and a late start`() async throws {
    let bench = try Bench()
    let log = bench.folder + "/a.log"
    let daemon = try TestDaemon(bench.socket) { $0.logPath = log }

    try append("zero\n", to: log)
    let run = Task { await Program.run(["log", "-f", "a", "--json"], in: bench.surroundings()) }
    try await bench.screen.waits(for: "zero")
    try append("one\n", to: log)
    try await bench.screen.waits(for: "one")
    try append("two\n", to: log)
    rename(log, log + ".1")
    try append("three\n", to: log)
    try await bench.screen.waits(for: "three")
    truncate(log, 0)
    try append("4\n", to: log)
    try await bench.screen.waits(for: "\"4\"")
    unlink(log)
    try append("five\n", to: log)
    try await bench.screen.waits(for: "five")
    bench.pressControlC()

    #expect(await run.value == 130)
    #expect(
      bench.screen.output == ["zero", "one", "two", "three", "4", "five"].map { "{\"line\":\"\($0)\"}\n" }.joined())
    daemon.stop()
  }

  @Test func `following loses nothing when a log is copied aside and emptied`() async throws {
    let bench = try Bench()
    let log = bench.folder + "/a.log"
    let daemon = try TestDaemon(bench.socket) { $0.logPath = log }
    try append("zero\n", to: log)
    try bench.write("of an earlier time\n", to: "a.log.1")

    let run = Task { await Program.run(["log", "-f", "a"], in: bench.surroundings()) }
    try await bench.screen.waits(for: "zero")
    try bench.write("zero\none\n", to: "copy")  // What was written last stands in the copy alone.
    rename(bench.folder + "/copy", log + ".1")
    truncate(log, 0)
    try append("2\n", to: log)
    try await bench.screen.waits(for: "2\n")
    bench.pressControlC()

    #expect(await run.value == 130)
    #expect(bench.screen.output == "zero\none\n2\n")
    daemon.stop()
  }

  @Test func `a reader that is a little behind loses nothing when the daemon empties a log`() async throws {
    let bench = try Bench()
    let home = try Home(environment: ["NIGHTJAR_HOME": bench.folder + "/home"])
    try home.prepare()
    let log = home.logs + "/a.log"
    try append(String(repeating: "long ago\n", count: 110), to: log)
    var file = GrowingFile(log)
    try file.open(atLastLines: 0)
    try append("one line, late\n", to: log)

    let lookout = try Lookout()
    let keeper = try LogKeeper(home: home, bytesMax: 1000, lookout: lookout)
    try await eventually("the log begins anew") { size(of: log) == 0 }
    try append("afterwards\n", to: log)
    let followed = try text(after: &file)

    #expect(followed == "one line, late\nafterwards\n")
    withExtendedLifetime(keeper) { lookout.stop() }
  }

  @Test func `a copy that was cut is not taken for the log, which is followed from its new beginning`() throws {
    let bench = try Bench()
    let log = bench.folder + "/a.log"
    try append("zero\none\ntwo\n", to: log)
    var file = GrowingFile(log)
    try file.open(atLastLines: 1)
    let last = try text(after: &file)

    try bench.write("two\nthree\nfour\nfive\nsix\n", to: "a.log.1")
    truncate(log, 0)
    try append("7\n", to: log)
    let followed = try text(after: &file)

    #expect(last == "two\n")
    #expect(followed == "7\n")
  }

  @Test func `lines are cut across blocks, and endless ones anyway`() {
    var cutter = LineCutter(bytesMax: 65_536)

    #expect(cutter.pieces(after: Array("a\nb\u{fc}".utf8.dropLast())) == [.init(text: "a")])
    #expect(cutter.pieces(after: [0xBC] + Array("c\n\n".utf8)) == [.init(text: "büc"), .init(text: "")])
    #expect(cutter.pieces(after: Array(repeating: 65, count: 70_000)).map(\.goesOn) == [true])
    #expect(cutter.last() == [.init(text: "")], "the line ends")
    #expect(cutter.last() == [])
  }

  @Test(arguments: ["ü", "€", "🌙"], 1...3)
  func `a line is cut between characters`(character: String, missing: Int) {
    let line = String(repeating: character, count: 70_000 / character.utf8.count) + "."
    let bytes = Array((line + "\nnext").utf8)
    var cutter = LineCutter(bytesMax: 65_536)

    let cut = line.utf8.count - 1 - min(missing, character.utf8.count)
    let pieces = cutter.pieces(after: Array(bytes[..<cut])) + cutter.pieces(after: Array(bytes[cut...]))

    #expect(pieces.map(\.goesOn) == [true, false])
    #expect(pieces.map(\.text).joined() == line)
    #expect(cutter.last() == [.init(text: "next")])
  }

  @Test func `bytes that begin no character hold nothing up`() {
    var cutter = LineCutter(bytesMax: 4)

    let pieces = cutter.pieces(after: [0xBC, 0xBC, 0xBC, 0xBC, 0xBC]) + cutter.last()

    #expect(pieces == [.init(text: String(repeating: "\u{fffd}", count: 5), goesOn: true), .init(text: "")])
  }

  @Test(arguments: [[], ["--json"]])
  func `a long line stays one line in a file and in JSON`(options: [String]) async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { $0.logPath = bench.folder + "/a.log" }
    let line = "a" + String(repeating: "ü", count: 200_000)
    try bench.write(line + "\nb\n", to: "a.log")

    #expect(await Program.run(["log", "a"] + options, in: bench.surroundings()) == 0)

    let whole = options.isEmpty ? "\(line)\nb\n" : "{\"line\":\"\(line)\"}\n{\"line\":\"b\"}\n"
    #expect(bench.screen.output.utf8.count == whole.utf8.count)
    #expect(bench.screen.output == whole)
    daemon.stop()
  }
}
