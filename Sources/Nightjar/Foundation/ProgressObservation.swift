public import Foundation

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
  ) -> NSKeyValueObservation { ProgressWatch.shared.watch.observe(self, keyPath, options, changeHandler) }
}

/// Everything that observes a progress in this process: one that moves changes all that have it among their children.
final class ProgressWatch: Sendable {
  static let shared = ProgressWatch()

  fileprivate let watch = Watch()

  /// A task moves to where `change` says. What is changed there is looked at in one step with its progress: whoever observes
  /// one may look at the other.
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

  /// A progress of no task moves to here.
  func move(_ progress: Progress, to completed: Int64, of total: Int64) {
    Watch.inOneStep({ progress.move(to: completed, of: total) }, look: { watch.look() })
  }
}

extension Progress {
  fileprivate func move(to completed: Int64, of total: Int64) {
    (totalUnitCount, completedUnitCount) = (total, completed)
  }
}
