import FoundationEssentials
import NightjarCommand
import Testing

/// `home`, with a daemon of the test's own making.
@Suite(.timeLimit(.minutes(2))) struct HomeCommandTests {
  @Test func `the address of its file opens, whatever the folder is called`() async throws {
    let bench = try Bench()
    let folder = bench.folder + "/a #1, 100 %"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let daemon = try TestDaemon(folder + "/nightjar.sock")
    var surroundings = bench.surroundings(environment: ["NIGHTJAR_SOCKET": daemon.socket])
    surroundings.time.sleep = { _ in
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw CancellationError()
    }

    let run = Task { [surroundings] in await Program.run(["home", "--no-open"], in: surroundings) }
    try await bench.screen.waits(for: "within ten minutes\n")
    bench.pressControlC()
    let status = await run.value

    #expect(status == 130)
    #expect(bench.screen.output.contains("file://\(bench.folder)/a%20%231,%20100%20%25/home-"))
    withExtendedLifetime(daemon) {}
  }
}
