import Foundation
import FoundationNetworking
import NightjarWire
import Synchronization

// What a delegate is asked. It may answer at once or much later, from any thread, and once; meanwhile other things are
// told. Its method is called on the delegate queue.
extension Telling {
  /// Puts a question to the delegate; `answer` follows, once.
  func ask(
    _ question: AppInterface.Asked, asks: AppInterface.Asks,
    answer: @escaping @Sendable (QuestionAnswer) -> Void
  ) {
    let answer = Once(answer)
    if let challenge = question.challenge {
      let asked = AskedChallenge(challenge, session.ownSettings.urlCredentialStorage)
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

  /// Calls the method of the session for what concerns the connection, and then, or for passwords at once, that of the
  /// task: the next only if the one before was left out.
  private func put(
    _ challenge: AskedChallenge, isOfSession: Bool,
    then: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?, _ isUnheard: Bool) -> Void
  ) {
    guard isOfSession, let delegate = session.delegate else { return putToTask(challenge, then) }
    delegate.urlSession(session, didReceive: challenge) { disposition, credential in
      guard challenge.takeUnheard() else { return then(disposition, credential, false) }
      session.delegateQueue.addOperation { putToTask(challenge, then) }
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
        // A task's own delegate says nothing about the others.
        answer.give(QuestionAnswer(decision: decision, asks: task.delegate == nil ? fewer : nil))
      case (.continueLoading, _), (.useNewRequest, nil):
        answer.give(QuestionAnswer(decision: AppInterface.Decision(disposition: .performDefault)))
      case (.cancel, _): answer.give(QuestionAnswer(decision: AppInterface.Decision(disposition: .cancel)))
      case (.useNewRequest, let new?):
        task.facts.withLock { $0.replacement = new }
        answer.give(
          QuestionAnswer(decision: AppInterface.Decision(disposition: .replace, request: task.replacement(by: new))))
      }
    }
  }
}

// A data task is asked what is to become of it. What it became in this process it is, though the daemon, which has died
// before it knew, may ask again.
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
      session.delegateQueue.addOperation { answer.give(becomeDownload(dataTask) ? goOn : cancel) }
    }
    guard let delegate = session.delegate as? any URLSessionDataDelegate else { return reply.give(.allow) }
    delegate.urlSession(session, dataTask: dataTask, didReceive: response) { reply.give($0) }
  }

  /// Puts a download in the place of a data task; false if that was cancelled meanwhile. The daemon hears of it afterwards, so
  /// nothing is told of the download before its delegate has it.
  private func becomeDownload(_ dataTask: URLSessionDataTask) -> Bool {
    guard let link = session.carrier as? Link else { return false }
    if let download = dataTask.watch.lookAgain(after: { link.replace(dataTask) }) {
      (session.delegate as? any URLSessionDataDelegate)?.urlSession(session, dataTask: dataTask, didBecome: download)
      dataTask.releaseDelegate()
      return true
    }
    return link.hasBecomeDownload(dataTask)  // The daemon has asked twice before the delegate had answered once.
  }
}

extension Link {
  /// Whether a download stands in the place of a data task.
  fileprivate func hasBecomeDownload(_ dataTask: URLSessionDataTask) -> Bool {
    state.withLock {
      $0.sessions[dataTask.session.identifier]?.tasks[dataTask.taskIdentifier] is URLSessionDownloadTask
    }
  }

  /// The download that a data task becomes, in its place; nil for one that has ended or is about to, or has become one.
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
  /// What a delegate that leaves out `willBeginDelayedRequest` seems to answer with. Nobody else can make it, for nobody
  /// else knows the word; a request that comes with `continueLoading` is of no use to anybody.
  static let unheard = URLRequest(url: URL(string: "nightjar-unheard:\(UUID().uuidString)")!)
}

/// What a delegate has decided.
struct QuestionAnswer: Sendable {
  let decision: AppInterface.Decision
  /// What the session need be asked from now on, if that has turned out to be less.
  var asks: AppInterface.Asks?
}

extension AppInterface.ProtectionSpace.Method {
  /// Whether it concerns the connection rather than one task.
  fileprivate var isOfSession: Bool {
    switch self {
    case .serverTrust, .clientCertificate: true
    case .basic, .digest: false
    }
  }
}
