public import Foundation

// In an extension of a protocol, for only there is the handler given a task of the kind that is observed, as on iOS.
extension ProgressReporting where Self: URLSessionTask {
  /// Calls back when a value of the task has changed (as in Apple's key-value observation).
  ///
  /// It covers the properties of a task but ``URLSessionTask/delegate``, and what a key path makes of them. The observer is
  /// called after the change and before the delegate is told of it: on the session's delegate queue, or on the thread that
  /// has made the change, by `resume()`, `suspend()`, `cancel()` or setting a property. What changes on two threads at a
  /// time may be told by both at once. Nobody is called by a task whose observations have all ended, nor for a value that
  /// stayed the same.
  ///
  /// - Returns: The observation; keep it for as long as you want to hear.
  @preconcurrency
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation { watch.observe(self, keyPath, options, changeHandler) }
}
