public import Foundation

extension Progress {
  /// Observes a value, and calls the handler when it has changed (as in Apple's key-value observation).
  ///
  /// Values are compared whenever a task of this library makes progress. That covers the progress of tasks and every
  /// progress that has one among its children. The handler is called on the delegate queue of the task's session, in
  /// the order of the task's changes. If a progress has tasks of several sessions, their queues may call its handler at
  /// the same time. A change that only the app makes is noticed when any task next makes progress.
  ///
  /// - Returns: The observation; keep it for as long as you want to observe.
  @preconcurrency
  public func observe<Value>(
    _ keyPath: KeyPath<Progress, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (Progress, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation { ProgressWatch.shared.watch.observe(self, keyPath, options, changeHandler) }
}

/// All observations of progresses in this process. They are looked at together, since a progress changes all that have
/// it among their children.
final class ProgressWatch: Sendable {
  static let shared = ProgressWatch()

  fileprivate let watch = Watch()

  /// Makes a change to a task, and moves its progress to the counts that the change returns. Both are one step for
  /// observers, since an observer of one may read the other.
  @discardableResult
  func move<Result>(_ task: URLSessionTask, after change: () -> (Result, completed: Int64, total: Int64)) -> Result {
    Watch.inOneStep {
      let (result, completed, total) = change()
      task.progress.move(to: completed, of: total)
      return result
    } look: {
      watch.look() + task.watch.look()
    }
  }

  /// Moves a progress that belongs to no task.
  func move(_ progress: Progress, to completed: Int64, of total: Int64) {
    Watch.inOneStep({ progress.move(to: completed, of: total) }, look: { watch.look() })
  }
}

extension Progress {
  fileprivate func move(to completed: Int64, of total: Int64) {
    (totalUnitCount, completedUnitCount) = (total, completed)
  }
}
