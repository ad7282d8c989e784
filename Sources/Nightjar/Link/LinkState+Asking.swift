import Foundation
import NightjarModel
import NightjarWire
import Synchronization

// The app's calls as changes to the link's state.

extension LinkState {
  /// Makes a session's record from its folder. Returns the leavings of a refused record that it replaces.
  mutating func takeIn(_ session: URLSession, at place: Place) -> SessionRecord.Leavings? {
    let identifier = session.identifier
    let leavings = sessions[identifier]?.leavings
    sessions[identifier] = nil
    do throws(SessionFolder.Trouble) {
      let folder = try SessionFolder(of: identifier, in: place)
      if nextTask > 1 { trying { () throws(FileTrouble) in try folder.raise(to: nextTask) } }
      sessions[identifier] = SessionRecord(session: session, folder: folder)
      if let delegate = session.delegate, let known = LearnedAsks(from: folder.learned, of: delegate) {
        sessions[identifier]?.asks = known.asks
      }
      replay(folder.outbox.entries, of: identifier)
    } catch { refuse(session, SessionFailure(error)) }
    return leavings
  }

  /// Marks a session as unusable: its present and later tasks fail.
  mutating func refuse(_ session: URLSession, _ failure: SessionFailure) {
    let identifier = session.identifier
    for entry in sessions[identifier]?.folder?.outbox.entries ?? [] {
      strike(OutboxEntry(session: identifier, number: entry.number))
    }
    if sessions[identifier] == nil { sessions[identifier] = SessionRecord(session: session, folder: nil) }
    sessions[identifier]?.refuse(failure)
    end(identifier, with: failure)
  }

  /// Takes an unused number for a task of a refused session.
  mutating func strayNumber(of session: String) -> Int {
    guard let record = sessions[session] else { return 1 }
    let number = SessionFolder.after(max(record.strayLast, record.tasks.keys.max() ?? 0))
    sessions[session]?.strayLast = number
    return number
  }

  /// Repeats calls of an earlier life that the daemon has not accepted, after the call that opens the session.
  private mutating func replay(_ entries: [(number: Int, call: Call)], of identifier: String) {
    guard let record = sessions[identifier] else { return }
    if phase == .up { calls.append(.openSession(opening(of: record))) }
    if phase == .down { record.settled.open() }
    for entry in entries {
      if case .closeSession(let asked) = entry.call {
        putOffClosing(asked, entry.number)
      } else {
        calls.append(entry.call, entry: OutboxEntry(session: identifier, number: entry.number))
      }
      restore(entry.call, of: record.session)
    }
  }

  /// Keeps a session open that an earlier life has ended and this one has created again; only the earlier life's tasks
  /// are cancelled.
  private mutating func putOffClosing(_ asked: AppInterface.CloseSession.Parameters, _ number: Int) {
    let first = sessions[asked.session]?.folder?.nextTask
    if asked.cancel { sessions[asked.session]?.cancelsBelow = first }
    if !asked.cancel { strike(OutboxEntry(session: asked.session, number: number)) }
  }

  private mutating func restore(_ call: Call, of session: URLSession) {
    let identifier = session.identifier
    switch call {
    case .enqueue(let asked):
      sessions[identifier]?.tasks[Int(asked.task.task)] = URLSessionTask.restored(asked.task, in: session)
    case .suspend(let asked):
      sessions[identifier]?.tasks[Int(asked.task)]?.facts.withLock { _ = $0.suspend() }
    case .resume(let asked):
      sessions[identifier]?.tasks[Int(asked.task)]?.facts.withLock { _ = $0.resume() }
    case .cancel(let asked):
      sessions[identifier]?.tasks[Int(asked.task)]?.facts.withLock { _ = $0.cancel() }
    case .update(let asked):
      sessions[identifier]?.tasks[Int(asked.task)]?.facts.withLock { $0.take(asked) }
    case .cancelKeeping(let asked):
      sessions[identifier]?.tasks[Int(asked.task)]?.facts.withLock { _ = $0.cancel() }
    case .closeSession, .openSession, .listTasks, .acknowledge, .reportDamage, .answer, .finishEvents,
      .forgetDecisions, .entered, .beginTask, .endTask, .setView, .ignoreSnapshot, .schedule, .cancelNotifications,
      .listNotifications, .setBadge, .takeNotification, .setFetchInterval, .submit, .cancelRequests, .listRequests,
      .finishFetch, .finishTask:
      break
    }
  }

