import NightjarCore
import Synchronization

/// The calls that wait for their answers.
///
/// While the database cannot be written, no call is answered. Apps wait for as long as that takes. For calls that are
/// not to wait, a ticket also has a closure that is told of the standstill: at once if there is one, or when one
/// begins.
final class Tickets: Sendable {
  /// A standstill: the database cannot be written.
  struct Standstill: Sendable {
    /// Why it cannot be written, in a sentence.
    var reason: String
    /// Whether the supervisor has the call: it is carried out once the database can be written.
    var isPending: Bool
  }

  private struct Wait {
    var answer: @Sendable (Answer) -> Void
    var stand: (@Sendable (Standstill) -> Void)?
  }

  private struct State {
    var last: UInt64 = 0
    var waiting: [UInt64: Wait] = [:]
    /// The reason of the standstill; nil if there is none.
    var standstill: String?

    mutating func issue(_ wait: Wait) -> Ticket {
      last += 1
      waiting[last] = wait
      return Ticket(last)
    }
  }

  private let state = Mutex(State())

  /// A ticket for a call; `then` is called with the answer, on the turn loop's thread.
  func issue(_ then: @escaping @Sendable (Answer) -> Void) -> Ticket {
    state.withLock { $0.issue(Wait(answer: then)) }
  }

  /// A ticket for a call that is not left waiting: either `then` is called with the answer or `stand` with the
  /// standstill, once. Nil if `stand` was called already.
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

  /// Withdraws the ticket of a call that is answered without the supervisor. False if it was answered before.
  @discardableResult
  func withdraw(_ ticket: Ticket) -> Bool {
    state.withLock { $0.waiting.removeValue(forKey: ticket.rawValue) } != nil
  }

  /// Delivers an answer. It is ignored if the call was answered already.
  func redeem(_ ticket: Ticket, _ answer: Answer) {
    let wait = state.withLock { $0.waiting.removeValue(forKey: ticket.rawValue) }
    wait?.answer(answer)
  }

  /// Begins a standstill, and tells the calls that are not to wait.
  func stand(because reason: String) {
    let told = state.withLock { state in
      state.standstill = reason
      let told = state.waiting.filter { $0.value.stand != nil }
      for number in told.keys { state.waiting[number] = nil }
      return told.sorted { $0.key < $1.key }
    }
    for (_, wait) in told { wait.stand?(Standstill(reason: reason, isPending: true)) }
  }

  /// Ends the standstill.
  func goOn() { state.withLock { $0.standstill = nil } }
}
