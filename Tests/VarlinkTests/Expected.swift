import Synchronization
import Testing

@testable import Varlink

/// Facts that other threads report, in order, and a test waits for. Waiting without end fails the test instead.
final class Expected<Fact: Sendable>: Sendable {
  private let facts = Mutex<[Fact]>([])
  private let arrivals = Mutex<[WaitingBox<Bool>]>([])

  func report(_ fact: Fact) {
    facts.withLock { $0.append(fact) }
    let waiting = arrivals.withLock { boxes in
      defer { boxes = [] }
      return boxes
    }
    for box in waiting { box.put(true) }
  }

  /// What was reported until now.
  var all: [Fact] { facts.withLock { $0 } }

  /// Waits until as many facts are there, and returns them.
  @discardableResult
  func first(_ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) throws -> [Fact] {
    while true {
      let box = WaitingBox<Bool>()
      arrivals.withLock { $0.append(box) }
      let now = all
      if now.count >= count { return Array(now.prefix(count)) }
      try #require(
        box.take(timeout: .seconds(30)) != nil, "\(now.count) of \(count) facts within thirty seconds",
        sourceLocation: sourceLocation)
    }
  }

  /// The same without keeping a thread of the test's tasks waiting: for tests whose own tasks must go on.
  @discardableResult
  func next(_ count: Int = 1) async throws -> [Fact] {
    try await withCheckedThrowingContinuation { continuation in
      do {
        _ = try ServiceThread(named: "test-waiter") { continuation.resume(with: Result { try self.first(count) }) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
