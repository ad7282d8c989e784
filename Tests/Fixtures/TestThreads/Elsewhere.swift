import Foundation

/// Begins what blocks on a thread made for it: neither the main thread nor one of those that all tests share waits
/// meanwhile. Nor does the test's own, if it has one, have to be free for it to begin.
public func elsewhere<Result: Sendable>(_ deed: @escaping @Sendable () throws -> Result) -> Task<Result, any Error> {
  Task.detached {
    try await withCheckedThrowingContinuation { done in
      Thread.detachNewThread { done.resume(with: .init(catching: deed)) }
    }
  }
}
