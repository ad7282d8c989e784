import Synchronization

/// Lets deeds pass one at a time, in the order in which they came: the next begins when the one before has ended, well
/// or not.
final class Turnstile: Sendable {
  private let last = Mutex<Task<Void, Never>?>(nil)

  /// Waits for every deed that came before, and does this one.
  func pass<Result: Sendable>(_ deed: @escaping @Sendable () async throws -> Result) async throws -> Result {
    let turn = last.withLock { last in
      let turn = Task { [before = last] in
        await before?.value
        return try await deed()
      }
      last = Task { _ = await turn.result }
      return turn
    }
    return try await turn.value
  }
}
