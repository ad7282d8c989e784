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
  ///
  /// On a thread of its own, not on one of the few that all tests' tasks share: what is waited for may need those.
  @discardableResult
  func first(_ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async throws -> [Fact] {
    try await withCheckedThrowingContinuation { continuation in
      do {
        _ = try ServiceThread(named: "test-waiter") {
          continuation.resume(with: Result { try self.waited(for: count, sourceLocation) })
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  private func waited(for count: Int, _ sourceLocation: SourceLocation) throws -> [Fact] {
    while true {
      let box = WaitingBox<Bool>()
      arrivals.withLock { $0.append(box) }
      let now = all
      if now.count >= count { return Array(now.prefix(count)) }
      try #require(
        box.take(timeout: .seconds(120)) != nil, "\(now.count) of \(count) facts within two minutes",
        sourceLocation: sourceLocation)
    }
  }
}
