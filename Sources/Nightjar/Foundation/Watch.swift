import Foundation
import Synchronization

/// The observations of one object, or of objects that change each other.
///
/// An observed object may be changed on several threads. A look (a comparison of observed values with the last ones)
/// could then find another thread's unfinished change, or report it on the wrong thread. So a change and the look after
/// it can be one step, and only one look is taken at a time. Observers, which may wait for another thread, are called
/// after it.
struct Watch: ~Copyable, Sendable {
  /// Not private: Swift 6.3 looks for its metadata in every file that has a watch.
  struct Weak: Sendable { weak var observation: NSKeyValueObservation? }

  private let observations = Mutex<[Weak]>([])
  /// Whether there are any observations, as of the last look.
  private let isKept = Atomic(false)
  /// One lock for all watches: an observed property may be the app's own, and read or change another observed object.
  private static let lock = NSRecursiveLock()

  /// Does `work` while no look is taken.
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

  /// Looks, and calls the observers of changed values. The caller holds no lock, and is on the thread for such calls.
  func lookAgain() {
    guard isKept.load(ordering: .sequentiallyConsistent) else { return }
    Self.inOneStep({}, look: { look() })
  }

  /// Makes a change and looks in one step, so that no other thread reports the change; then does `deed` and calls the
  /// observers.
  @discardableResult
  func lookAgain<Result>(after change: () -> Result, then deed: () -> Void = {}) -> Result {
    guard isKept.load(ordering: .sequentiallyConsistent) else {
      let result = change()
      deed()
      lookAgain()  // An observation may have begun meanwhile.
      return result
    }
    return Self.inOneStep(change, look: { look() }, then: deed)
  }

  /// Makes a change and looks in one step; then does `deed` and calls the observers of changed values.
  static func inOneStep<Result>(
    _ change: () -> Result, look: () -> [Glance], then deed: () -> Void = {}
  ) -> Result {
    let (result, glances) = still { (change(), look()) }
    deed()
    for glance in glances { glance.tell() }
    return result
  }

  /// Takes a look for every observation. The caller holds the lock.
  func look() -> [Glance] {
    guard isKept.load(ordering: .sequentiallyConsistent) else { return [] }
    return kept().map { Glance(of: $0) }
  }

  private func keep(_ observation: NSKeyValueObservation) { withExtendedLifetime(kept(with: observation)) {} }

  /// Drops ended observations and adds a new one. Returns the observations that were there, so that they are released
  /// outside the lock: this may be the last reference, and releasing it may change an observed object.
  private func kept(with new: NSKeyValueObservation? = nil) -> [NSKeyValueObservation] {
    observations.withLock { list in
      let present = list.compactMap(\.observation)
      list.removeAll { $0.observation?.isValid != true }
      if let new { list.append(Weak(observation: new)) }
      isKept.store(!list.isEmpty, ordering: .sequentiallyConsistent)
      return present
    }
  }
}

extension Watch {
  /// The result of a look for one observation. It keeps the observation and its closure alive until the look is over.
  struct Glance {
    private let observation: NSKeyValueObservation
    private let look: NSKeyValueObservation.Look?
    private let call: (() -> Void)?

    fileprivate init(of observation: NSKeyValueObservation) {
      self.observation = observation
      look = observation.look
      call = look?()
    }

    fileprivate func tell() {
      if observation.isValid { call?() }
    }
  }
}
