import Foundation
import Synchronization

/// SIGTERM, turned into a call on the main thread.
///
/// It uses a handler rather than an ignored signal with a dispatch source: processes that the app starts inherit
/// ignored signals.
enum Termination {
  /// The writing end of the pipe that the signal handler writes to; -1 before there is one.
  private static let pipeEnd = Atomic<CInt>(-1)

  /// Calls `act` on the main thread when the process receives SIGTERM.
  static func whenAsked(_ act: @escaping @MainActor @Sendable () -> Void) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return Console.warn("\(FileTrouble("make", "a pipe"))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    pipeEnd.store(ends[1], ordering: .sequentiallyConsistent)
    let reader = ends[0]
    Thread.detachNewThread {
      var byte: UInt8 = 0
      guard unlessInterrupted({ read(reader, &byte, 1) }) == 1 else { return }
      DispatchQueue.main.async { act() }
    }
    signal(SIGTERM) { _ in Termination.note() }
    unblock()
  }

  /// Unblocks the signal on this thread: the app may inherit it blocked (sigprocmask(2)).
  private static func unblock() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Runs in the signal handler: calls only what signal-safety(7) allows.
  private static func note() {
    let before = errno
    var byte: UInt8 = 1
    _ = write(pipeEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = before
  }
}
