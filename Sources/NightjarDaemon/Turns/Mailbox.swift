import Dispatch
import NightjarCore
import Synchronization

/// The one way in: every event, from any thread, enters here by a plain call and waits, in order, for its turn.
///
/// While the mailbox is full, each client's calls are read one at a time, which bounds them (``Front/pace(_:)``). The
/// facts of rooms are bounded by the deeds under way (``MailQueue``).
final class Mailbox: Sendable {
  /// An event for the supervisor, or work that reads the supervisor between two turns.
  enum Item: Sendable {
    case event(Event)
    case look(@Sendable (inout Supervisor) -> Void)
  }

  private struct State: Sendable {
    var items = MailQueue()
    var isClosed = false
    var isFinishing = false
    var isFull = false
  }

  private struct Pressure: Sendable {
    /// Called when the mailbox becomes full, and when it has room again; must not post.
    var tell: @Sendable (_ isFull: Bool) -> Void = { _ in }
  }

  private let state = Mutex(State())
  private let filled = DispatchSemaphore(value: 0)
  private let fullAt: Int
  private let batchMax: Int
  private let pressure = Mutex(Pressure())
  /// The bytes of request bodies at which the mailbox counts as full, too, and at which a batch ends.
  private static let (bodyBytesFullAt, bodyBytesPerBatch) = (64 << 20, 16 << 20)

  init(fullAt: Int = 4096, batchMax: Int = 1024) { (self.fullAt, self.batchMax) = (fullAt, batchMax) }

  func whenPressureChanges(_ then: @escaping @Sendable (_ isFull: Bool) -> Void) {
    pressure.withLock { $0.tell = then }
  }

  func post(_ event: Event) { post(.event(event)) }

  func post(_ item: Item) {
    let (isFirst, isNowFull) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      let wasEmpty = state.items.count == 0
      state.items.append(item)
      let isNowFull =
        !state.isFull && (state.items.count >= fullAt || state.items.bodyBytes >= Self.bodyBytesFullAt)
      if isNowFull { state.isFull = true }
      return (wasEmpty, isNowFull)
    }
    if isNowFull { tellPressure() }
    if isFirst { filled.signal() }
  }

  /// Reports whether the mailbox is full at present. It is read under the lock: the mailbox may have room again before
  /// the thread that filled it reports that, and the last report must be true.
  private func tellPressure() {
    pressure.withLock { pressure in pressure.tell(state.withLock { $0.isFull }) }
  }

  /// Takes the waiting items, oldest first; blocks until there is one. Nil once the mailbox is closed.
  func take() -> [Item]? {
    while true {
      let (batch, hasRoom, isClosed) = state.withLock { state in
        let batch = state.items.take(batchMax, bodyBytesMax: Self.bodyBytesPerBatch)
        let isRoomy = state.items.count <= fullAt / 2 && state.items.bodyBytes <= Self.bodyBytesFullAt / 2
        let hasRoom = state.isFull && isRoomy
        if hasRoom { state.isFull = false }
        return (batch, hasRoom, state.isClosed || (state.isFinishing && batch.isEmpty))
      }
      if hasRoom { tellPressure() }
      if isClosed { return nil }
      if !batch.isEmpty { return batch }
      filled.wait()
    }
  }

  /// Lets nothing more in, and ends ``take()``. Waiting items are dropped; a new daemon finds it all again.
  func close() {
    state.withLock { $0.isClosed = true }
    filled.signal()
  }

  /// Ends ``take()`` once everything that waits has been taken.
  func finish() {
    state.withLock { $0.isFinishing = true }
    filled.signal()
  }

  /// Whether the mailbox is closed or about to be, so that nothing is worth waiting for.
  var isClosing: Bool { state.withLock { $0.isClosed || $0.isFinishing } }
}
