import Foundation
import Synchronization

/// Says so when a task takes too long. Let go, it says nothing any more.
final class LocalLimit: Sendable {
  /// Any thread may cancel a source, and that is all that is done with it after its start.
  nonisolated(unsafe) private let timer: any DispatchSourceTimer

  init(after seconds: TimeInterval, _ over: @escaping @Sendable () -> Void) {
    timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now() + seconds)
    timer.setEventHandler { over() }
    timer.activate()
  }

  deinit { timer.cancel() }
}

// How long a task may take, which FoundationNetworking does not heed.
extension LocalCarrier {
  /// Sets the limit of a task that begins.
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
