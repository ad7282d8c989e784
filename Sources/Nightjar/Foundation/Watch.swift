import Foundation
import Synchronization

/// Everything that observes one thing, or things that change each other.
///
/// What is observed may be changed on several threads, and a look would find the half-made change of another's, or tell it in
/// the wrong place. So a change and the look after it can be one step, and no two looks are taken at a time; the observers, who
/// may wait for another thread, are called when it is over.
struct Watch: ~Copyable, Sendable {
  /// Not private: Swift 6.3 looks for its metadata in every file that has a watch.
  struct Weak: Sendable { weak var observation: NSKeyValueObservation? }

  private let observations = Mutex<[Weak]>([])
  /// Whether there are any, as far as is known.
  private let isKept = Atomic(false)
  /// One for all: what is looked at may be a property of the app's own, which looks at something else or changes it.
  private static let lock = NSRecursiveLock()

  /// Does something while nobody looks.
  static func still<Result>(_ work: () -> Result) -> Result { lock.withLock(work) }

  /// Begins to observe a value of an object.
  func observe<Object: AnyObject, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, _ options: NSKeyValueObservingOptions,
    _ handler: @escaping @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let watched = WatchedValue(object, keyPath, options, handler)
    let observation = NSKeyValueObservation { watched.look() }
    keep(observation)
    let first = Self.still { watched.begin() }
    if options.contains(.initial) { first?() }
    return observation
  }

  /// Calls whoever has something to hear. The caller holds no lock, and is where the change is told of.
  func lookAgain() {
    guard isKept.load(ordering: .sequentiallyConsistent) else { return }
    lookAgain {}
  }

  /// The same after a change that is made in one step with the look.
  func lookAgain(after change: () -> Void) {
    let calls = Self.still {
      change()
      return look()
    }
    for (observation, call) in calls where observation.isValid { call() }
  }

  private func keep(_ observation: NSKeyValueObservation) {
    observations.withLock { list in
      list.removeAll { $0.observation?.isValid != true }
      list.append(Weak(observation: observation))
      isKept.store(true, ordering: .sequentiallyConsistent)
    }
  }

  private func look() -> [(NSKeyValueObservation, () -> Void)] {
    kept().compactMap { observation in observation.lookAgain().map { (observation, $0) } }
  }

  private func kept() -> [NSKeyValueObservation] {
    observations.withLock { list in
      list.removeAll { $0.observation?.isValid != true }
      isKept.store(!list.isEmpty, ordering: .sequentiallyConsistent)
      return list.compactMap(\.observation)
    }
  }
}
