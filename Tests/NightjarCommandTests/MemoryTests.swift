import NightjarCommand
import Testing

@Suite(.timeLimit(.minutes(2))) struct MemoryTests {
  @Test func `a lack of memory is simulated once`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    #expect(await bench.run("device", "warn-memory") == 0)
    #expect(await bench.run("device", "warn-memory", "--urgent") == 0)

    #expect(bench.screen.output == "Told: a, b.\nNo app runs that could be told.\n")
    #expect(daemon.read { $0.deeds } == ["warn false", "warn true"])
    daemon.stop()
  }
}
