import NightjarCommand
import NightjarWire
import Testing

@Suite(.timeLimit(.minutes(2))) struct HistoryTests {
  @Test func `a history is shown with its times, oldest first`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) {
      $0.records = [
        .init(at: 1_767_225_600_000, kind: "launched", sentence: "is launched by a person"),
        .init(at: 1_767_225_601_000, kind: "crashed", sentence: "was killed by signal 11"),
      ]
    }

    #expect(await bench.run("history", "a") == 0)

    let lines = bench.screen.output.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
    #expect(lines.map(\.first) == ["WHEN", "2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"])
    #expect(lines.last?.dropFirst().joined(separator: " ") == "crashed was killed by signal 11")
    daemon.stop()
  }

  @Test func `its last records are had as JSON`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) {
      $0.records = [.init(at: 1, kind: "launched", sentence: "a"), .init(at: 2, kind: "exited", sentence: "b")]
    }

    #expect(await bench.run("history", "a", "-n", "1", "--json") == 0)

    #expect(bench.screen.output.contains("\"exited\""))
    #expect(!bench.screen.output.contains("\"launched\""))
    daemon.stop()
  }

  @Test func `an app to which nothing has happened is no error`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    #expect(await bench.run("history", "a") == 0)
    #expect(bench.screen.output.contains("Nothing has happened to a yet."))
    #expect(await bench.run("history", "a", "-n", "-1") != 0)
    daemon.stop()
  }
}
