import Foundation
import FoundationNetworking
import NightjarWire

// Cookies. Those of background sessions are sent as they are when the task is resumed, and kept when its end is told; in this
// process each request is sent what is there by then, and each answer and redirect leaves its own.
extension URLSessionConfiguration {
  /// The request with the cookies for it, unless it has a `Cookie` field of its own.
  func addingCookies(to request: URLRequest) -> URLRequest {
    guard httpShouldSetCookies, request.httpShouldHandleCookies, let url = request.url,
      request.value(forHTTPHeaderField: "Cookie") == nil, let cookies = httpCookieStorage?.cookies(for: url)
    else { return request }
    let now = Date()
    // FoundationNetworking has looked at hosts only, and its order differs in every process.
    let fitting = cookies.filter { $0.belongs(to: url, at: now) }.sorted { one, other in
      (other.path.utf8.count, one.name) < (one.path.utf8.count, other.name)
    }
    return fitting.isEmpty ? request : request.adding(HTTPCookie.requestHeaderFields(with: fitting))
  }

  /// Keeps the cookies of an answer, if the policy lets us.
  func keepCookies(of response: AppInterface.Response, to request: URLRequest?) {
    let fields = response.headers.filter { $0.name.utf8.count == 10 && $0.name.lowercased() == "set-cookie" }
    guard !fields.isEmpty, let url = URL(string: response.url) else { return }
    keepCookies(fields.map(\.value), of: url, to: request)
  }

  /// The same of what FoundationNetworking hands out. It joins fields of one name, and tells cookies apart in them.
  func keepCookies(of response: HTTPURLResponse, to request: URLRequest?) {
    guard let field = response.value(forHTTPHeaderField: "Set-Cookie"), let url = response.url else { return }
    keepCookies([field], of: url, to: request)
  }

  private func keepCookies(_ fields: [String], of url: URL, to request: URLRequest?) {
    guard let storage = httpCookieStorage, request?.httpShouldHandleCookies != false,
      let host = url.host?.lowercased(), accepts(url, for: request?.mainDocumentURL)
    else { return }
    let now = Date()
    for field in fields {
      let said = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field], for: url)
      for cookie in said.compactMap({ $0.dated(from: now).assigned(by: host) }) { storage.setCookie(cookie) }
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
