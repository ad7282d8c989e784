public import Foundation
import Synchronization

// A stand-in for key-value observation, which Linux has not. Nobody is told of a change by itself: whoever has changed
// something has its `Watch` look at what is observed, and what differs from what it was is told.

/// What an observer wants to know.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The new value is told.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The old value is told.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// The observer is called at once with the value as it is.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
}

/// A change that was observed.
public struct NSKeyValueObservedChange<Value> {
  /// The value now, if ``NSKeyValueObservingOptions/new`` was asked for.
  public let newValue: Value?
  /// The value before, if ``NSKeyValueObservingOptions/old`` was asked for.
  public let oldValue: Value?
}

/// An observation; it lasts until it is invalidated or let go.
public final class NSKeyValueObservation: NSObject, Sendable {
  /// Compares; the result tells the observer, if there is anything to tell.
  typealias Look = @Sendable () -> (() -> Void)?

  private struct Eye { var look: Look? }

  private let eye: Mutex<Eye>

  init(_ look: @escaping Look) {
    eye = Mutex(Eye(look: look))
    super.init()
  }

  /// Ends the observation.
  public func invalidate() {
    // Let go outside the lock: what goes with the closure may change what was observed, and this is looked at then.
    withExtendedLifetime(eye.withLock { $0.look.take() }) {}
  }

  var isValid: Bool { eye.withLock { $0.look != nil } }

  /// Nil once it is invalid.
  var look: Look? { eye.withLock { $0.look } }
}
