import Nightjar
import NightjarCore
import NightjarModel
import NightjarSimulator
import NightjarWire

// The facts that the app is told.
extension Theatre.State {
  /// Takes the facts for the app, in order; the other cues wait for `Performance`.
  mutating func takeFacts(for app: AppID) -> [Fact] {
    _ = director.takeBegunVisits()  // The supervisor tells the app of its visits.
    var facts = refused
    refused = []
    for cue in director.takeCues() {
      switch cue {
      case .attached(_, let answer): if let fact = attached(answer, app) { facts.append(fact) }
      case .told(_, let message): facts.append(told(message, app))
      case .answered(let ticket, let answer): if let fact = answered(ticket, answer) { facts.append(fact) }
      case .begun(let order):
        transfers.begin(order.id, at: now)
        cues.append(cue)
      case .transferEnded(let id, let outcome): transfers.end(id, outcome, at: now)
      case .discarded(let id):
        transfers.drop(id, at: now)
        cues.append(cue)
      case .launched, .suspended, .thawed, .ending, .ended, .photographed, .shown, .noted, .requested, .arrived:
        cues.append(cue)
      }
    }
    return facts.filter { !hold($0) }
  }

  /// Whether a fact has to wait: events come in order, after `handleEvents`, as on a device. Answers come over another
  /// connection.
  private mutating func hold(_ fact: Fact) -> Bool {
    switch fact {
    case .attached, .answered, .dropped: return false
    case .handleEvents, .progressed, .informed, .ended, .asked, .standing, .notified, .moved, .sent, .eventsFinished:
      let waits = held != nil
      if waits { held?.append(fact) } else if case .handleEvents = fact { held = [] }
      return waits
    }
  }

  /// Releases the held facts up to the next `handleEvents`; nil if nothing is held.
  mutating func release() -> [Fact]? {
    guard let waiting = held else { return nil }
    held = nil
    return waiting.filter { !hold($0) }
  }

  private mutating func attached(_ answer: NightjarCore.Answer, _ app: AppID) -> Fact? {
    guard case .attached(let life, let isBackground, let transition, let standing, let noticed) = answer else {
      return nil
    }
    if let transition { debts.insert(.entering(transition)) }
    return .attached(
      AppInterface.Attached(
        app, life: life, isBackground: isBackground, transition: transition, standing, noticed))
  }

  private mutating func answered(_ ticket: Ticket, _ answer: NightjarCore.Answer) -> Fact? {
    guard let call = calls.removeValue(forKey: ticket) else { return nil }
    switch (call, answer) {
    case (.beginTask(let asked), .refused): debts.remove(.work(asked.task))
    case (.enqueue(let asked), .accepted(let id)), (.enqueue(let asked), .resumed(let id, _)):
      transfers.queue(asked.task, in: asked.session, as: id, at: now)
    case (.setView(let asked), .done):
      view = asked.html
      see(.view, asked.html)
    default: break
    }
    return .answered(Nightjar.Answer(answer, to: call))
  }

  private mutating func told(_ message: Message, _ app: AppID) -> Fact {
    switch message {
    case .enterBackground(let number, _): debts.insert(.entering(number))
    case .performFetch(let number, _): debts.insert(.fetch(number))
    case .performRequestedTask(let number, let kind, let identifier, _):
      debts.insert(.task(number))
      tasks.begin(number, kind == .processing ? .processing : .refresh, identifier, at: now)
    // Its expiration handler may complete it, though patience with the work has run out.
    case .expireRequestedTask(let number): if tasks.isUnderWay(number) { debts.insert(.task(number)) }
    case .noticed(let noticed): debts.insert(.notice(noticed.id.rawValue))
    case .handleEvents(let session): debts.insert(.events(session))
    case .asked(let asked): debts.insert(.question(asked.number))
    case .ended(let ended):
      debts.insert(.ending(ended.number))
      transfers.tell(ended)
    default: break
    }
    guard let fact = Fact(message.reply) else { preconditionFailure("the library does not know \(message)") }
    return fact
  }
}
