import Foundation
import FoundationNetworking
import Synchronization

// Uploads of data and of streams: their bytes go to the session's folder first, and then the task is queued.
extension Link {
  /// A path for the bytes of a task; empty if another process has the session, so that the task fails when it is
  /// resumed.
  func spool(of session: URLSession) -> Spool? { state.withLock { $0.sessions[session.identifier]?.folder?.spool } }

  /// Writes down what a task sends, and goes on with it. Data is safe when this returns; a stream when it has been
  /// read.
  func spool(_ task: URLSessionTask) {
    guard let source = task.facts.withLock({ $0.source }), let spool = spool(of: task.session) else {
      return spooled(task, nil)
    }
    switch source {
    case .data(let data):
      spooled(task, Self.trouble { () throws(Spool.Trouble) in try spool.write(data, ofTask: task.taskIdentifier) })
    case .stream:
      let presence = Presence(in: handlers)
      task.session.delegateQueue.addCall { self.askForStream(of: task, into: spool, presence) }
    }
  }

  private func askForStream(of task: URLSessionTask, into spool: Spool, _ presence: Presence) {
    let reply = Once<LocalStream> { answer in
      DispatchQueue.global().async {
        let stream = answer.stream ?? task.originalRequest?.httpBodyStream
        self.spooled(task, Self.trouble { () throws(Spool.Trouble) in try Self.write(stream, of: task, into: spool) })
        presence.end()
      }
    }
    guard task.isSpooling, let delegate = task.session.taskDelegate else { return reply.give(LocalStream(stream: nil)) }
    delegate.urlSession(task.session, task: task, needNewBodyStream: { reply.give(LocalStream(stream: $0)) })
  }

  private static func write(_ stream: InputStream?, of task: URLSessionTask, into spool: Spool) throws(Spool.Trouble) {
    guard task.isSpooling else { throw .unwanted }
    guard let stream else { throw .noStream }
    try spool.write(stream, ofTask: task.taskIdentifier) { task.isSpooling }
  }

  private func spooled(_ task: URLSessionTask, _ trouble: Spool.Trouble?) {
    guard let trouble else { return carryOut(task) { $0.spooled() } }
    state.withLock { $0.end(task.taskIdentifier, of: task.session.identifier, with: trouble.failure) }
    tell(task.session.identifier)
  }

  private static func trouble(_ deed: () throws(Spool.Trouble) -> Void) -> Spool.Trouble? {
    do throws(Spool.Trouble) { try deed() } catch { return error }
    return nil
  }
}

extension URLSessionTask {
  /// Whether what it sends is being written down, and is still wanted.
  fileprivate var isSpooling: Bool {
    facts.withLock { $0.stage == .spooling && !$0.isEnding && ($0.state == .running || $0.state == .suspended) }
  }
}
