/// The calls that the daemon has not answered, oldest first. What was sent over a line that dropped is sent again.
struct CallQueue {
  /// A call on its way.
  struct Pending {
    /// What is asked.
    let call: Call
    /// Its entry in an outbox, if it is kept in one.
    let entry: OutboxEntry?
    /// Whether the daemon's deeds have shown already that it was accepted; then it is not repeated.
    var isSettled = false
  }

  private var pending = Fifo<Pending>()
  /// How many, from the oldest on, the present line has carried.
  private var sent = 0

  /// Whether as many are on the line as may be.
  var isFull: Bool { sent >= LinkLimits.unansweredMax }

  /// How many the present line has not carried.
  var unsent: Int { pending.count - sent }

  /// The calls, oldest first.
  var calls: [Call] { pending.elements.map(\.call) }

  mutating func append(_ call: Call, entry: OutboxEntry? = nil) {
    pending.append(Pending(call: call, entry: entry))
  }

  /// The next call that the line has not carried, counted as sent from now on.
  mutating func next() -> Call? {
    guard sent < min(pending.count, LinkLimits.unansweredMax) else { return nil }
    defer { sent += 1 }
    return pending[sent].call
  }

  /// The call that an answer belongs to; nil if nothing was asked.
  var oldest: Pending? { sent > 0 ? pending[0] : nil }

  /// The oldest call is answered.
  mutating func answered() {
    guard sent > 0 else { return }
    sent -= 1
    _ = pending.popFirst()
  }

  /// The daemon has this task: the call that queues it need not be repeated.
  mutating func settle(_ entry: OutboxEntry) {
    pending.forEach { if $0.entry == entry { $0.isSettled = true } }
  }

  /// A session is gone: its calls that were not sent are not asked any more.
  mutating func forget(_ session: String) {
    withdraw { $0.entry?.session == session }
  }

  /// Calls of a kind that were not sent are not asked any more.
  mutating func withdraw(_ isMeant: (Call) -> Bool) { withdraw { isMeant($0.call) } }

  private mutating func withdraw(_ isMeant: (Pending) -> Bool) {
    let kept = pending.elements.enumerated().filter { $0.offset < sent || !isMeant($0.element) }
    pending.replace(with: kept.map(\.element))
  }

  /// A new line stands: first what is about events, then the sessions, then everything else in its order.
  mutating func restart(opening sessions: [Call]) {
    let kept = pending.elements.filter { !$0.isSettled && !$0.call.belongsToItsLine }
    let events = kept.filter(\.call.isAboutEvents)
    let rest = kept.filter { !$0.call.isAboutEvents }
    pending.replace(with: events + sessions.map { Pending(call: $0, entry: nil) } + rest)
    sent = 0
  }
}

/// One entry of an outbox: that of a session, or without one that of the notifications.
struct OutboxEntry: Hashable, Sendable {
  let session: String?
  let number: Int
}
