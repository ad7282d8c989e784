import Dispatch
import NIOPosix
import Patience
import Synchronization
import Testing

@testable import NightjarTransfer

/// File work that is done together.
@Suite(.timeLimit(.minutes(1))) struct ConvoyTests {
  @Test func `what comes while a round is under way goes together with the next`() async throws {
    let (gate, rounds) = (DispatchSemaphore(value: 0), Rounds())
    let pool = NIOThreadPool(numberOfThreads: 2)
    pool.start()
    let convoy = Convoy<Int>(on: pool, threadsMax: 1) { items, isActive in
      rounds.note(items, isActive)
      if items == [1] { gate.wait() }
    }

    convoy.add(1)
    try await rounds.wait(forItems: 1)
    for number in 2...5 { convoy.add(number) }
    gate.signal()
    try await rounds.wait(forItems: 5)

    #expect(rounds.all == [[1], [2, 3, 4, 5]])
    try await pool.shutdownGracefully()
  }

  @Test func `each is done once, whoever adds it and however many threads there are`() async throws {
    let rounds = Rounds()
    let pool = NIOThreadPool(numberOfThreads: 4)
    pool.start()
    let convoy = Convoy<Int>(on: pool, threadsMax: 2) { rounds.note($0, $1) }

    await withTaskGroup { group in
      for start in 0..<8 { group.addTask { for number in 0..<500 { convoy.add(start * 500 + number) } } }
    }
    try await rounds.wait(forItems: 4000)

    #expect(rounds.all.flatMap { $0 }.sorted() == Array(0..<4000))
    try await pool.shutdownGracefully()
  }

  @Test func `what comes after the file threads were shut down is told so`() async throws {
    let rounds = Rounds()
    let pool = NIOThreadPool(numberOfThreads: 1)
    pool.start()
    let convoy = Convoy<Int>(on: pool, threadsMax: 1) { rounds.note($0, $1) }
    try await pool.shutdownGracefully()

    convoy.add(1)
    try await rounds.wait(forItems: 1)

    #expect(rounds.all == [[1]])
    #expect(!rounds.wereActive)
  }
}

/// What a convoy was handed.
private final class Rounds: Sendable {
  private struct State {
    var rounds: [[Int]] = []
    var wereActive = true
    var waiting: (count: Int, told: AsyncStream<Void>.Continuation)?

    mutating func takeWaiting() -> AsyncStream<Void>.Continuation? {
      guard let waiting, rounds.map(\.count).reduce(0, +) >= waiting.count else { return nil }
      self.waiting = nil
      return waiting.told
    }
  }

  private let state = Mutex(State())

  var all: [[Int]] { state.withLock { $0.rounds } }
  var wereActive: Bool { state.withLock { $0.wereActive } }

  func note(_ items: [Int], _ isActive: Bool) {
    state.withLock { state in
      state.rounds.append(items)
      state.wereActive = state.wereActive && isActive
      return state.takeWaiting()
    }?.yield()
  }

  /// Waits until so many have come in all rounds.
  func wait(forItems count: Int) async throws {
    try await answered { told in
      state.withLock { state in
        state.waiting = (count, told)
        return state.takeWaiting()
      }?.yield()
    }
  }
}
