import NightjarCore
import Synchronization

/// The calls that wait for their answers.
final class Tickets: Sendable {
  private struct State: Sendable {
    var last: UInt64 = 0
    var waiting: [UInt64: @Sendable (Answer) -> Void] = [:]
  }

  private let state = Mutex(State())

  /// A ticket for a call; `then` is told the answer, on the engine's thread.
  func issue(_ then: @escaping @Sendable (Answer) -> Void) -> Ticket {
    state.withLock { state in
      state.last += 1
      state.waiting[state.last] = then
      return Ticket(state.last)
    }
  }

  /// Takes back a ticket whose call was answered without the supervisor.
  func withdraw(_ ticket: Ticket) {
    _ = state.withLock { $0.waiting.removeValue(forKey: ticket.rawValue) }
  }

  /// Hands over an answer; one that was given already is ignored.
  func redeem(_ ticket: Ticket, _ answer: Answer) {
    let then = state.withLock { $0.waiting.removeValue(forKey: ticket.rawValue) }
    then?(answer)
  }
}
