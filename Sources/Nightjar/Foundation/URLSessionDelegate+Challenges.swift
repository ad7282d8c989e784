import Foundation
public import FoundationNetworking

// The defaults of the delegate methods for challenges. The form with a completion handler calls the async one, which
// the delegate may implement; the default of that one notes that the delegate implements neither.

extension URLSession {
  /// How to handle a challenge.
  public enum AuthChallengeDisposition: Int, Sendable {
    /// Use the given credential.
    case useCredential = 0
    /// Handle the challenge as if the delegate did not implement the method: use a credential of the session's
    /// `urlCredentialStorage` for the protection space, if there is one. Otherwise the system judges certificates, and
    /// a server's refusal for want of a password becomes the response.
    case performDefaultHandling = 1
    /// End the task with `URLError.cancelled`.
    case cancelAuthenticationChallenge = 2
    /// Reject this protection space and try another one that the server has offered.
    case rejectProtectionSpace = 3
  }
}

extension URLSessionDelegate {
  public func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    Task {
      let (disposition, credential) = await urlSession(session, didReceive: challenge)
      completionHandler(disposition, credential)
    }
  }

  public func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
    challenge.goesUnheard()
    return (.performDefaultHandling, nil)
  }
}

extension URLSessionTaskDelegate {
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    Task {
      let (disposition, credential) = await urlSession(session, task: task, didReceive: challenge)
      completionHandler(disposition, credential)
    }
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
    guard let next = successor(session, task) else {
      challenge.goesUnheard()
      return (.performDefaultHandling, nil)
    }
    return await session.ask { answer in
      next.urlSession(session, task: task, didReceive: challenge) { answer.give(($0, $1)) }
    }
  }
}
