import Foundation
public import FoundationNetworking

// What happens when a delegate leaves out the methods that answer challenges. The form with a completion handler hands on
// to the async one, which may be the one that was written; that one's default says that nobody heard.

extension URLSession {
  /// What to do about a challenge.
  public enum AuthChallengeDisposition: Int, Sendable {
    /// Use the credential that comes along.
    case useCredential = 0
    /// What happens to a delegate that does not implement the method: a credential of the session's
    /// `urlCredentialStorage` for the protection space is used, if there is one; otherwise the system judges certificates,
    /// and a server that wants a password has the last word.
    case performDefaultHandling = 1
    /// The task ends with `URLError.cancelled`.
    case cancelAuthenticationChallenge = 2
    /// Not this way; another of the ways that the server offered is tried.
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
