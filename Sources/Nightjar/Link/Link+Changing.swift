import Foundation
import NightjarWire
import Synchronization

// Changes that an app makes to a task after it was resumed.
extension Link {
  /// Asks the daemon to keep a change, if it may have the task already; otherwise the change goes with the task.
  func changed(_ task: URLSessionTask, _ change: TaskChange) {
    let isAsked = state.withLock { state in
      let isWithDaemon = task.facts.withLock { ($0.stage == .asked || $0.stage == .accepted) && !$0.isEnding }
      guard isWithDaemon, state.sessions[task.session.identifier]?.refusal == nil else { return false }
      state.askAnyway(.update(change.parameters(of: task)), of: task.session.identifier)
      return true
    }
    if isAsked { flush() }
  }
}

extension TaskChange {
  fileprivate func parameters(of task: URLSessionTask) -> AppInterface.UpdateTask.Parameters {
    var asked = AppInterface.UpdateTask.Parameters(
      session: task.session.identifier, task: Int64(task.taskIdentifier))
    switch self {
    case .label(let label): asked.label = label ?? ""
    case .priority(let priority): asked.priority = Double(priority)
    case .earliestBegin(let date): asked.earliestBegin = date?.nanosecondsSince1970 ?? 0
    case .guessToSend(let count): asked.expectedToSend = count
    case .guessToReceive(let count): asked.expectedToReceive = count
    }
    return asked
  }
}

extension TaskFacts {
  /// Applies a change that an earlier life of the app made and the daemon has not answered.
  mutating func take(_ asked: AppInterface.UpdateTask.Parameters) {
    if let new = asked.label { label = new.isEmpty ? nil : new }
    if let new = asked.priority { priority = Float(new) }
    if let new = asked.earliestBegin { earliestBeginDate = new > 0 ? Date(nanoseconds: new) : nil }
    guessToSend = asked.expectedToSend ?? guessToSend
    guessToReceive = asked.expectedToReceive ?? guessToReceive
  }
}
