import Dispatch
import NightjarWire
import Synchronization

// The app's own life: where it is, and what keeps it running.
extension Link {
  /// Who hears, on any thread, that the app goes to the foreground or the background.
  func onMove(_ handler: @escaping @Sendable (Move) -> Void) { state.withLock { $0.moveHandler = handler } }

  /// A process without a `UIApplication` has nothing to do before it confirms.
  func moved(_ move: Move) {
    if let handler = state.withLock({ $0.moveHandler }) { return handler(move) }
    switch move {
    case .background(let number, _): entered(number)
    case .foreground, .acted, .shortage: break
    case .expiry: DispatchQueue.main.async { self.expireTasks() }
    }
  }

  /// The app is in the background, and has done what it must before it may be suspended.
  func entered(_ number: Int64) {
    state.withLock { $0.calls.append(.entered(.init(number: number))) }
    flushSoon()
  }

  /// Begins a background task. The daemon knows of it before anything that the app asks later.
  func beginTask(_ name: String, _ expiry: TaskBook.Expiry?) -> Int64 {
    let number = state.withLock { state in
      let number = state.backgroundTasks.begin(name, expiry)
      if state.phase == .up { state.calls.append(.beginTask(.init(task: number, name: name))) }
      return number
    }
    flush()
    return number
  }

  /// Ends a background task; one that has ended already is left alone. Its expiration handler goes under no lock: what ends
  /// with it may call us.
  func endTask(_ number: Int64) {
    let _: TaskBook.Expiry? = state.withLock { state in
      let expiry = state.backgroundTasks.expire(number)
      guard state.backgroundTasks.end(number), state.phase == .up else { return expiry }
      state.calls.append(.endTask(.init(task: number)))
      return expiry
    }
    flushSoon()
  }

  /// Calls the expiration handlers of all background tasks, each once, and none of a task that an earlier one has ended.
  @MainActor func expireTasks() {
    for number in state.withLock({ $0.backgroundTasks.numbers }) {
      state.withLock { $0.backgroundTasks.expire(number) }?()
    }
  }
}

extension Move {
  /// Where an attachment says that the app is; nil where a background wants no confirmation.
  init?(_ attachment: AppInterface.Attached) {
    guard attachment.background else {
      self = .foreground
      return
    }
    guard let number = attachment.transition else { return nil }
    self = .background(number: number, remaining: nil)
  }
}
