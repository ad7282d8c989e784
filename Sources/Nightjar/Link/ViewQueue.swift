import NightjarWire
import Synchronization

/// The views on their way to the daemon: one at a time, and of those drawn meanwhile only the newest.
struct ViewQueue {
  private var isUnderWay = false
  private var waiting: String?

  /// Takes a view, and returns it if it may be sent now.
  mutating func show(_ html: String) -> String? {
    guard isUnderWay else {
      isUnderWay = true
      return html
    }
    waiting = html
    return nil
  }

  /// Notes that a view is sent regardless of the one under way; a waiting one is out of date.
  mutating func showAtOnce() { (isUnderWay, waiting) = (true, nil) }

  /// Notes that the daemon has a view, and returns the one to send next.
  mutating func arrived() -> String? {
    defer { waiting = nil }
    isUnderWay = waiting != nil
    return waiting
  }
}

extension Link {
  /// Sends a view. With `atOnce` it is sent before any later call; otherwise views that are drawn too fast are left
  /// out.
  func show(_ html: String, atOnce: Bool) {
    state.withLock { state in
      guard state.phase == .up else { return }  // The view is drawn again for the next daemon.
      if atOnce { state.views.showAtOnce() }
      guard let next = atOnce ? html : state.views.show(html) else { return }
      state.calls.append(.setView(.init(html: next)))
    }
    flushSoon()
  }

  /// Asks the daemon not to show the snapshot at the next launch.
  func ignoreSnapshot() {
    state.withLock { $0.calls.append(.ignoreSnapshot) }
    flushSoon()
  }
}

extension LinkState {
  /// Handles the daemon's answer to a view.
  mutating func shown(_ answer: Answer) -> Hearing {
    if let next = views.arrived() { calls.append(.setView(.init(html: next))) }
    guard case .refused(let refusal) = answer else { return Hearing() }
    return Hearing(asks: [{ Console.warn("the view is not shown: \(refusal)") }])
  }
}
