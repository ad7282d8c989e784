import Foundation

/// Who does what a session's tasks ask for: the daemon by way of the ``Link``, or FoundationNetworking in this process.
protocol Carrier: AnyObject, Sendable {
  /// Takes a session in.
  func open(_ session: URLSession)
  /// The number and the first facts of a new task; ends the process if the session has been invalidated.
  func newTask(of session: URLSession) -> (identifier: Int, facts: TaskFacts)
  /// Calls back with all tasks whose end has not been told, once they are known.
  func tellTasks(of session: URLSession, _ then: @escaping @Sendable ([URLSessionTask]) -> Void)
  func resume(_ task: URLSessionTask)
  func suspend(_ task: URLSessionTask)
  func cancel(_ task: URLSessionTask)
  /// Passes on what was changed about a task that is under way.
  func changed(_ task: URLSessionTask, _ change: TaskChange)
  /// Cancels a task and hands over what another can go on with.
  func cancelKeeping(_ task: URLSessionTask, _ then: @escaping @Sendable (Data?) -> Void)
  /// Ends a session, at once or when its tasks have ended.
  func invalidate(_ session: URLSession, cancelling: Bool)
  /// Lets go of what a session remembers from one request to the next, then calls back on the delegate queue.
  func reset(_ session: URLSession, _ then: @escaping @Sendable () -> Void)
}

/// What an app may change about a task at any time.
enum TaskChange: Hashable, Sendable {
  case label(String?)
  case priority(Float)
  case earliestBegin(Date?)
  case guessToSend(Int64)
  case guessToReceive(Int64)
}

extension Link: Carrier {
  /// The daemon remembers nothing for a session that would have to be emptied; its cookies are the app's.
  func reset(_ session: URLSession, _ then: @escaping @Sendable () -> Void) {
    session.ownSettings.forgetEverything()
    session.delegateQueue.addOperation(then)
  }
}
