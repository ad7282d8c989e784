import Foundation

/// A call on a delegate queue, which `cancelAllOperations()` does not cancel.
///
/// The queue may be the app's own, and the app may cancel what waits in it. A cancelled operation never runs: the
/// delegate would not be told, and the session would wait for ever for the call to return, with the event never
/// acknowledged. Queued again, the call would come after others that were made later; so it keeps its place.
private final class DelegateCall: Operation, @unchecked Sendable {  // Unchecked: it never changes.
  private let call: @Sendable () -> Void

  init(_ call: @escaping @Sendable () -> Void) { self.call = call }

  override func main() { call() }
  override func cancel() {}
}

extension OperationQueue {
  /// Makes a call of the library's in its turn, whatever the app cancels.
  func addCall(_ call: @escaping @Sendable () -> Void) { addOperation(DelegateCall(call)) }
}
