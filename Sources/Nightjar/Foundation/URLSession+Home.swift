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

  /// Who carries tasks in this process; a background session refuses in Apple's words.
  func local(else misuse: Misuse) -> LocalCarrier {
    switch home {
    case .process(let local): return local
    case .daemon: misuse.happened()
    }
  }

  /// The session's delegate, if it hears of tasks.
  var taskDelegate: (any URLSessionTaskDelegate)? { delegate as? any URLSessionTaskDelegate }
}

// A task's own delegate hears first; the protocols' defaults hand on what it leaves out.
extension URLSessionTask {
  /// The task's own delegate, where it counts.
  private var ownDelegate: (any URLSessionTaskDelegate)? { session.carrier is LocalCarrier ? delegate : nil }

  /// Who hears of the task.
  var toldDelegate: (any URLSessionTaskDelegate)? { ownDelegate ?? session.taskDelegate }

  /// Lets the task's own delegate go: the task has told it the last.
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
