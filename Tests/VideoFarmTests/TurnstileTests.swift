import Testing

@testable import VideoFarmKit

struct TurnstileTests {
  private struct Refused: Error {}

  @Test func `a deed begins when the one before it has ended, well or not`() async throws {
    let turnstile = Turnstile()
    let (steps, step) = AsyncStream<String>.makeStream()
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let (opened, open) = AsyncStream<Void>.makeStream()
    let first = Task {
      try await turnstile.pass {
        begin.finish()
        for await _ in opened {}
        step.yield("first")
        throw Refused()
      }
    }
    for await _ in begun {}
    let second = Task { try await turnstile.pass { _ = step.yield("second") } }

    open.finish()
    await #expect(throws: Refused.self) { try await first.value }
    try await second.value

    step.finish()
    #expect(await steps.reduce(into: []) { $0.append($1) } == ["first", "second"])
  }
}
