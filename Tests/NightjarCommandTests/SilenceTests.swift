import Glibc
import NightjarCommand
import Synchronization
import Testing
import Varlink

@testable import NightjarClient

/// A daemon that has its socket and leaves calls unanswered.
@Suite(.timeLimit(.minutes(2))) struct SilenceTests {
  @Test(arguments: [["status"], ["download", "http://h/a", "--no-wait"], ["transfers", "watch"]])
  func `a daemon that answers nobody is told of once, and waited for`(arguments: [String]) async throws {
    let bench = try Bench()
    let silent = try UnixSocket.listen(at: bench.socket)
    defer { close(silent) }
    var surroundings = bench.surroundings()
    surroundings.time.sleep = { _ in
      try Task.checkCancellation()
      await Task.yield()
    }

    let run = Task { [surroundings] in await Program.run(arguments, in: surroundings) }
    try await bench.screen.waits(for: "still waiting")
    run.cancel()
    _ = await run.value

    let words = "nightjar: nightjard (process \(getpid())) has the socket but does not answer; "
    #expect(bench.screen.errors.hasPrefix(words + "still waiting (Ctrl-C ends only this).\n"))
    #expect(bench.screen.errors.ranges(of: "still waiting").count == 1)
  }

  @Test func `a call that takes long is no silence while others are answered`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    let looks = Atomic(0)
    let told = Atomic(false)
    let watch = SilenceWatch(
      pause: { duration in
        if duration == .seconds(1) { for await _ in AsyncStream<Void>.makeStream().stream {} }
        if looks.add(1, ordering: .relaxed).newValue > 3 { throw CancellationError() }
      }, tell: { _ in told.store(true, ordering: .relaxed) })

    await #expect(throws: CancellationError.self) { try await watch.run(on: daemon.socket, of: 1) }

    let wasTold = told.load(ordering: .relaxed)
    #expect(!wasTold)
  }
}
