import Foundation
import NightjarWire
import Synchronization

/// Carries out a session's tasks: the daemon through the ``Link``, or FoundationNetworking in this process.
protocol Carrier: AnyObject, Sendable {
  /// Opens a session.
  func open(_ session: URLSession)
  /// Returns the number and the first facts of a new task. Ends the process if the session has been invalidated.
  func newTask(of session: URLSession) -> (identifier: Int, facts: TaskFacts)
  /// Calls back with all tasks whose end has not been reported, once they are known.
  func tellTasks(of session: URLSession, _ then: @escaping @Sendable ([URLSessionTask]) -> Void)
  func resume(_ task: URLSessionTask)
  func suspend(_ task: URLSessionTask)
  func cancel(_ task: URLSessionTask)
  /// Passes on a change of a task that has begun.
  func changed(_ task: URLSessionTask, _ change: TaskChange)
  /// Cancels a task, and calls back with its resume data.
  func cancelKeeping(_ task: URLSessionTask, _ then: @escaping @Sendable (Data?) -> Void)
  /// Ends a session, at once or when its tasks have ended.
  func invalidate(_ session: URLSession, cancelling: Bool)
  /// Empties a session's stores of cookies, credentials and responses, then calls back on the delegate queue.
  func reset(_ session: URLSession, _ then: @escaping @Sendable () -> Void)
}

/// A change that an app makes to a task, at any time.
enum TaskChange: Hashable, Sendable {
  case label(String?)
  case priority(Float)
  case earliestBegin(Date?)
  case guessToSend(Int64)
  case guessToReceive(Int64)
}

extension Link: Carrier {
  /// Empties the session's stores in the app, and has the daemon forget what delegates have decided for the session.
  /// That is on its way before the app can ask for anything else; a daemon that has not received it has died, and its
  /// memory with it. One that is out of reach is told once, however often the session is reset meanwhile.
  func reset(_ session: URLSession, _ then: @escaping @Sendable () -> Void) {
    session.ownSettings.forgetEverything()
    state.withLock { state in
      guard let record = state.sessions[session.identifier], record.refusal == nil else { return }
      let call = Call.forgetDecisions(.init(session: session.identifier))
      state.calls.withdraw { $0 == call }
      state.calls.append(call)
    }
    flush()
    session.delegateQueue.addCall(then)
  }
}
