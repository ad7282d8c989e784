public import Foundation
import Synchronization

// A stand-in for key-value observation of a task's progress, which Linux has not.

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
  private let look: Mutex<(@Sendable () -> Void)?>

  init(_ look: @escaping @Sendable () -> Void) {
    self.look = Mutex(look)
    super.init()
    ProgressWatch.shared.add(self)
  }

  /// Ends the observation.
  public func invalidate() { look.withLock { $0 = nil } }

  func lookAgain() {
    let look = look.withLock { $0 }
    look?()
  }
}

extension Progress {
  /// Calls back when a value has changed (as in Apple's key-value observation).
  ///
  /// Values are compared whenever a task of this library moves: that covers the progress of tasks and of every progress
  /// that has them among its children. A change that only the app makes is noticed at the next such move.
  ///
  /// - Returns: The observation; keep it for as long as you want to hear.
  @preconcurrency
  public func observe<Value>(
    _ keyPath: KeyPath<Progress, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (Progress, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let watched = WatchedValue(self, keyPath, options, changeHandler)
    if options.contains(.initial) { watched.tell(old: nil) }
    return NSKeyValueObservation { watched.look() }
  }
}

/// One value of one progress, and what it was when it was last looked at.
// Unchecked: the lock guards what changes; it is held while the observer is called, so that calls come in order.
private final class WatchedValue<Value>: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private weak var progress: Progress?
  private let keyPath: KeyPath<Progress, Value>
  private let options: NSKeyValueObservingOptions
  private let handler: @Sendable (Progress, NSKeyValueObservedChange<Value>) -> Void
  private var last: Value

  init(
    _ progress: Progress, _ keyPath: KeyPath<Progress, Value>, _ options: NSKeyValueObservingOptions,
    _ handler: @escaping @Sendable (Progress, NSKeyValueObservedChange<Value>) -> Void
  ) {
    (self.progress, self.keyPath, self.options, self.handler) = (progress, keyPath, options, handler)
    last = progress[keyPath: keyPath]
  }

  func look() {
    lock.withLock {
      guard let now = progress?[keyPath: keyPath], "\(now)" != "\(last)" else { return }
      let old = last
      last = now
      tell(old: old)
    }
  }

  func tell(old: Value?) {
    guard let progress else { return }
    let new = options.contains(.new) ? last : nil
    handler(progress, NSKeyValueObservedChange(newValue: new, oldValue: options.contains(.old) ? old : nil))
  }
}

/// Everything that observes a progress in this process.
final class ProgressWatch: Sendable {
  static let shared = ProgressWatch()

  private struct Weak: Sendable { weak var observation: NSKeyValueObservation? }

  private let observations = Mutex<[Weak]>([])

  func add(_ observation: NSKeyValueObservation) {
    observations.withLock { list in
      list.removeAll { $0.observation == nil }
      list.append(Weak(observation: observation))
    }
  }

  /// A task has moved.
  func moved() {
    for observation in observations.withLock({ $0.compactMap(\.observation) }) { observation.lookAgain() }
  }
}
