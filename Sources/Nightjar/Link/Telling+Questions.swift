import Foundation
import FoundationNetworking
import NightjarWire
import Synchronization

// Questions to a delegate. Its method is called on the delegate queue. It may answer once, at any time, from any
// thread; meanwhile other events are delivered.
extension Telling {
  /// Asks the delegate a question. `answer` is called once.
  func ask(
    _ question: AppInterface.Asked, asks: AppInterface.Asks,
    answer: @escaping @Sendable (QuestionAnswer) -> Void
  ) {
    let answer = Once(answer)
    if let challenge = question.challenge {
      let asked = AskedChallenge(challenge, session.ownSettings.urlCredentialStorage)
      if let trust = asked.protectionSpace.serverTrust { task?.facts.withLock { $0.trust = trust } }
      put(asked, isOfSession: challenge.space.method.isOfSession) { disposition, credential, isUnheard in
        let isVain = isUnheard && challenge.space.method == .serverTrust
        var fewer = asks
        fewer.everyCertificate = false
        let decision = AppInterface.Decision(disposition, credential, asked)
        answer.give(QuestionAnswer(decision: decision, asks: isVain ? fewer : nil))
      }
    } else if let head = question.response {
      putAnswer(head, answer)
    } else {
      putDelay(asks, answer)
    }
  }

  /// Calls the session's method for challenges about the connection, and the task's method if the delegate does not
  /// implement it. For passwords it calls only the task's method.
  private func put(
    _ challenge: AskedChallenge, isOfSession: Bool,
    then: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?, _ isUnheard: Bool) -> Void
  ) {
    guard isOfSession, let delegate = session.delegate else { return putToTask(challenge, then) }
    delegate.urlSession(session, didReceive: challenge) { disposition, credential in
      guard challenge.takeUnheard() else { return then(disposition, credential, false) }
      session.delegateQueue.addCall { putToTask(challenge, then) }
    }
  }

  private func putToTask(
    _ challenge: AskedChallenge,
    _ then: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?, _ isUnheard: Bool) -> Void
  ) {
    guard let task, let delegate = task.delegate ?? session.delegate as? any URLSessionTaskDelegate else {
      return then(.performDefaultHandling, nil, true)
    }
    delegate.urlSession(session, task: task, didReceive: challenge) { disposition, credential in
      then(disposition, credential, challenge.takeUnheard())
    }
  }

  private func putDelay(_ asks: AppInterface.Asks, _ answer: Once<QuestionAnswer>) {
    guard let task, let request = task.originalRequest,
      let delegate = task.delegate ?? session.delegate as? any URLSessionTaskDelegate
    else { return answer.give(QuestionAnswer(decision: AppInterface.Decision(disposition: .performDefault))) }
    delegate.urlSession(session, task: task, willBeginDelayedRequest: request) { disposition, new in
      switch (disposition, new) {
      case (.continueLoading, URLRequest.unheard):
        var fewer = asks
        fewer.delays = false
        let decision = AppInterface.Decision(disposition: .performDefault)
        // Nothing follows from a task's own delegate for other tasks.
        answer.give(QuestionAnswer(decision: decision, asks: task.delegate == nil ? fewer : nil))
      case (.continueLoading, _), (.useNewRequest, nil):
        answer.give(QuestionAnswer(decision: AppInterface.Decision(disposition: .performDefault)))
      case (.cancel, _): answer.give(QuestionAnswer(decision: AppInterface.Decision(disposition: .cancel)))
      case (.useNewRequest, let new?):
        task.watch.lookAgain { task.facts.withLock { $0.replacement = new } }
        answer.give(
          QuestionAnswer(decision: AppInterface.Decision(disposition: .replace, request: task.replacement(by: new))))
      }
    }
  }
}

