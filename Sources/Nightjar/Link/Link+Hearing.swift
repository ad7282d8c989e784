import Foundation
import NightjarWire
import Synchronization

// Facts from the daemon. This runs on the line's threads: it records facts, and leaves sending and delegate calls to
// other threads.
extension Link {
  /// Handles a fact; facts of earlier lines are late and ignored.
  func hear(_ fact: Fact, of generation: Int) {
    switch fact {
    case .progressed(let figures): note(figures.session, generation) { $0.sessions[figures.session]?.note(figures) }
    case .informed(let words): note(words.session, generation) { $0.sessions[words.session]?.note(words) }
    case .ended(let event): note(event.session, generation) { $0.hear(event) }
    case .asked(let question): note(question.session, generation) { $0.hear(question) }
    case .eventsFinished(let session): note(session, generation) { $0.hearEventsFinished(of: session) }
    case .answered(let answer): hear(answer, of: generation)
    case .dropped(let why): dropped(why, of: generation)
    case .attached(let attachment): rise(attachment, of: generation)
    case .moved(let move): if state.withLock({ $0.isPresent(generation) }) { moved(move) }
    case .sent(let errand): if state.withLock({ $0.isPresent(generation) }) { sent(errand) }
    case .standing(let standing): if state.withLock({ $0.isPresent(generation) }) { note(standing) }
    case .notified(let notified): if state.withLock({ $0.isPresent(generation) }) { noticed(notified) }
    case .handleEvents(let session): if state.withLock({ $0.isPresent(generation) }) { wake(for: session) }
    }
  }

  private func note(_ session: String, _ generation: Int, _ change: (inout LinkState) -> Void) {
    let isNews = state.withLock { state in
      guard state.isPresent(generation) else { return false }
      change(&state)
      return state.sessions[session]?.isTelling != true
    }
    if isNews { tell(session) }
  }

  private func hear(_ answer: Answer, of generation: Int) {
    let outcome: Hearing? = state.withLock { state in
      guard state.isPresent(generation) else { return nil }
      let (wasFull, unsent) = (state.calls.isFull, state.calls.unsent)
      var outcome = state.hear(answer)
      outcome.sends = wasFull || state.calls.unsent > unsent
      return outcome
    }
    guard let outcome else { return }
    if let why = outcome.drop { return dropped(why, of: generation) }
    for ask in outcome.asks { ask() }
    if outcome.sends { flushSoon() }
    if let session = outcome.session { tell(session) }
  }

  private func wake(for session: String) {
    let handler: (@Sendable (String) -> Void)? = state.withLock { state in
      guard state.wakes[session] == nil else {
        state.wakes[session]?.isTold = false  // More events came before the app has handled those it was woken for.
        return nil
      }
      state.wakes[session] = WakeState(isCalled: state.wakeHandler == nil, isHandled: state.wakeHandler == nil)
      state.finishWakeIfDone(session)
      return state.wakeHandler
    }
    handler?(session)
    flushSoon()
  }
}
