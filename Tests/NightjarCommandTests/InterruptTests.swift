import Foundation
import Glibc
import Testing

@testable import NightjarCommand

/// The signals that ask a command to end, also one that cannot: nobody reads what it writes.
@Suite(.timeLimit(.minutes(2))) struct InterruptTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `one signal ends a command that is stuck in a write, after a grace`(signal: Int32) async {
    await #expect(processExitsWith: .signal(signal)) { [signal = signal as Int32] in
      callOnceHeeded(signal, again: false)

      try await writeUnread(grace: .zero)
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a second signal ends a command that is stuck in a write at once`(signal: Int32) async {
    await #expect(processExitsWith: .signal(signal)) { [signal = signal as Int32] in
      callOnceHeeded(signal, again: true)

      try await writeUnread(grace: .seconds(3600))
    }
  }

  @Test func `a command that ends within the grace says by its status why`() async {
    await #expect(processExitsWith: .exitCode(143)) {
      callOnceHeeded(SIGTERM, again: false)

      _ = try await Surroundings.ofThisProcess().untilInterrupted {
        for await _ in AsyncStream<Void>.makeStream().stream {}
      }
      exit(Interrupts.status.rawValue)
    }
  }
}

/// A command that writes more than anybody takes.
private func writeUnread(grace: Duration) async throws {
  var ends: [Int32] = [0, 0]
  let made = pipe(&ends)
  try #require(made == 0)
  let output = Console.Stream(descriptor: ends[1], isDumb: true)
  var surroundings = Surroundings.ofThisProcess()
  surroundings.interrupted = { await Interrupts.next(grace: grace) }
  _ = try await surroundings.untilInterrupted { output.write(String(repeating: "x", count: 1 << 20)) }
}

/// Has somebody ask this process to end as soon as it would hear of it, and perhaps again and again.
private func callOnceHeeded(_ number: Int32, again: Bool) {
  signal(number, SIG_DFL)  // It may be ignored, as SIGHUP is under nohup(1).
  Thread.detachNewThread {
    while !isHeeded(number) { sched_yield() }
    repeat {
      kill(getpid(), number)
      sched_yield()
    } while again
  }
}

/// Whether a signal neither ends this process nor is lost.
private func isHeeded(_ number: Int32) -> Bool {
  var action = sigaction()
  sigaction(number, nil, &action)
  return !action.isIgnored && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 0
}
