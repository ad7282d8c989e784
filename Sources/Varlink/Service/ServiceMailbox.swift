import Synchronization

/// The way from other threads to the service's thread: they note here what they want, and wake the thread if it sleeps.
final class ServiceMailbox: Sendable {
  /// The notes that wait for the thread.
  struct Notes: Sendable {
    var touched: [UInt64] = []  // Connections to send to, close or read on; each at most once.
    var newListeners: [(VarlinkListener, insteadOf: VarlinkListener?)] = []
    var isResumed = false
    var isStopped = false

    var isEmpty: Bool { touched.isEmpty && newListeners.isEmpty && !isResumed && !isStopped }
  }

  private struct State {
    var notes = Notes()
    var isAsleep = false
  }

  let wake: WakeSignal
  private let state = Mutex(State())

  init(_ wake: WakeSignal) { self.wake = wake }

  /// Changes the notes, and wakes the thread if it sleeps. On the service's own thread this costs no system call.
  func note(_ change: (inout Notes) -> Void) {
    let mustWake = state.withLock { state in
      change(&state.notes)
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if mustWake { wake.signal() }
  }

  /// Marks the thread as asleep; false when there are notes to handle instead.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.notes.isEmpty
      return state.isAsleep
    }
  }

  /// Marks the thread as awake, and takes the notes.
  func wakeUp() -> Notes {
    state.withLock { state in
      state.isAsleep = false
      defer { state.notes = Notes(isStopped: state.notes.isStopped) }
      return state.notes
    }
  }
}
