import Foundation
import NightjarWire
import Synchronization

// The daemon's facts as changes to the link's state.

/// What has to follow an answer, outside the lock.
struct Hearing {
  /// A session whose delegate may have to be called.
  var session: String?
  /// Calls to those who waited for the answer.
  var asks: [@Sendable () -> Void] = []
  /// Why the line must be closed and dialled again; nil if it stays.
  var drop: LineDropped?
  /// Whether there are new calls to send.
  var sends = false
}

extension LinkState {
  /// A task has ended. So the daemon has accepted it, even if its answer to the call has not arrived.
  mutating func hear(_ event: AppInterface.Ended) {
    guard let stage = sessions[event.session]?.stage, stage != .invalid else { return }
    guard !acknowledged.contains(event.number), held.insert(event.number).inserted else { return }
    accept(Int(event.task), of: event.session)
    sessions[event.session]?.tasks[Int(event.task)]?.facts.withLock { $0.isEnding = true }
    sessions[event.session]?.inbox.append(.ended(event))
  }

  /// A task asks a question. A repeated question is ignored.
  mutating func hear(_ question: AppInterface.Asked) {
    guard let stage = sessions[question.session]?.stage, stage != .invalid else { return }
    guard !acknowledged.contains(question.number), held.insert(question.number).inserted else { return }
    accept(Int(question.task), of: question.session)
    sessions[question.session]?.inbox.append(.asked(question))
  }

  /// All waiting events were sent. A new daemon may report that again.
  mutating func hearEventsFinished(of session: String) {
    guard wakes[session]?.isTold != true else { return }
    let isWaiting = sessions[session]?.waitsToTell { if case .eventsFinished = $0 { true } else { false } }
    if isWaiting == false { sessions[session]?.inbox.append(.eventsFinished) }
  }

  /// Handles the answer to the oldest call. If the answer makes us close the line, the call counts as unanswered and is
  /// repeated over the next line.
  mutating func hear(_ answer: Answer) -> Hearing {
    guard let pending = calls.oldest else { return Hearing() }
    let outcome = hear(answer, to: pending)
    if outcome.drop == nil {
      calls.answered()
      settleBadge()
    }
    return outcome
  }

  private mutating func hear(_ answer: Answer, to pending: CallQueue.Pending) -> Hearing {
    if case .refused(.notAttached) = answer { return Hearing(drop: LineDropped(detail: "the daemon forgot us")) }
    switch pending.call {
    case .openSession(let asked): return opened(asked.session, answer)
    case .listTasks(let asked): return listed(asked.session, answer)
    case .enqueue(let asked): return enqueued(asked, answer, pending)
    case .suspend(let asked): return struck(asked.session, pending.entry)
    case .resume(let asked): return struck(asked.session, pending.entry)
    case .update(let asked): return changed(asked, answer, pending.entry)
    case .cancel(let asked): return cancelled(asked, answer, pending.entry)
    case .cancelKeeping(let asked): return left(asked, answer, pending.entry)
    case .acknowledge(let asked): for number in asked.numbers { settle(number) }
    case .answer(let asked): return answered(asked, answer)
    case .reportDamage(let asked): held.remove(asked.number)
    case .beginTask(let asked): return begun(asked.task, answer)
    case .setView: return shown(answer)
    case .finishEvents, .forgetDecisions, .entered, .endTask, .ignoreSnapshot: break
    case .schedule, .cancelNotifications, .listNotifications, .setBadge, .takeNotification:
      if let entry = pending.entry { strike(entry) }
      return heard(pending.call, answer)
    case .setFetchInterval, .submit, .cancelRequests, .listRequests, .finishFetch, .finishTask:
      return errands.heard(pending.call, answer)
    case .closeSession(let asked): return closed(asked.session, answer, pending.entry)
    }
    return Hearing()
  }

  /// A change of a task that the daemon refuses is lost to a later life of the app, and nobody else would say so. Of a
  /// task that has ended meanwhile it is of no use.
  private mutating func changed(
    _ asked: AppInterface.UpdateTask.Parameters, _ answer: Answer, _ entry: OutboxEntry?
  ) -> Hearing {
    var hearing = struck(asked.session, entry)
    guard case .refused(let refusal) = answer, refusal != .noSuchTask, refusal != .sessionNotOpen else {
      return hearing
    }
    let words = "a change of task \(asked.task) of the session \(asked.session) is not kept: \(refusal.complaint)"
    hearing.asks.append { Console.warn(words) }
    return hearing
  }

