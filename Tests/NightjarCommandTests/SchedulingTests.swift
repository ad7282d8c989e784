import NightjarWire
import Testing

@Suite(.timeLimit(.minutes(2))) struct SchedulingTests {
  @Test func `what a download asks for reaches the daemon`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    let digits = String(repeating: "ab", count: 32)

    let status = await bench.run(
      "download", "http://h/a", "--no-wait", "--discretionary", "--no-cellular", "--no-expensive", "--no-constrained",
      "--not-before", "2027-01-31T03:00:30+01:00", "--limit-rate", "3K", "--checksum", "sha256:\(digits)",
      "--priority", "0.75")
    let sent = daemon.read { $0.downloads.first }

    #expect(status == 0)
    var options = WireOptions()
    (options.discretionary, options.allowsCellular) = (true, false)
    (options.allowsExpensive, options.allowsConstrained) = (false, false)
    (options.earliestBegin, options.bytesPerSecondMax) = (1_801_360_830_000_000_000, 3072)
    options.checksum = "sha256:\(digits)"
    #expect(sent?.options == options)
    #expect(sent?.priority == 0.75)
  }

  @Test func `an upload asks for the same, and one that asks for nothing sends no options`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    try bench.write("x", to: "file")

    let first = await bench.run("upload", "file", "http://h/a", "--no-wait", "--limit-rate", "2M")
    let second = await bench.run("upload", "file", "http://h/a", "--no-wait")
    let sent = daemon.read { $0.uploads }

    #expect([first, second] == [0, 0])
    #expect(sent.map(\.options?.bytesPerSecondMax) == [2 << 20, nil])
    #expect(sent.last?.options == nil && sent.last?.priority == nil)
  }

  @Test(arguments: [
    ["--not-before", "tomorrow"], ["--not-before", "2027-02-31 03:00"], ["--not-before", "2027-01-31 25:00"],
    ["--not-before", "2027-01-31T03:00:00+1"], ["--priority", "2"], ["--checksum", "sha256:12"],
  ])
  func `what cannot be is refused in words, before the daemon is asked`(words: [String]) async throws {
    let bench = try Bench()

    let status = await bench.run("download", "http://h/a", words[0], words[1])

    #expect(status == 2)
    #expect(bench.screen.errors.contains(words[1] == "2" ? "priority 2" : "'\(words[1])' is no"))
  }

  @Test func `all of it is shown`() async throws {
    let bench = try Bench()
    var options = WireOptions()
    (options.background, options.allowsConstrained) = (true, false)
    (options.earliestBegin, options.bytesPerSecondMax) = (1_801_360_830_000_000_000, 3072)
    let daemon = try TestDaemon(bench.socket) { [options] state in
      state.transfers[1] = .init(
        id: 1, app: "a", direction: .download, url: "http://h/a", label: "", state: .queued, count: 0, attempts: 0,
        verdict: "It waits.", priority: 0.75, options: options)
    }

    #expect(await bench.run("transfers", "show", "1") == 0)

    let output = bench.screen.output
    #expect(output.contains("a battery that charges or is not low, no constrained network (queued in the background)"))
    #expect(output.contains("2027-01-31T02:00:30Z"))
    #expect(output.contains("at most 3.0 KiB/s"))
    #expect(output.contains("0.75"))
    daemon.stop()
  }
}
