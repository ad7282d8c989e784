import NightjarWire
import Synchronization

/// What the app shows, on its way to the daemon: one view at a time, and of those that come meanwhile only the newest.
struct ViewQueue {
  private var isUnderWay = false
  private var waiting: String?

  /// Takes a view; gives it back if it may be sent now.
  mutating func show(_ html: String) -> String? {
    guard isUnderWay else {
      isUnderWay = true
      return html
    }
    waiting = html
    return nil
  }

  /// A view is sent whatever is under way: what waited is out of date.
  mutating func showAtOnce() { (isUnderWay, waiting) = (true, nil) }

  /// The daemon has a view; the one to send next.
  mutating func arrived() -> String? {
    defer { waiting = nil }
    isUnderWay = waiting != nil
    return waiting
  }
}

extension Link {
  /// Shows a view. `atOnce` puts it before whatever is asked next; otherwise views that come too fast are left out.
  func show(_ html: String, atOnce: Bool) {
    state.withLock { state in
      guard state.phase == .up else { return }  // It is drawn anew for the next daemon.
      if atOnce { state.views.showAtOnce() }
      guard let next = atOnce ? html : state.views.show(html) else { return }
      state.calls.append(.setView(.init(html: next)))
    }
    flushSoon()
  }

  /// The snapshot is not to be shown at the next launch.
  func ignoreSnapshot() {
    state.withLock { $0.calls.append(.ignoreSnapshot) }
    flushSoon()
  }
}

extension LinkState {
  /// The daemon has a view, or will not have it.
  mutating func shown(_ answer: Answer) -> Hearing {
    if let next = views.arrived() { calls.append(.setView(.init(html: next))) }
    guard case .refused(let refusal) = answer else { return Hearing() }
    return Hearing(asks: [{ Console.warn("the view is not shown: \(refusal)") }])
  }
}
