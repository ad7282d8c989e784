import Foundation
import Synchronization

extension URLSession {
  /// Where a session's tasks are carried out.
  enum Home {
    case process(LocalCarrier)
    case daemon(Link)
  }

  var home: Home {
    if let local = carrier as? LocalCarrier { return .process(local) }
    guard let link = carrier as? Link else { preconditionFailure("a session is carried by \(carrier)") }
    return .daemon(link)
  }

  /// The carrier of tasks in this process. In a background session this ends the process with Apple's message.
  func local(else misuse: Misuse) -> LocalCarrier {
    switch home {
    case .process(let local): return local
    case .daemon: misuse.happened()
    }
  }

  /// The session's delegate, if it is one for tasks.
  var taskDelegate: (any URLSessionTaskDelegate)? { delegate as? any URLSessionTaskDelegate }
}

// A task's own delegate is called first; the protocols' defaults forward to the session's what it does not implement.
extension URLSessionTask {
  /// The task's own delegate; nil in a background session, which ignores it.
  private var ownDelegate: (any URLSessionTaskDelegate)? { session.carrier is LocalCarrier ? delegate : nil }

  /// The delegate that is told of the task.
  var toldDelegate: (any URLSessionTaskDelegate)? { ownDelegate ?? session.taskDelegate }

  /// Releases the task's own delegate after its last call.
  func releaseDelegate() { delegate = nil }
}

extension URLSessionDataTask {
  var dataDelegate: (any URLSessionDataDelegate)? {
    toldDelegate as? any URLSessionDataDelegate ?? session.delegate as? any URLSessionDataDelegate
  }
}

extension URLSessionDownloadTask {
  var downloadDelegate: (any URLSessionDownloadDelegate)? {
    toldDelegate as? any URLSessionDownloadDelegate ?? session.delegate as? any URLSessionDownloadDelegate
  }
}