  private mutating func settle(_ number: Int64) {
    held.remove(number)
    acknowledged.insert(number)
    if let file = spent.removeValue(forKey: number) { unlink(file) }
  }

  /// A question is answered. If the daemon cannot use the answer, the task is cancelled, since its delegate does not
  /// answer twice.
  private mutating func answered(_ asked: AppInterface.AnswerQuestion.Parameters, _ answer: Answer) -> Hearing {
    guard case .refused(let refusal) = answer, asked.decision.disposition != .cancel else {
      settle(asked.number)
      return Hearing()
    }
    calls.append(.answer(.init(number: asked.number, decision: .init(disposition: .cancel))))
    return Hearing(asks: [
      { Console.warn("a task is cancelled for what its delegate has answered: \(refusal.complaint)") }
    ])
  }

  /// A background task that is refused has no time left: its expiration handler is called, as on iOS.
  private mutating func begun(_ task: Int64, _ answer: Answer) -> Hearing {
    guard case .refused = answer, let expire = backgroundTasks.refuse(task) else { return Hearing() }
    return Hearing(asks: [{ DispatchQueue.main.async { expire() } }])
  }

  private mutating func opened(_ session: String, _ answer: Answer) -> Hearing {
    guard sessions[session] != nil else { return Hearing() }
    switch answer {
    case .opened(let reply):
      trying { () throws(FileTrouble) in try sessions[session]?.folder?.raise(to: Int(reply.nextTask)) }
      sessions[session]?.opened()
      calls.append(.listTasks(.init(session: session, after: 0)))
    case .refused(let refusal): return notOpened(session, refusal)
    case .listed, .done, .resumed, .left, .notifications, .requests: break
    }
    return Hearing()
  }

  /// The daemon has refused to open a session. While we hold the container's lock, a daemon that names another process
  /// has not yet noticed its end, so we try again a few times.
  private mutating func notOpened(_ session: String, _ refusal: Refusal) -> Hearing {
    let refusals = (sessions[session]?.refusals ?? 0) + 1
    sessions[session]?.refusals = refusals
    if case .sessionInUse = refusal, refusals < LinkLimits.openingsMax {
      return Hearing(drop: LineDropped(detail: "\(refusal)"))
    }
    guard let record = sessions[session] else { return Hearing() }
    let askers = sessions[session]?.listed() ?? []
    refuse(record.session, SessionFailure(refusal))
    return Hearing(session: session, asks: askers)
  }

  private mutating func listed(_ session: String, _ answer: Answer) -> Hearing {
    guard case .listed(let page) = answer, let record = sessions[session] else { return Hearing() }
    for task in page.tasks { learn(task, of: record.session) }
    guard page.complete || page.tasks.isEmpty else {
      calls.append(.listTasks(.init(session: session, after: page.tasks.last?.task ?? 0)))
      return Hearing()
    }
    missLost(of: session)
    let tasks = record.tasks.merging(sessions[session]?.tasks ?? [:]) { $1 }
    sessions[session]?.folder?.spool.sweep(keeping: Set(tasks.keys), Set(tasks.values.compactMap(\.kind.file)))
    let askers = sessions[session]?.listed() ?? []
    if let first = sessions[session]?.cancelsBelow { cancelAll(of: session, below: first) }
    closeIfDone(session)
    return Hearing(session: session, asks: askers)
  }

  private mutating func learn(_ listed: AppInterface.Task, of session: URLSession) {
    let (identifier, number) = (session.identifier, Int(listed.task))
    guard sessions[identifier]?.toldMeanwhile?.contains(number) != true else { return }
    accept(number, of: identifier)
    if let known = sessions[identifier]?.tasks[number] {
      known.facts.withLock { $0.noteCount(listed.count) }
    } else {
      sessions[identifier]?.tasks[number] = URLSessionTask.restored(listed, in: session)
    }
  }

  /// Ends tasks that the daemon had accepted and no longer has; the app is told, as on iOS.
  private mutating func missLost(of session: String) {
    guard let record = sessions[session] else { return }
    for task in record.sortedTasks where !record.named.contains(task.taskIdentifier) {
      let isLost = task.facts.withLock { $0.stage == .accepted && !$0.isEnding }
      guard isLost else { continue }
      end(task.taskIdentifier, of: session, with: SessionFailure(.backgroundSessionWasDisconnected, Self.lost))
    }
  }

