import Foundation

/// A value that is put in from another thread.
final class Kept<Value: Sendable>: @unchecked Sendable {  // Unchecked: the lock guards the value.
  private let lock = NSLock()
  private var kept: Value?

  var value: Value? {
    get { lock.withLock { kept } }
    set { lock.withLock { kept = newValue } }
  }
}
