import Foundation
import FoundationNetworking
import Synchronization

// Challenges to tasks in this process. FoundationNetworking's load goes on meanwhile. Its events wait, and are
// delivered if the challenge is not answered: then the refusal is the task's response.
extension LocalTelling {
  /// Calls the delegate of the task, or that of the session, even if the task has a completion handler.
  func challenged(
    _ question: LocalCredentials.Question, by carrier: LocalCarrier, then: @escaping @Sendable () -> Void
  ) {
    if let offer = carrier.state.withLock({ $0.tasks[task.taskIdentifier]?.credentials.again(for: question) }) {
      carrier.askAgain(task, showing: nil, for: offer)
      return then()
    }
    let challenge = question.challenge(task.session.ownSettings.urlCredentialStorage)
    let reply = Once<(URLSession.AuthChallengeDisposition, URLCredential?)> { disposition, credential in
      task.session.delegateQueue.addCall {
        decide(question, challenge, disposition, credential, by: carrier, then: then)
      }
    }
    guard let delegate = task.toldDelegate else { return reply.give((.performDefaultHandling, nil)) }
    delegate.urlSession(task.session, task: task, didReceive: challenge) { reply.give(($0, $1)) }
  }

  private func decide(
    _ question: LocalCredentials.Question, _ challenge: AskedChallenge,
    _ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?, by carrier: LocalCarrier,
    then: @escaping @Sendable () -> Void
  ) {
    guard task.state != .completed else { return then() }  // It was cancelled meanwhile.
    switch disposition {
    case .cancelAuthenticationChallenge: carrier.giveUp(task)
    case .rejectProtectionSpace:
      var rest = question
      rest.offers.removeFirst()
      guard rest.offers.isEmpty else { return challenged(rest, by: carrier, then: then) }
      return unanswered(question, by: carrier, then: then)
    case .useCredential, .performDefaultHandling:
      let credential = disposition == .useCredential ? credential : challenge.proposedCredential
      guard let credential, credential.user != nil else {
        return unanswered(question, by: carrier, then: then)
      }
      carrier.askAgain(task, showing: credential, for: question.offers[0])
    }
    then()
  }

  /// Handles a challenge without an answer: the refusal is the response, unless only the rest was asked for.
  private func unanswered(
    _ question: LocalCredentials.Question, by carrier: LocalCarrier, then: @escaping @Sendable () -> Void
  ) {
    if carrier.state.withLock({ $0.tasks[task.taskIdentifier]?.bar() }) == true { return then() }
    answered(question.response, by: carrier, then: then)
  }
}
