import Dispatch
import Glibc
import NightjarModel
import Synchronization

/// Lets delegate calls return when the process exits, so that what they were about is acknowledged.
///
/// A program that waits for its last `didCompleteWithError` on another thread exits before that call has returned. Without
/// this its next life would be told again what this one has heard to the end.
final class Departure: Sendable {
  private struct Tellings {
    /// The threads that are in a delegate call.
    var threads: [pthread_t] = []
    var isOver = false
  }

  private let tellings = Mutex(Tellings())
  private let group = DispatchGroup()

  /// Whether the process is exiting: nothing more is told.
  var isOver: Bool { tellings.withLock { $0.isOver } }

  /// Tells, unless the process is exiting.
  func unlessOver(_ tell: () -> Void) {
    let thread = pthread_self()
    guard enter(thread) else { return }
    defer { leave(thread) }
    tell()
  }

  /// Ends the telling, and waits until the calls that are under way have returned, or for so long at the most. A thread that
  /// is in such a call itself does not wait: its call will not return.
  func begin(waitingAtMost longest: Duration) {
    let isTold = tellings.withLock { tellings in
      tellings.isOver = true
      return tellings.threads.contains(pthread_self())
    }
    if !isTold { _ = group.wait(timeout: .now() + longest.inSeconds) }
  }

  private func enter(_ thread: pthread_t) -> Bool {
    tellings.withLock { tellings in
      guard !tellings.isOver else { return false }
      tellings.threads.append(thread)
      group.enter()
      return true
    }
  }

  private func leave(_ thread: pthread_t) {
    tellings.withLock { tellings in
      if let place = tellings.threads.lastIndex(of: thread) { tellings.threads.remove(at: place) }
    }
    group.leave()
  }
}