  /// Carries out a deed of a task's facts.
  mutating func carryOut(_ deed: TaskFacts.Deed, on task: URLSessionTask) {
    let (session, number) = (task.session.identifier, Int64(task.taskIdentifier))
    guard let record = sessions[session] else { return }
    if let failure = record.refusal ?? (deed == .enqueue ? record.cancellation ?? task.misfit : nil) {
      return end(task.taskIdentifier, of: session, with: failure)
    }
    switch deed {
    case .enqueue: enqueue(task)
    case .suspend: askAnyway(.suspend(.init(session: session, task: number)), of: session)
    case .resume: askAnyway(.resume(.init(session: session, task: number)), of: session)
    case .cancel: askAnyway(.cancel(.init(session: session, task: number)), of: session)
    case .spool: preconditionFailure("task \(number) is written down under the lock")
    case .endHere: end(task.taskIdentifier, of: session, with: SessionFailure(.cancelled, "cancelled"))
    }
  }

  /// Queues a task. A task that cannot be written to the outbox would not survive the process, so it fails.
  private mutating func enqueue(_ task: URLSessionTask) {
    let session = task.session.identifier
    do throws(FileTrouble) {
      try ask(.enqueue(.init(session: session, task: task.order(key: .random()))), of: session)
    } catch {
      end(task.taskIdentifier, of: session, with: SessionFailure(.cannotWriteToFile, "\(error)"))
    }
  }

  /// Ends a task without the daemon. The remnant is what another task can go on with.
  mutating func end(
    _ task: Int, of session: String, with failure: SessionFailure, leaving remnant: AppInterface.Remnant? = nil
  ) {
    let isFirst = sessions[session]?.tasks[task]?.facts.withLock { facts in
      defer { facts.isEnding = true }
      return !facts.isEnding
    }
    guard isFirst == true else { return }
    sessions[session]?.inbox.append(.endedHere(task: task, failure: failure, remnant: remnant))
  }

  /// Asks the daemon to forget a session.
  mutating func close(_ session: String, cancelling: Bool) {
    sessions[session]?.stage = .closing
    askAnyway(.closeSession(.init(session: session, cancel: cancelling)), of: session)
  }

  /// Closes a session that only waited for its tasks.
  mutating func closeIfDone(_ session: String) {
    guard let record = sessions[session], record.stage == .finishing, record.isListed, record.tasks.isEmpty else {
      return
    }
    close(session, cancelling: false)
  }

  /// Ends a session: first its tasks, then the session itself.
  mutating func end(_ session: String, with failure: SessionFailure?) {
    sessions[session]?.stage = .invalid
    for task in (sessions[session]?.tasks.keys).map({ $0.sorted() }) ?? [] {
      end(task, of: session, with: failure ?? SessionFailure(.cancelled, "cancelled"))
    }
    sessions[session]?.inbox.append(.invalidated(failure))
    calls.forget(session)
  }

  /// Tells the daemon that the app has handled a session's events, once its completion handler was called and all
  /// events were delivered.
  mutating func finishWakeIfDone(_ session: String) {
    guard let wake = wakes[session], wake.isHandled, wake.isTold || sessions[session] == nil else { return }
    wakes[session] = nil
    calls.append(.finishEvents(.init(session: session)))
  }
}

extension SessionRecord {
  /// The failure of a task that is resumed for the first time while its session closes; nil otherwise.
  fileprivate var cancellation: SessionFailure? {
    stage == .closing ? SessionFailure(.cancelled, "cancelled") : nil
  }
}

extension SessionFailure {
  /// The failure of a session whose folder cannot be opened.
  init(_ trouble: SessionFolder.Trouble) {
    switch trouble {
    case .inUse: self.init(.backgroundSessionInUseByAnotherProcess, "another process of the app has the session")
    case .unusable(let why): self.init(.cannotCreateFile, "\(why)")
    }
  }
}

extension RequestKey {
  /// Makes a unique key.
  static func random() -> RequestKey { RequestKey(high: .random(in: .min ... .max), low: .random(in: .min ... .max)) }
}
