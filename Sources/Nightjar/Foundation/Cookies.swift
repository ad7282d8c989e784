import Foundation
import FoundationNetworking
import NightjarWire

// The cookies of background sessions: sent as they are when the task is resumed, kept when its end is told.
extension URLSessionConfiguration {
  /// The `Cookie` field for a request, unless it has one of its own.
  func cookieField(for request: URLRequest?) -> WireHeader? {
    guard httpShouldSetCookies, let request, request.httpShouldHandleCookies, let url = request.url,
      request.value(forHTTPHeaderField: "Cookie") == nil, let cookies = httpCookieStorage?.cookies(for: url)
    else { return nil }
    let now = Date()
    // FoundationNetworking has looked at hosts only, and its order differs in every process.
    let fitting = cookies.filter { $0.belongs(to: url, at: now) }.sorted { one, other in
      (other.path.utf8.count, one.name) < (one.path.utf8.count, other.name)
    }
    return HTTPCookie.requestHeaderFields(with: fitting)["Cookie"].map { WireHeader(name: "Cookie", value: $0) }
  }

  /// Keeps the cookies of an answer, if the policy lets us.
  func keepCookies(of response: AppInterface.Response, to request: URLRequest?) {
    let cookies = response.headers.filter { $0.name.utf8.count == 10 && $0.name.lowercased() == "set-cookie" }
    guard !cookies.isEmpty, let storage = httpCookieStorage, request?.httpShouldHandleCookies != false,
      let url = URL(string: response.url), let host = url.host?.lowercased(),
      accepts(url, for: request?.mainDocumentURL)
    else { return }
    for header in cookies {
      let said = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": header.value], for: url)
      for cookie in said.compactMap({ $0.assigned(by: host) }) { storage.setCookie(cookie) }
    }
  }

  private func accepts(_ url: URL, for document: URL?) -> Bool {
    switch httpCookieAcceptPolicy {
    case .always: true
    case .never: false
    case .onlyFromMainDocumentDomain:
      document?.host == nil || document?.host?.lowercased() == url.host?.lowercased()
    }
  }
}
