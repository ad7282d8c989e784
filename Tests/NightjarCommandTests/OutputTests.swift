import Glibc
import NightjarWire
import Testing

@testable import NightjarCommand

/// What becomes of a command whose results cannot be written.
@Suite(.timeLimit(.minutes(2))) struct OutputTests {
  @Test(arguments: [["--version"], ["simulate", "commuter", "--text"], ["simulate", "--list", "--json"]])
  func `a result that does not fit on the disk is a failure, and is said once`(arguments: [String]) async throws {
    let bench = try Bench()
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    var surroundings = bench.surroundings()
    surroundings.console.output = Console.Stream(descriptor: full, isDumb: true)

    #expect(await Program.run(arguments, in: surroundings) == 1)

    #expect(bench.screen.errors == "nightjar: cannot write to the standard output: No space left on device\n")
  }

  @Test func `a terminal whose cursor cannot be moved is one all the same`() throws {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(terminal) }
    try #require(terminal >= 0)

    let dumb = Console.Stream(descriptor: terminal, isDumb: true)

    #expect(dumb.isShown && !dumb.isTerminal)
  }

  @Test func `a command that failed anyway keeps its status`() async throws {
    let bench = try Bench()
    bench.screen.loseOutput(ENOSPC)

    #expect(await bench.run("apps") == 3)
    #expect(bench.screen.errors.contains("cannot write to the standard output"))
  }

  @Test func `nothing is written after what was lost, even if there is room again`() throws {
    var ends: [Int32] = [0, 0]
    let made = pipe(&ends)
    try #require(made == 0)
    defer { for end in ends { close(end) } }
    let stream = Console.Stream(descriptor: ends[1], isDumb: true)

    stream.write("one\n")
    let file = open("/dev/full", O_WRONLY | O_CLOEXEC)
    let pipeAgain = dup(ends[1])
    dup2(file, ends[1])
    stream.write("two\n")
    dup2(pipeAgain, ends[1])
    stream.write("three\n")
    for descriptor in [file, pipeAgain] { close(descriptor) }

    #expect(stream.failure() == WriteFailure(code: ENOSPC))
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(ends[0], &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "one\n")
  }

  @Test(arguments: [[], ["--json"]])
  func `a watch ends quietly when its reader has gone`(options: [String]) async throws {
    let bench = try Bench()
    let transfer = ControlInterface.Transfer(
      id: 1, app: "a", direction: .download, url: "http://h/1.bin", label: "", state: .queued, count: 0, attempts: 0,
      verdict: "")
    let daemon = try TestDaemon(bench.socket) { $0.transfers = [1: transfer] }

    let run = Task { await Program.run(["transfers", "watch"] + options, in: bench.surroundings()) }
    try await bench.screen.waits(for: options.isEmpty ? "Transfer 1: queued" : "{\"current\":true}")
    bench.screen.loseOutput(EPIPE)
    daemon.update(1) { $0.state = .running }

    #expect(await run.value == 1)
    #expect(bench.screen.errors.isEmpty)
    daemon.stop()
  }

  @Test func `following a log ends quietly when its reader has gone`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { $0.logPath = bench.folder + "/a.log" }
    try bench.write("zero\n", to: "a.log")

    let run = Task { await Program.run(["log", "-f", "a"], in: bench.surroundings()) }
    try await bench.screen.waits(for: "zero")
    bench.screen.loseOutput(EPIPE)
    try bench.write("zero\none\n", to: "a.log")

    #expect(await run.value == 1)
    #expect(bench.screen.errors.isEmpty)
    daemon.stop()
  }
}
