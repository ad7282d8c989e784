import Dispatch
import NightjarModel
import Synchronization

/// Opens once and stays open; threads may wait for it.
///
/// It is a dispatch group with one member, because a group waits by a clock that cannot be set. Waiting for a condition
/// or a semaphore would last an hour longer when the clock is put back an hour.
final class Latch: Sendable {
  private let group = DispatchGroup()
  private let isOpen = Atomic(false)

  init() { group.enter() }

  deinit { open() }

  func open() {
    if !isOpen.exchange(true, ordering: .acquiringAndReleasing) { group.leave() }
  }

  /// Waits until it is open, at most for `longest`.
  func wait(atMost longest: Duration) { _ = group.wait(timeout: .now() + longest.inSeconds) }
}

/// A value that another thread provides, once.
final class Awaited<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let isThere = Latch()

  func take(_ value: Value) {
    self.value.withLock { $0 = value }
    isThere.open()
  }

  /// Waits for the value; nil if it does not come in time.
  func wait(atMost longest: Duration) -> Value? {
    isThere.wait(atMost: longest)
    return value.withLock { $0 }
  }
}
