import Synchronization

/// A bounded buffer between the reader of a client and a loop over its replies. It pauses the reader while it is full.
final class ReplyBuffer<Reply: Sendable>: Sendable {
  private struct State {
    var replies: [Reply] = []
    var end: Result<Reply?, any Error>?
    var waiting: OnceContinuation<Reply?>?
  }

  private let state = Mutex(State())
  private let repliesMax: Int
  private let line: ClientLine

  init(_ line: ClientLine, repliesMax: Int) {
    (self.line, self.repliesMax) = (line, repliesMax)
  }

  /// Takes a reply from the reader.
  func put(_ reply: Reply) {
    let waiting = state.withLock { state -> OnceContinuation<Reply?>? in
      if let waiting = state.waiting {
        state.waiting = nil
        return waiting
      }
      state.replies.append(reply)
      if state.replies.count >= repliesMax { line.pause() }
      return nil
    }
    waiting?.resume(.success(reply))
  }

  /// Takes the end: nil after the last reply, else what went wrong.
  func finish(_ error: (any Error)?) {
    let end: Result<Reply?, any Error> = error.map { .failure($0) } ?? .success(nil)
    let waiting = state.withLock { state in
      state.end = end
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(end)
  }

  /// Ends the line, since the loop no longer reads.
  func abandon() {
    guard state.withLock({ $0.end == nil }) else { return }
    line.end(TransportError(.closed, "the replies were not read to their end"))
  }

  /// The next reply; nil after the last. For one loop.
  func next() async throws -> Reply? {
    let once = OnceContinuation<Reply?>()
    if let ready = take(once) { return try ready.get() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { once.install($0) }
    } onCancel: {
      line.end(TransportError(.closed, "the task that read the replies was cancelled"))
      once.resume(.failure(CancellationError()))
    }
  }

  /// The next result if there is one; otherwise stores the continuation.
  private func take(_ once: OnceContinuation<Reply?>) -> Result<Reply?, any Error>? {
    state.withLock { state in
      if !state.replies.isEmpty {
        let wasFull = state.replies.count >= repliesMax
        defer { if wasFull { line.resume() } }
        return .success(state.replies.removeFirst())
      }
      if state.end == nil { state.waiting = once }
      return state.end
    }
  }
}

/// Ends the line if the loop over its replies is released before their end.
final class ReplyLease<Reply: Sendable>: Sendable {
  let buffer: ReplyBuffer<Reply>

  init(_ buffer: ReplyBuffer<Reply>) { self.buffer = buffer }
  deinit { buffer.abandon() }
}
