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
  /// Compares; the result tells the observer, if there is anything to tell.
  typealias Look = @Sendable () -> (() -> Void)?

  private struct Eye { var look: Look? }

  private let eye: Mutex<Eye>

  init(_ look: @escaping Look) {
    eye = Mutex(Eye(look: look))
    super.init()
    ProgressWatch.shared.add(self)
  }

  /// Ends the observation.
  public func invalidate() { eye.withLock { $0.look = nil } }

  var isValid: Bool { eye.withLock { $0.look != nil } }

  func lookAgain() -> (() -> Void)? { eye.withLock { $0.look }?() }
}

extension Progress {
  /// Calls back when a value has changed (as in Apple's key-value observation).
  ///
  /// Values are compared whenever a task of this library moves: that covers the progress of tasks and of every progress
  /// that has them among its children. The observer is called where the task is told of, on its session's delegate queue, and
  /// in the order of its changes; one of a progress with tasks of several sessions may be called by two of them at once.
  /// A change that only the app makes is noticed at the next such move, of whatever task.
  ///
  /// - Returns: The observation; keep it for as long as you want to hear.
  @preconcurrency
  public func observe<Value>(
    _ keyPath: KeyPath<Progress, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (Progress, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let watched = WatchedValue(self, keyPath, options, changeHandler)
    if options.contains(.initial) { watched.call(old: nil)?() }
    return NSKeyValueObservation { watched.look() }
  }
}

/// One value of one progress, and what it was when it was last looked at.
// Unchecked: the watch's lock guards what changes.
private final class WatchedValue<Value>: @unchecked Sendable {
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
    last = ProgressWatch.shared.still { progress[keyPath: keyPath] }
  }

  func look() -> (() -> Void)? {
    guard let now = progress?[keyPath: keyPath], "\(now)" != "\(last)" else { return nil }
    let old = last
    last = now
    return call(old: old)
  }

  /// What tells the observer of the value as it is.
  func call(old: Value?) -> (() -> Void)? {
    guard let progress else { return nil }
    let change = NSKeyValueObservedChange(
      newValue: options.contains(.new) ? last : nil, oldValue: options.contains(.old) ? old : nil)
    return { [handler] in handler(progress, change) }
  }
}

/// Everything that observes a progress in this process.
///
/// Tasks of several sessions move on several threads, and a look at all that is observed would find the half-made change of
/// another's, or tell it on the wrong queue. So a move and the look after it are one step; the observers, who may wait for
/// another thread, are called when it is over.
final class ProgressWatch: Sendable {
  static let shared = ProgressWatch()

  private struct Weak: Sendable { weak var observation: NSKeyValueObservation? }

  private let observations = Mutex<[Weak]>([])
  /// Recursive, since what is looked at may be a property of the app's own that changes another progress.
  private let lock = NSRecursiveLock()

  func add(_ observation: NSKeyValueObservation) {
    observations.withLock { list in
      list.removeAll { $0.observation == nil }
      list.append(Weak(observation: observation))
    }
  }

  /// Does something while no task moves.
  func still<Result>(_ work: () -> Result) -> Result { lock.withLock(work) }

  /// A task moves to here.
  func move(_ progress: Progress, to completed: Int64, of total: Int64) {
    let calls = still {
      progress.totalUnitCount = total
      progress.completedUnitCount = completed
      return look()
    }
    for (observation, call) in calls where observation.isValid { call() }
  }

  private func look() -> [(NSKeyValueObservation, () -> Void)] {
    observations.withLock { $0.compactMap(\.observation) }.compactMap { observation in
      observation.lookAgain().map { (observation, $0) }
    }
  }
}
