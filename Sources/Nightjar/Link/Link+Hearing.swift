import Foundation
import NightjarWire
import Synchronization

// What the daemon says. Runs on the line's threads: it notes, and leaves sending and telling to others.
extension Link {
  /// Takes one fact in; what an earlier line still says is late.
  func hear(_ fact: Fact, of generation: Int) {
    guard state.withLock({ $0.generation == generation && $0.phase != .down }) else { return }
    switch fact {
    case .attached(let attachment): rise(attachment)
    case .handleEvents(let session): wake(for: session)
    case .progressed(let figures): note(figures.session) { $0.sessions[figures.session]?.note(figures) }
    case .ended(let event): note(event.session) { $0.hear(event) }
    case .asked(let question): note(question.session) { $0.hear(question) }
    case .eventsFinished(let session): note(session) { $0.hearEventsFinished(of: session) }
    case .answered(let answer): hear(answer, of: generation)
    case .dropped(let why): dropped(why, of: generation)
    }
  }

  private func note(_ session: String, _ change: (inout LinkState) -> Void) {
    state.withLock { change(&$0) }
    tell(session)
  }

  private func hear(_ answer: Answer, of generation: Int) {
    let outcome = state.withLock { $0.hear(answer) }
    if let why = outcome.drop { return dropped(why, of: generation) }
    for ask in outcome.asks { ask() }
    flushSoon()
    if let session = outcome.session { tell(session) }
  }

  private func wake(for session: String) {
    let handler: (@Sendable (String) -> Void)? = state.withLock { state in
      guard state.wakes[session] == nil else { return nil }
      state.wakes[session] = WakeState(isHandled: state.wakeHandler == nil)
      state.finishWakeIfDone(session)
      return state.wakeHandler
    }
    handler?(session)
    flushSoon()
  }
}
