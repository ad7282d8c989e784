import Dispatch
import NightjarWire
import Synchronization

// The app's own life: its place, and its background tasks.
extension Link {
  /// Sets the handler of moves, which is called on any thread.
  func onMove(_ handler: @escaping @Sendable (Move) -> Void) { state.withLock { $0.moveHandler = handler } }

  /// Passes a move to the app. A process without a `UIApplication` confirms it at once.
  func moved(_ move: Move) {
    if let handler = state.withLock({ $0.moveHandler }) { return handler(move) }
    switch move {
    case .background(let number, _): entered(number)
    case .foreground, .acted, .shortage, .newTime: break
    case .expiry: DispatchQueue.main.async { self.expireTasks() }
    }
  }

  /// Confirms that the app is in the background and may be suspended.
  func entered(_ number: Int64) {
    state.withLock { $0.calls.append(.entered(.init(number: number))) }
    flushSoon()
  }

  /// Begins a background task. The daemon is told before any later call of the app.
  func beginTask(_ name: String, _ expiry: TaskBook.Expiry?) -> Int64 {
    let number = state.withLock { state in
      let number = state.backgroundTasks.begin(name, expiry)
      if state.phase == .up { state.calls.append(.beginTask(.init(task: number, name: name))) }
      return number
    }
    flush()
    return number
  }

  /// Ends a background task; has no effect on one that has ended. Its expiration handler is released outside the lock,
  /// since what is released with it may call the link.
  func endTask(_ number: Int64) {
    let expiry: TaskBook.Expiry? = state.withLock { state in
      let expiry = state.backgroundTasks.expire(number)
      guard state.backgroundTasks.end(number), state.phase == .up else { return expiry }
      state.calls.append(.endTask(.init(task: number)))
      return expiry
    }
    withExtendedLifetime(expiry) {}  // Without it, an optimized build releases it under the lock.
    flushSoon()
  }

  /// Calls the expiration handler of each background task once, unless an earlier handler has ended the task.
  @MainActor func expireTasks() {
    for number in state.withLock({ $0.backgroundTasks.numbers }) {
      state.withLock { $0.backgroundTasks.expire(number) }?()
    }
  }
}

extension Move {
  /// The place of the app at attachment; nil in a background that needs no confirmation.
  init?(_ attachment: AppInterface.Attached) {
    guard attachment.background else {
      self = .foreground
      return
    }
    guard let number = attachment.transition else { return nil }
    self = .background(number: number, remaining: nil)
  }
}