// The delegate of a data task decides whether it becomes a download. Once it has, it stays a download in this process,
// even if the daemon died before it knew and asks again.
extension Telling {
  private func putAnswer(_ head: AppInterface.Response, _ answer: Once<QuestionAnswer>) {
    let goOn = QuestionAnswer(decision: AppInterface.Decision(disposition: .performDefault))
    let cancel = QuestionAnswer(decision: AppInterface.Decision(disposition: .cancel))
    guard let dataTask = task as? URLSessionDataTask, let response = NamedResponse(head) else {
      return answer.give(task is URLSessionDownloadTask ? goOn : cancel)
    }
    dataTask.watch.lookAgain { dataTask.facts.withLock { $0.response = response } }
    let reply = Once<URLSession.ResponseDisposition> { disposition in
      guard disposition == .becomeDownload else {
        if disposition != .cancel { Console.warn(Misuse.dataTask.rawValue) }
        return answer.give(cancel)
      }
      session.delegateQueue.addCall { answer.give(becomeDownload(dataTask) ? goOn : cancel) }
    }
    guard let delegate = session.delegate as? any URLSessionDataDelegate else { return reply.give(.allow) }
    delegate.urlSession(session, dataTask: dataTask, didReceive: response) { reply.give($0) }
  }

  /// Replaces a data task by a download; false if it was cancelled meanwhile. The daemon is told afterwards, so the
  /// delegate has the download before any event of it.
  private func becomeDownload(_ dataTask: URLSessionDataTask) -> Bool {
    guard let link = session.carrier as? Link else { return false }
    if let download = dataTask.watch.lookAgain(after: { link.replace(dataTask) }) {
      (session.delegate as? any URLSessionDataDelegate)?.urlSession(session, dataTask: dataTask, didBecome: download)
      dataTask.releaseDelegate()
      return true
    }
    return link.hasBecomeDownload(dataTask)  // The daemon has asked again before the delegate answered.
  }
}

extension Link {
  /// Whether a download has replaced a data task.
  fileprivate func hasBecomeDownload(_ dataTask: URLSessionDataTask) -> Bool {
    state.withLock {
      $0.sessions[dataTask.session.identifier]?.tasks[dataTask.taskIdentifier] is URLSessionDownloadTask
    }
  }

  /// Replaces a data task by a download; nil if the task has ended, is about to, or was replaced before.
  fileprivate func replace(_ dataTask: URLSessionDataTask) -> URLSessionDownloadTask? {
    state.withLock { state in
      let (session, number) = (dataTask.session, dataTask.taskIdentifier)
      guard state.sessions[session.identifier]?.tasks[number] === dataTask else { return nil }
      let facts: TaskFacts? = dataTask.facts.withLock { facts in
        guard !facts.isEnding, facts.state == .running || facts.state == .suspended else { return nil }
        defer { facts.state = .completed }
        return facts
      }
      guard let facts else { return nil }
      let download = URLSessionDownloadTask(
        session: session, identifier: number, request: dataTask.originalRequest, kind: .download, facts: facts)
      state.sessions[session.identifier]?.tasks[number] = download
      return download
    }
  }
}

extension URLRequest {
  /// The request with which the default of `willBeginDelayedRequest` answers `continueLoading`, to show that the
  /// delegate does not implement it. A delegate cannot make it, since its URL is random, and has no use for a request
  /// with that answer.
  static let unheard = URLRequest(url: URL(string: "nightjar-unheard:\(UUID().uuidString)")!)
}

/// A delegate's answer to a question.
struct QuestionAnswer: Sendable {
  let decision: AppInterface.Decision
  /// The questions that the session need be asked from now on, if they have turned out to be fewer; nil otherwise.
  var asks: AppInterface.Asks?
}

extension AppInterface.ProtectionSpace.Method {
  /// Whether the method concerns the connection rather than a task.
  fileprivate var isOfSession: Bool {
    switch self {
    case .serverTrust, .clientCertificate: true
    case .basic, .digest: false
    }
  }
}
