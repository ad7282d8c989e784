import Synchronization

/// How other threads reach the service's thread: what they want is noted here, and the thread is woken if it sleeps.
final class ServiceMailbox: Sendable {
  /// What waits for the thread.
  struct Notes: Sendable {
    var touched: [UInt64] = []  // Connections with something to send, to close or to read on; each at most once.
    var isResumed = false
    var isStopped = false

    var isEmpty: Bool { touched.isEmpty && !isResumed && !isStopped }
  }

  private struct State {
    var notes = Notes()
    var isAsleep = false
  }

  let wake: WakeSignal
  private let state = Mutex(State())

  init(_ wake: WakeSignal) { self.wake = wake }

  /// Notes something. The service's own thread never sleeps while it notes, and costs no system call.
  func note(_ change: (inout Notes) -> Void) {
    let mustWake = state.withLock { state in
      change(&state.notes)
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if mustWake { wake.signal() }
  }

  /// Says that the thread is about to sleep; false when there is something to do instead.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.notes.isEmpty
      return state.isAsleep
    }
  }

  /// Says that the thread is awake, and takes what was noted.
  func wakeUp() -> Notes {
    state.withLock { state in
      state.isAsleep = false
      defer { state.notes = Notes(isStopped: state.notes.isStopped) }
      return state.notes
    }
  }
}
