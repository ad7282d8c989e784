import Foundation
import FoundationNetworking
import NightjarWire
import Synchronization

// From events to delegate calls, and from their returns to acknowledgements: the promise of the library in one place.
//
// A session's delegate is told one thing at a time, in the order it happened, on its delegate queue. When the last call
// about an event has returned, and not before, the event is acknowledged; only then is the next one told. A file is a
// file of the app's own by the time the delegate sees it, and was compared with its stamp before.
//
// What waits is told in one operation on the delegate's queue for as long as nothing has to be waited for: an operation
// for each would cost more than the telling. After so many the queue is free for others.
extension Link {
  /// Tells a session's delegate what waits, unless it is being told something already.
  func tell(_ session: String) {
    guard var telling = state.withLock({ $0.nextTelling(of: session) }) else { return }
    telling.presence = Presence(in: handlers)
    begin(telling)
  }

  func begin(_ telling: Telling) {
    telling.session.delegateQueue.addCall {
      self.departure.unlessOver { self.tell(telling, left: LinkLimits.tellingsAtOnce) }
    }
  }

  /// Tells one thing and then what follows it. Runs on the delegate's queue, as does what it calls.
  private func tell(_ telling: Telling, left: Int) {
    switch telling.what {
    case .ended(let event): handOver(event, telling, left)
    case .asked(let question): put(question, telling, left)
    case .progressed, .informed, .resumed, .endedHere, .eventsFinished: call(telling, file: nil, left)
    case .invalidated: part(telling, left)
    }
  }

  /// Notes what follows from what was told, sends it, and only then tells the next thing. That may be about a session
  /// that was created anew meanwhile, with a queue of its own.
  func goOn(_ telling: Telling, _ left: Int, noting note: (inout LinkState) -> Void) {
    let next = state.withLock { state in
      note(&state)
      return state.nextTelling(of: telling.session.identifier)
    }
    flush()
    defer { telling.presence?.end() }
    guard var next, !departure.isOver else { return }
    next.presence = Presence(in: handlers)
    let isSame = next.session === telling.session
    if left > 1, isSame, !next.session.delegateQueue.isSuspended { tell(next, left: left - 1) } else { begin(next) }
  }

  /// Calls the delegate; what follows comes when the call has returned.
  func call(_ telling: Telling, file: String?, _ left: Int) {
    telling.run(file: file) {
      if let file { unlink(file) }
      self.goOn(telling, left) { $0.told(telling) }
    }
  }

  /// Tells the last about a session. It is forgotten before, for its delegate may create it again in this call.
  private func part(_ telling: Telling, _ left: Int) {
    let leavings = state.withLock { $0.forget(telling) }
    telling.run(file: nil) {
      if leavings != nil { telling.session.releaseDelegate() }
      self.goOn(telling, left) { $0.told(telling) }
    }
  }

  /// Puts a question to the delegate. It may take its time; what else there is to tell is told meanwhile.
  private func put(_ question: AppInterface.Asked, _ telling: Telling, _ left: Int) {
    let asks = state.withLock { $0.sessions[question.session]?.asks } ?? AppInterface.Asks()
    telling.ask(question, asks: asks) { self.answer(question, of: telling.session, $0) }
    goOn(telling, left) { $0.told(telling) }
  }

  /// The delegate has answered. Not kept in the outbox: a daemon that dies before it has the answer asks again.
  private func answer(_ question: AppInterface.Asked, of session: URLSession, _ answer: QuestionAnswer) {
    state.withLock { state in
      var asks = answer.asks
      if let fewer = asks, state.has(session) { asks = state.learn(fewer, of: question.session) }
      state.calls.append(.answer(.init(number: question.number, decision: answer.decision, asks: asks)))
    }
    flush()
  }
}

extension LinkState {
  /// Takes the next thing out of a session's inbox.
  fileprivate mutating func nextTelling(of session: String) -> Telling? {
    if wakes[session]?.isCalled == false, case .eventsFinished? = sessions[session]?.inbox.elements.first { return nil }
    // Changed in place: a copy of the record would make every change copy the whole inbox.
    return sessions[session]?.nextTelling()
  }

  /// A session's delegate leaves something out: it is not asked again, in no later life either. Returns all that it is
  /// still asked: another answer may have come since the question was put.
  fileprivate mutating func learn(_ fewer: AppInterface.Asks, of session: String) -> AppInterface.Asks {
    let asks = sessions[session]?.asks.both(fewer) ?? fewer
    sessions[session]?.asks = asks
    guard let record = sessions[session], let folder = record.folder, let delegate = record.session.delegate else {
      return asks
    }
    trying { () throws(FileTrouble) in try LearnedAsks(asks, of: delegate).write(to: folder.learned) }
    return asks
  }

  /// Whether a session is open, and not just another of its identifier.
  func has(_ session: URLSession) -> Bool { sessions[session.identifier]?.session === session }

  /// Notes what follows from a delegate having been told.
  fileprivate mutating func told(_ telling: Telling) {
    let session = telling.session.identifier
    if has(telling.session) { noteTold(telling) }
    switch telling.what {
    case .progressed, .informed, .resumed: break
    case .ended(let event): calls.append(.acknowledge(.init(numbers: [event.number])))
    case .endedHere, .asked: break
    case .eventsFinished:
      wakes[session]?.isTold = true
      finishWakeIfDone(session)
    case .invalidated: finishWake(of: telling.session)
    }
    closeIfDone(session)
  }

  private mutating func noteTold(_ telling: Telling) {
    let session = telling.session.identifier
    sessions[session]?.isTelling = false
    spend(telling)
    if telling.what.isEnd, let task = telling.what.task { sessions[session]?.forgetTask(task) }
  }

  /// A session has heard the last: one that was created anew meanwhile is not what the app was woken for, whether it
  /// has called its completion handler yet or not. Of one that was refused no event will come.
  private mutating func finishWake(of session: URLSession) {
    guard !has(session) || sessions[session.identifier]?.refusal != nil else { return }
    wakes[session.identifier]?.isTold = true
    finishWakeIfDone(session.identifier)
  }

  /// What an upload sent is not needed any more, once the daemon knows that its end was told. One that ends without the
  /// daemon may not have used its resume data up: a copy that such data names is left to the sweep.
  private mutating func spend(_ telling: Telling) {
    guard case .upload(let file)? = telling.task?.kind, let spool = sessions[telling.session.identifier]?.folder?.spool,
      spool.holds(file)
    else { return }
    switch telling.what {
    case .ended(let event): if event.remnant == nil { spent[event.number] = file }
    case .endedHere: if !spool.isKept(file) { unlink(file) }
    case .progressed, .informed, .resumed, .asked, .eventsFinished, .invalidated: break
    }
  }

  /// The last is told about a session; hands back what is left of it. One that was refused keeps its delegate: its
  /// tasks still fail one by one.
  fileprivate mutating func forget(_ telling: Telling) -> SessionRecord.Leavings? {
    let session = telling.session.identifier
    guard has(telling.session), sessions[session]?.refusal == nil else { return nil }
    let leavings = sessions[session]?.leavings
    if let folder = sessions[session]?.folder {
      nextTask = max(nextTask, folder.nextTask)
      folder.remove()
    }
    sessions[session] = nil
    telling.session.isOver = true
    return leavings
  }
}
