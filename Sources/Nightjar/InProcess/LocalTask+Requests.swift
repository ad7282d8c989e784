import Foundation
import FoundationNetworking

// What a task in this process sends: its own request, and those that redirects and challenges make of it.
extension LocalTask {
  /// What goes along with a request: nothing where a redirect has made a GET or HEAD of it. A stream has to be asked for if
  /// the request's own has been used up.
  func body(for request: URLRequest) -> LocalBody {
    guard let original = task.originalRequest else { return body }
    if request.isReading, !original.isReading { return .request }
    let isUsedUp = original.httpBodyStream != nil && request.httpBodyStream == nil && request.httpBody == nil
    if case .request = body, isUsedUp { return .stream }
    return body
  }

  /// Takes a request that is about to go out; hands it back as it asks for what has not come.
  mutating func send(_ request: URLRequest) -> URLRequest {
    current = request.withoutStream
    return parting.request(request)
  }

  /// Notes for the metrics that a redirect is being told, before the next request is known.
  mutating func redirected(_ redirect: HTTPURLResponse, sent: Int64) {
    if let current { record.redirected(current, redirect, sent: sent) }
  }

  /// Looks at a redirect. Nobody is told of one that leads nowhere, or of one too many: the task ends. Of what HTTP calls no
  /// redirect, FoundationNetworking is told not to follow it: then it is the answer.
  mutating func siftRedirect(
    _ redirect: HTTPURLResponse, _ answer: @escaping @Sendable (URLRequest?) -> Void
  ) -> LocalEvent? {
    guard redirect.isFollowed else {
      if foreign?.answer == nil { answer(nil) }
      return nil
    }
    credentials.redirected()
    redirects += 1
    let host = redirect.url?.host ?? "the server"
    guard redirects <= LinkLimits.redirectsMax else {
      trouble = SessionFailure(.httpTooManyRedirects, "\(host): more than \(LinkLimits.redirectsMax) redirects")
      return nil
    }
    guard var next = current?.following(redirect) else {
      trouble = SessionFailure(.redirectToNonExistentLocation, "\(host) redirects to nowhere")
      return nil
    }
    if credentials.isProof { next.setValue(nil, forHTTPHeaderField: "Authorization") }
    return .redirected(redirect, next, answer)
  }
}
