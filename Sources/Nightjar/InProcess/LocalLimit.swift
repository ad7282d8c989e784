import Foundation
import Synchronization

/// A timer for a task that takes too long. Releasing it cancels it.
final class LocalLimit: Sendable {
  /// Only cancelled after its start, which any thread may do.
  nonisolated(unsafe) private let timer: any DispatchSourceTimer

  init(after seconds: TimeInterval, _ over: @escaping @Sendable () -> Void) {
    timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now() + seconds)
    timer.setEventHandler { over() }
    timer.activate()
  }

  deinit { timer.cancel() }
}

// The resource timeout, which FoundationNetworking ignores.
extension LocalCarrier {
  /// Starts the resource timeout of a task.
  func limit(_ task: URLSessionTask) {
    let (seconds, number) = (settings.timeoutIntervalForResource.asTimeout, task.taskIdentifier)
    guard seconds < TimeInterval.longestTimeout else { return }
    let limit = LocalLimit(after: seconds) { [weak self] in self?.timeOut(number) }
    state.withLock { $0.tasks[number]?.limit = limit }
  }

  /// Ends a task that has taken too long.
  func timeOut(_ number: Int) {
    let task: URLSessionTask? = state.withLock { state in
      guard state.tasks[number]?.timeOut() == true else { return nil }
      return state.tasks[number]?.task
    }
    if let task { cancel(task) }
  }
}
