public import Foundation

// In an extension of a protocol, so that `Self`, and with it the handler's task, is the class that is observed, as on
// iOS.
extension ProgressReporting where Self: URLSessionTask {
  /// Observes a value of the task, and calls the handler when it has changed (as in Apple's key-value observation).
  ///
  /// All properties of a task but ``URLSessionTask/delegate`` can be observed, and key paths that lead through them.
  /// The handler is called after the change and before the delegate is told of it: on the session's delegate queue, or
  /// on the thread that made the change by `resume()`, `suspend()`, `cancel()` or by setting a property. If two threads
  /// change the task at the same time, both may call handlers at once. A handler is not called for a value that stayed
  /// the same.
  ///
  /// - Returns: The observation; keep it for as long as you want to observe.
  @preconcurrency
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation { watch.observe(self, keyPath, options, changeHandler) }
}
