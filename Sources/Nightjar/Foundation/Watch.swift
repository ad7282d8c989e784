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
    Self.inOneStep({}, look: { look() })
  }

  /// The same after a change that is made in one step with the look, so that nobody else tells it elsewhere; `deed` is done
  /// before anybody is called.
  @discardableResult
  func lookAgain<Result>(after change: () -> Result, then deed: () -> Void = {}) -> Result {
    guard isKept.load(ordering: .sequentiallyConsistent) else {
      let result = change()
      deed()
      lookAgain()  // Somebody may have begun to observe meanwhile.
      return result
    }
    return Self.inOneStep(change, look: { look() }, then: deed)
  }

  /// Changes something while nobody looks, has it looked at, and calls whoever has something to hear when that is over.
  static func inOneStep<Result>(
    _ change: () -> Result, look: () -> [Glance], then deed: () -> Void = {}
  ) -> Result {
    let (result, glances) = still { (change(), look()) }
    deed()
    for glance in glances { glance.tell() }
    return result
  }

  /// Has everybody who observes look. The caller sees to it that nobody else looks.
  func look() -> [Glance] {
    guard isKept.load(ordering: .sequentiallyConsistent) else { return [] }
    return kept().map { Glance(of: $0) }
  }

  private func keep(_ observation: NSKeyValueObservation) { withExtendedLifetime(kept(with: observation)) {} }

  /// Forgets who observes no more, and takes in who begins to. Whoever was there is handed back, and let go outside the lock:
  /// it may have been held last here, and what goes with it may change what was observed.
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
  /// What one who observes finds at a look. It also keeps what may have been let go meanwhile until nobody looks any more.
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
