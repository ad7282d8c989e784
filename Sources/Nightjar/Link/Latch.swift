import Foundation
import Synchronization

/// Opens once and stays open; threads may wait for it.
// Unchecked: the condition guards `isOpen`.
final class Latch: @unchecked Sendable {
  private let condition = NSCondition()
  private var isOpen = false

  func open() {
    condition.withLock {
      isOpen = true
      condition.broadcast()
    }
  }

  /// Waits until it is open, or for so long at the most.
  func wait(atMost longest: Duration) {
    let end = Date(timeIntervalSinceNow: longest.asInterval)
    condition.withLock {
      while !isOpen, condition.wait(until: end) {}
    }
  }
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

extension Duration {
  /// Seconds with their fraction, as Foundation counts.
  var asInterval: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
