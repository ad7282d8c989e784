import NightjarCore
import Synchronization

/// The calls that wait for their answers.
///
/// While the database cannot be written nobody is answered. Apps wait for as long as it takes. Who issues a ticket that is
/// not to wait is told of the standstill: at once if there is one, and when one begins.
final class Tickets: Sendable {
  /// Nothing goes on, since the database cannot be written.
  struct Standstill: Sendable {
    /// Why not, in a sentence.
    var reason: String
    /// Whether the supervisor has the question: it is acted upon once the database can be written.
    var isPending: Bool
  }

  private struct Wait {
    var answer: @Sendable (Answer) -> Void
    var stand: (@Sendable (Standstill) -> Void)?
  }

  private struct State {
    var last: UInt64 = 0
    var waiting: [UInt64: Wait] = [:]
    /// Why nothing goes on.
    var standstill: String?

    mutating func issue(_ wait: Wait) -> Ticket {
      last += 1
      waiting[last] = wait
      return Ticket(last)
    }
  }

  private let state = Mutex(State())

  /// A ticket for a call; `then` is told the answer, on the engine's thread.
  func issue(_ then: @escaping @Sendable (Answer) -> Void) -> Ticket {
    state.withLock { $0.issue(Wait(answer: then)) }
  }

  /// A ticket for a call that is not left waiting: either `then` is told the answer or `stand` of the standstill, once.
  /// Nil if it was told already.
  func issue(
    _ then: @escaping @Sendable (Answer) -> Void, standing stand: @escaping @Sendable (Standstill) -> Void
  ) -> Ticket? {
    var reason: String?
    let ticket = state.withLock { state -> Ticket? in
      reason = state.standstill
      return reason == nil ? state.issue(Wait(answer: then, stand: stand)) : nil
    }
    if let reason { stand(Standstill(reason: reason, isPending: false)) }
    return ticket
  }

  /// Takes back a ticket whose call was answered without the supervisor. False if it was answered before.
  @discardableResult
  func withdraw(_ ticket: Ticket) -> Bool {
    state.withLock { $0.waiting.removeValue(forKey: ticket.rawValue) } != nil
  }

  /// Hands over an answer; one that was given already is ignored.
  func redeem(_ ticket: Ticket, _ answer: Answer) {
    let wait = state.withLock { $0.waiting.removeValue(forKey: ticket.rawValue) }
    wait?.answer(answer)
  }

  /// From now on nothing goes on; those that are not to wait are told.
  func stand(because reason: String) {
    let told = state.withLock { state in
      state.standstill = reason
      let told = state.waiting.filter { $0.value.stand != nil }
      for number in told.keys { state.waiting[number] = nil }
      return told.sorted { $0.key < $1.key }
    }
    for (_, wait) in told { wait.stand?(Standstill(reason: reason, isPending: true)) }
  }

  /// Everything goes on.
  func goOn() { state.withLock { $0.standstill = nil } }
}
