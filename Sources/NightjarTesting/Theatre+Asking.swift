import Nightjar
import NightjarCore
import NightjarModel
import NightjarSimulator
import NightjarWire

// The app's calls.
extension Theatre.State {
  mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
    defer { waiting = nil }
    return waiting
  }

  /// Passes a call to the supervisor. A call that the supervisor cannot take is refused at once.
  mutating func ask(_ call: Call, by app: AppID) {
    if case .enqueue = call, !hasServer { return refuse(.noServer(advice: Self.advice)) }
    do throws(AppInterface.InvalidRequest) {
      let asked = try AppCall(call, number: Int64(callCount), of: app)
      guard let ticket = director.stage.ask(asked, by: app) else { return refuse(.notAttached) }
      calls[ticket] = call
    } catch { refuse(.invalidRequest(field: error.field, reason: error.reason)) }
  }

  private static let advice = "nothing stands in for the servers of background sessions: set AppSimulation.server"

  private mutating func refuse(_ refusal: Nightjar.Refusal) { refused.append(.answered(.refused(refusal))) }

  /// Notes a call in the books: the debt that it settles or incurs.
  mutating func note(_ call: Call) {
    switch call {
    case .entered(let asked): debts.remove(.entering(asked.number))
    case .finishFetch(let asked):
      debts.remove(.fetch(asked.number))
      director.finish(asked.number, FetchOutcome(asked.outcome))
    case .finishTask(let asked):
      debts.remove(.task(asked.number))
      tasks.end(asked.number, isSuccess: asked.success, at: now)
    case .beginTask(let asked): debts.insert(.work(asked.task))
    case .endTask(let asked): debts.remove(.work(asked.task))
    case .takeNotification(let asked): debts.remove(.notice(asked.number))
    case .acknowledge(let asked):
      for number in asked.numbers {
        debts.remove(.ending(number))
        transfers.told(number, at: now)
      }
    case .reportDamage(let asked): debts.remove(.ending(asked.number))
    case .answer(let asked): debts.remove(.question(asked.number))
    case .finishEvents(let asked): debts.remove(.events(asked.session))
    default: break
    }
  }

  /// Records something that a person could see.
  mutating func see(_ kind: AppHistory.Sight.Kind, _ text: String) {
    shown.append(.init(at: now, kind: kind, text: text))
  }

  /// The time in the simulation.
  var now: AppHistory.Moment { director.chronicle.moment(director.stage.now) }
}
