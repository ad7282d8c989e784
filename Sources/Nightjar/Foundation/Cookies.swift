import Foundation
import FoundationNetworking
import NightjarWire

// A background session sends the cookies that are stored when the task is resumed, and stores new ones when its end is
// told. A session in this process does both for each request and each response, redirects included.
extension URLSessionConfiguration {
  /// The request with the cookies for it, unless it has a `Cookie` field of its own.
  func addingCookies(to request: URLRequest) -> URLRequest {
    guard httpShouldSetCookies, request.httpShouldHandleCookies, let url = request.url,
      request.value(forHTTPHeaderField: "Cookie") == nil, let fitting = httpCookieStorage?.fitting(url)
    else { return request }
    return fitting.isEmpty ? request : request.adding(HTTPCookie.requestHeaderFields(with: fitting))
  }

  /// Stores the cookies of a response, if the policy allows.
  func keepCookies(of response: AppInterface.Response, to request: URLRequest?) {
    let fields = response.headers.filter { $0.name.utf8.count == 10 && $0.name.lowercased() == "set-cookie" }
    guard !fields.isEmpty, let url = URL(string: response.url) else { return }
    keepCookies(fields.map(\.value), of: url, to: request)
  }

  /// Stores the cookies of a response of FoundationNetworking, which joins fields of one name and can separate the
  /// cookies in them.
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

extension HTTPCookieStorage {
  /// The cookies that are sent to a URL, in their order (RFC 6265, section 5.4). FoundationNetworking compares hosts
  /// only, and its order differs in every process.
  func fitting(_ url: URL) -> [HTTPCookie] {
    let now = Date()
    let sent = (cookies(for: url) ?? []).filter { $0.belongs(to: url, at: now) && $0.isSendable }
    return sent.sorted { one, other in
      (other.path.utf8.count, one.name) < (one.path.utf8.count, other.name)
    }
  }
}
