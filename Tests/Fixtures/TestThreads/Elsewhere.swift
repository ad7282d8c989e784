import Foundation

/// Does what blocks on a thread made for it, and hands back its result: neither the main thread nor one of those that all
/// tests share waits meanwhile.
public func elsewhere<Result: Sendable>(_ deed: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { done in
    Thread.detachNewThread { done.resume(with: .init(catching: deed)) }
  }
}
