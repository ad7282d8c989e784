import Foundation
import FoundationNetworking
import NightjarModel
import NightjarWire
import Synchronization

// What the app asks for. Each returns when it is written to the outbox and, if there is a line, to the socket.
extension Link {
  /// The session of this identifier that this process has open.
  func session(_ identifier: String) -> URLSession? {
    state.withLock { $0.sessions[identifier].flatMap { $0.refusal == nil ? $0.session : nil } }
  }

  /// Takes a session in, with what an earlier life of the app left in its outbox.
  func open(_ session: URLSession) {
    let identifier = session.identifier
    let (isKnown, leavings): (Bool, SessionRecord.Leavings?) = state.withLock { state in
      guard state.sessions[identifier].map({ $0.refusal != nil }) ?? true else { return (true, nil) }
      return (false, state.takeIn(session, at: place))
    }
    withExtendedLifetime(leavings) {}  // Without it, an optimized build releases them under the lock.
    guard !isKnown else { return Console.warn("A background URLSession with identifier \(identifier) already exists!") }
    start()
    flush()
    tell(identifier)
  }

  /// The number and the first facts of a new task. Waits until it is known which numbers are free.
  func newTask(of session: URLSession) -> (identifier: Int, facts: TaskFacts) {
    let settled = state.withLock { state in
      guard !session.isOver, let record = state.sessions[session.identifier] else { return nil as Latch? }
      return record.stage == .valid || record.refusal != nil ? record.settled : nil
    }
    guard let settled else { Misuse.invalidated.happened() }
    settled.wait(atMost: patience)
    return takeNumber(of: session.identifier)
  }

  /// A session that another process has gives out numbers, too, and so does one on a full disk: such tasks fail when
  /// they are resumed.
  private func takeNumber(of session: String) -> (identifier: Int, facts: TaskFacts) {
    state.withLock { state in
      var facts = TaskFacts()
      guard let folder = state.sessions[session]?.folder else { return (state.strayNumber(of: session), facts) }
      let (number, trouble) = folder.takeNumber()
      facts.trouble = trouble.map { SessionFailure(.cannotWriteToFile, "the task's number cannot be kept: \($0)") }
      return (number, facts)
    }
  }

  /// Takes a new task in.
  func keep(_ task: URLSessionTask) {
    state.withLock { $0.sessions[task.session.identifier]?.tasks[task.taskIdentifier] = task }
  }

  /// Calls back with all tasks, once they are known.
  func tellTasks(of session: URLSession, _ then: @escaping @Sendable ([URLSessionTask]) -> Void) {
    let tasks: [URLSessionTask]? = state.withLock { state in
      guard !session.isOver, let record = state.sessions[session.identifier] else { return [] }
      if record.isListed { return record.sortedTasks }
      state.sessions[session.identifier]?.askers.append(then)
      return nil
    }
    if let tasks { then(tasks) }
  }

  func resume(_ task: URLSessionTask) { carryOut(task) { $0.resume() } }
  func suspend(_ task: URLSessionTask) { carryOut(task) { $0.suspend() } }
  func cancel(_ task: URLSessionTask) { carryOut(task) { $0.cancel() } }

  func carryOut(_ task: URLSessionTask, _ wish: (inout TaskFacts) -> TaskFacts.Deed?) {
    let spools = task.watch.lookAgain {
      state.withLock { state in
        guard let deed = task.facts.withLock({ wish(&$0) }) else { return false }
        if deed != .spool { state.carryOut(deed, on: task) }
        return deed == .spool
      }
    }
    if spools { spool(task) }
    flush()
    tell(task.session.identifier)
  }

  /// Ends a session, at once or when its tasks have ended.
  func invalidate(_ session: URLSession, cancelling: Bool) {
    let identifier = session.identifier
    guard !session.isOver else { return }
    state.withLock { state in
      guard state.sessions[identifier]?.stage == .valid || state.sessions[identifier]?.stage == .finishing else {
        return
      }
      state.sessions[identifier]?.stage = .finishing
      if cancelling { state.close(identifier, cancelling: true) } else { state.closeIfDone(identifier) }
    }
    flush()
    tell(identifier)
  }

  /// Names who hears that a session wants to be opened. Without anybody the process is a program, whose sessions are
  /// told without being asked for.
  func onWake(_ handler: @escaping @Sendable (_ session: String) -> Void) {
    state.withLock { $0.wakeHandler = handler }
  }

  /// The app was given a completion handler for a session's events, which it wants to have when it hears that all were
  /// told.
  func called(_ session: String) {
    state.withLock { $0.wakes[session]?.isCalled = true }
    tell(session)
  }

  /// The app has called the completion handler it was given for a session.
  func handled(_ session: String) {
    state.withLock { state in
      state.wakes[session]?.isHandled = true
      state.finishWakeIfDone(session)
    }
    flush()
  }
}
