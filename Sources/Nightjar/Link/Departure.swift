import Dispatch
import Glibc
import NightjarModel
import Synchronization

/// Waits at the process's exit for delegate calls to return, so that their events are acknowledged.
///
/// A program that waits on another thread for its last `didCompleteWithError` exits before that call has returned.
/// Without this wait the event would be delivered again in its next life.
final class Departure: Sendable {
  private struct Tellings {
    /// The threads that are in a delegate call.
    var threads: [pthread_t] = []
    var isOver = false
  }

  private let tellings = Mutex(Tellings())
  private let group = DispatchGroup()

  /// Whether the process is exiting, and no delegate is called any more.
  var isOver: Bool { tellings.withLock { $0.isOver } }

  /// Makes a delegate call, unless the process is exiting.
  func unlessOver(_ tell: () -> Void) {
    let thread = pthread_self()
    guard enter(thread) else { return }
    defer { leave(thread) }
    tell()
  }

  /// Prevents further delegate calls, and waits until those in progress have returned, at most for `longest`. A thread
  /// that is itself in such a call does not wait, since its call will not return.
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
