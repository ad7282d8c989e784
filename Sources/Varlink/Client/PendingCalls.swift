/// The calls of a client that wait for replies, in the order in which the replies will come.
struct PendingCalls {
  /// The answer to a call.
  enum Answer {
    /// A reply, error replies included, with its message.
    case message(ReplyHeader, UnsafeBufferPointer<UInt8>)
    /// The line failed before the last reply.
    case lost(TransportError)
  }

  struct Pending: Sendable {
    let wantsMore: Bool
    let take: @Sendable (Answer) -> Void
  }

  private var calls: [Pending?] = []  // Nil once answered, so that nothing a callback holds is kept.
  private var head = 0

  var count: Int { calls.count - head }

  mutating func append(_ pending: Pending) {
    calls.append(pending)
  }

  /// Returns the call that a reply belongs to, and removes it if it `isDone`.
  ///
  /// A removed call is handed out and never released in here: its deinitialization may call into the client again.
  mutating func first(isDone: Bool) -> Pending? {
    guard head < calls.count else { return nil }
    let pending = calls[head]
    if isDone {
      calls[head] = nil
      head += 1
    }
    if head > 64, head * 2 > calls.count {
      calls.removeFirst(head)
      head = 0
    }
    return pending
  }

  /// Removes and returns all waiting calls.
  mutating func removeAll() -> [Pending] {
    defer { (calls, head) = ([], 0) }
    return calls[head...].compactMap { $0 }
  }
}
