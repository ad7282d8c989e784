import Dispatch
import NightjarModel
import Synchronization

/// Opens once and stays open; threads may wait for it.
///
/// A group with one member that leaves, since its waiting goes by a clock that nobody sets: a condition's, or a semaphore's,
/// would last an hour longer when the clock is put back an hour.
final class Latch: Sendable {
  private let group = DispatchGroup()
  private let isOpen = Atomic(false)

  init() { group.enter() }

  deinit { open() }

  func open() {
    if !isOpen.exchange(true, ordering: .acquiringAndReleasing) { group.leave() }
  }

  /// Waits until it is open, or for so long at the most.
  func wait(atMost longest: Duration) { _ = group.wait(timeout: .now() + longest.inSeconds) }
}

/// A value that comes from another thread, once.
final class Awaited<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let isThere = Latch()

  func take(_ value: Value) {
    self.value.withLock { $0 = value }
    isThere.open()
  }

  /// Waits for it; nil if it does not come in time.
  func wait(atMost longest: Duration) -> Value? {
    isThere.wait(atMost: longest)
    return value.withLock { $0 }
  }
}
