public import Dispatch

/// Asks something that answers by a call, and waits for the first answer.
///
/// - Throws: A `CancellationError` if the test is cancelled first, as at the end of its `.timeLimit`; ``NeverHappened``
///   if whoever was to answer is gone.
public func answered<Answer: Sendable>(_ ask: (AsyncStream<Answer>.Continuation) -> Void) async throws -> Answer {
  let (answers, answer) = AsyncStream<Answer>.makeStream()
  ask(answer)
  for await answer in answers { return answer }
  try Task.checkCancellation()
  throw NeverHappened(description: "nobody is left to answer")
}

extension DispatchSemaphore {
  /// Waits for a signal.
  ///
  /// - Throws: ``NeverHappened`` after a minute.
  public func wait(for what: String) throws(NeverHappened) {
    guard wait(timeout: .now() + 60) == .timedOut else { return }
    throw NeverHappened(description: "waited for a minute in vain: \(what)")
  }
}
