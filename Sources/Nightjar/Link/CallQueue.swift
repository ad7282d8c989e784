/// The calls that the daemon has not answered, oldest first. Calls sent over a line that dropped are sent again.
struct CallQueue {
  /// An unanswered call.
  struct Pending {
    let call: Call
    /// Its entry in an outbox, if it is kept in one.
    let entry: OutboxEntry?
    /// Whether an event has shown that the daemon has accepted the call, which is then not repeated.
    var isSettled = false
    /// Whether it was sent before, over a line that has dropped: the daemon may have carried it out then.
    var isRepeated = false
  }

  private var pending = Fifo<Pending>()
  /// How many of the calls, from the oldest on, were sent over the present line.
  private var sent = 0

  /// Whether the maximum number of calls is on the line.
  var isFull: Bool { sent >= LinkLimits.unansweredMax }

  /// The number of calls not sent over the present line.
  var unsent: Int { pending.count - sent }

  /// The calls, oldest first.
  var calls: [Call] { pending.elements.map(\.call) }

  mutating func append(_ call: Call, entry: OutboxEntry? = nil) {
    pending.append(Pending(call: call, entry: entry))
  }

  /// Takes the next call to send, which counts as sent from now on.
  mutating func next() -> Call? {
    guard sent < min(pending.count, LinkLimits.unansweredMax) else { return nil }
    defer { sent += 1 }
    return pending[sent].call
  }

  /// The call that the next answer belongs to; nil if none was sent.
  var oldest: Pending? { sent > 0 ? pending[0] : nil }

  /// Removes the oldest call, which is answered.
  mutating func answered() {
    guard sent > 0 else { return }
    sent -= 1
    _ = pending.popFirst()
  }

  /// Notes that the daemon has a task, so that the call that queues it is not repeated.
  mutating func settle(_ entry: OutboxEntry) {
    pending.forEach { if $0.entry == entry { $0.isSettled = true } }
  }

  /// Drops the unsent calls of a session that has ended.
  mutating func forget(_ session: String) {
    withdraw { $0.entry?.session == session }
  }

  /// Drops unsent calls of a kind.
  mutating func withdraw(_ isMeant: (Call) -> Bool) { withdraw { isMeant($0.call) } }

  private mutating func withdraw(_ isMeant: (Pending) -> Bool) {
    let kept = pending.elements.enumerated().filter { $0.offset < sent || !isMeant($0.element) }
    pending.replace(with: kept.map(\.element))
  }

  /// Prepares the calls for a new line: first those about events, then those that open sessions, then all others in
  /// order.
  mutating func restart(opening sessions: [Call]) {
    for place in 0..<sent { pending[place].isRepeated = true }
    let kept = pending.elements.filter { !$0.isSettled && !$0.call.belongsToItsLine }
    let events = kept.filter(\.call.isAboutEvents)
    let rest = kept.filter { !$0.call.isAboutEvents }
    pending.replace(with: events + sessions.map { Pending(call: $0, entry: nil) } + rest)
    sent = 0
  }
}

/// An entry in the outbox of a session, or of the notifications if `session` is nil.
struct OutboxEntry: Hashable, Sendable {
  let session: String?
  let number: Int
}