  private static let lost = "Lost connection to background transfer service: the daemon no longer has the task"

  /// Cancels the tasks of an earlier life whose `invalidateAndCancel()` did not reach the daemon.
  private mutating func cancelAll(of session: String, below first: Int) {
    for task in sessions[session]?.sortedTasks ?? [] where task.taskIdentifier < first {
      if let deed = task.facts.withLock({ $0.cancel() }) { carryOut(deed, on: task) }
    }
    sessions[session]?.cancelsBelow = nil
    for entry in sessions[session]?.folder?.outbox.entries ?? [] {
      if case .closeSession = entry.call { strike(OutboxEntry(session: session, number: entry.number)) }
    }
  }

  /// The daemon has a task: strikes its entry out of the outbox, and does not repeat the call.
  private mutating func accept(_ task: Int, of session: String) {
    noteAccepted(task, of: session)
    guard let number = sessions[session]?.folder?.outbox.entry(ofTask: Int64(task)) else { return }
    let entry = OutboxEntry(session: session, number: number)
    strike(entry)
    calls.settle(entry)
  }

  /// Notes that the daemon has a task, even if a listing under way does not name it, since that may be older.
  private mutating func noteAccepted(_ task: Int, of session: String) {
    sessions[session]?.named.insert(task)
    sessions[session]?.tasks[task]?.facts.withLock { $0.stage = .accepted }
  }

  /// The daemon answers a repeated call as the first time, but need not remember what a transfer went on with that is
  /// under way: only the first answer can say that a download begins at its first byte.
  private mutating func enqueued(
    _ asked: AppInterface.Enqueue.Parameters, _ answer: Answer, _ pending: CallQueue.Pending
  ) -> Hearing {
    let (session, task) = (asked.session, Int(asked.task.task))
    switch answer {
    case .refused(.sessionNotOpen) where (sessions[session]?.stage ?? .invalid) != .invalid:
      return Hearing(drop: LineDropped(detail: "the daemon closed a session"))
    case .refused(let refusal):
      refused(task, of: session, refusal)
    case .resumed(let remnant):
      noteAccepted(task, of: session)
      resumed(task, of: session, at: remnant)
    case .opened, .listed, .done, .left, .notifications, .requests:
      noteAccepted(task, of: session)
      if !pending.isRepeated { sessions[session]?.tasks[task]?.facts.withLock { $0.resumption = nil } }
    }
    return struck(session, pending.entry)
  }

  /// A task that the daemon refused hands over what it was made with, unless that is why: it is still there.
  private mutating func refused(_ task: Int, of session: String, _ refusal: Refusal) {
    guard let facts = sessions[session]?.tasks[task]?.facts.withLock(\.self), !facts.isEnding else { return }
    var remnant = facts.remnant
    if case .invalidRequest("remnant", _) = refusal { remnant = nil }
    end(task, of: session, with: SessionFailure(refusal), leaving: remnant)
  }

  mutating func cancelled(
    _ asked: AppInterface.CancelTask.Parameters, _ answer: Answer, _ entry: OutboxEntry?
  ) -> Hearing {
    if case .refused = answer {
      let isOpen = sessions[asked.session]?.tasks[Int(asked.task)]?.facts.withLock { !$0.isEnding } ?? false
      if isOpen { end(Int(asked.task), of: asked.session, with: SessionFailure(.cancelled, "cancelled")) }
    }
    return struck(asked.session, entry)
  }

  private mutating func closed(_ session: String, _ answer: Answer, _ entry: OutboxEntry?) -> Hearing {
    var outcome = struck(session, entry)
    guard sessions[session]?.stage == .closing else { return outcome }
    if case .refused(.sessionHasTasks) = answer {
      sessions[session]?.stage = .finishing
      sessions[session]?.named = []
      sessions[session]?.toldMeanwhile = []
      calls.append(.listTasks(.init(session: session, after: 0)))
    } else {
      outcome.asks = sessions[session]?.listed() ?? []  // The session is not listed any more.
      end(session, with: nil)
    }
    return outcome
  }

  private mutating func struck(_ session: String, _ entry: OutboxEntry?) -> Hearing {
    if let entry { strike(entry) }
    return Hearing(session: session)
  }
}
