import Dispatch
import NightjarCore
import Synchronization

/// The one way in: whatever happens, in any thread, enters here by a plain call and waits, in order, for the engine.
///
/// Clients' calls are bounded by taking one at a time of each client's while the mailbox is full (``Front/pace(_:)``); the facts
/// of rooms are bounded by the deeds under way (``MailQueue``).
final class Mailbox: Sendable {
  /// What waits: a fact for the supervisor, or work that looks at it between two turns.
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
  /// At so many bytes of bodies it is full, too, and a batch ends.
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

  /// Tells how it is by now, one thread at a time: it may have room again before whoever has filled it comes to say so, and
  /// the last word must be the true one.
  private func tellPressure() {
    pressure.withLock { pressure in pressure.tell(state.withLock { $0.isFull }) }
  }

  /// The items that wait, oldest first; waits for one. Nil once the mailbox is closed.
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

  /// Lets nothing more in, and ends ``take()``. What waits is forgotten; a new daemon finds it all again.
  func close() {
    state.withLock { $0.isClosed = true }
    filled.signal()
  }

  /// Ends ``take()`` once everything that waits has been taken.
  func finish() {
    state.withLock { $0.isFinishing = true }
    filled.signal()
  }

  /// Whether the end is near, so that nothing is worth waiting for.
  var isClosing: Bool { state.withLock { $0.isClosed || $0.isFinishing } }
}
