public import Foundation
import Synchronization

// A stand-in for key-value observation, which Linux lacks. Changes are not noticed by themselves: code that changes an
// object has the object's `Watch` compare the observed values with the previous ones, and report those that differ.

/// Which values a change reports to its observer.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Changes have the new value.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// Changes have the old value.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// The observer is called at once with the current value.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
}

/// A change that was observed.
public struct NSKeyValueObservedChange<Value> {
  /// The value now, if ``NSKeyValueObservingOptions/new`` was asked for.
  public let newValue: Value?
  /// The value before, if ``NSKeyValueObservingOptions/old`` was asked for.
  public let oldValue: Value?
}

/// An observation; it lasts until it is invalidated or released.
public final class NSKeyValueObservation: NSObject, Sendable {
  /// Compares the value with the last one, and returns a call to the observer if it differs.
  typealias Look = @Sendable () -> (() -> Void)?

  private struct Eye { var look: Look? }

  private let eye: Mutex<Eye>

  init(_ look: @escaping Look) {
    eye = Mutex(Eye(look: look))
    super.init()
  }

  /// Ends the observation.
  public func invalidate() {
    // Released outside the lock: releasing the closure may change an observed value, which leads back here.
    withExtendedLifetime(eye.withLock { $0.look.take() }) {}
  }

  var isValid: Bool { eye.withLock { $0.look != nil } }

  /// Nil once it is invalid.
  var look: Look? { eye.withLock { $0.look } }
}
