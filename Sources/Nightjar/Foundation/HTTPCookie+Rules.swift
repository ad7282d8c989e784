import Foundation
import FoundationNetworking
import NightjarModel

// Which cookies a server may set, and which it is sent (RFC 6265). FoundationNetworking takes over any domain that a server
// names, and has a cookie sent to its host whatever else was said of it. A domain with a dot in front is meant for the
// hosts below it, too, and one without for that host alone.
extension HTTPCookie {
  /// The cookie as an answering host may set it (section 5.3); nil where the host has no say over the domain.
  func assigned(by host: String) -> HTTPCookie? {
    guard domain.hasPrefix(".") else { return domain == host ? self : nil }
    switch CookieScope(domain: domain, setBy: host) {
    case .domain: return self
    case .host: return narrowed(to: host)
    case nil: return nil
    }
  }

  /// Whether the cookie goes along with a request to a URL on a host of its domain (section 5.4).
  func belongs(to url: URL, at now: Date) -> Bool {
    let asked = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
    let isLasting = expiresDate.map { $0 > now } ?? true
    return isLasting && (!isSecure || url.scheme?.lowercased() == "https")
      && CookieScope.path(path, covers: asked.isEmpty ? "/" : asked)
  }

  /// The same for one host alone. `properties` would not do: what they hold is not all that the initialiser reads.
  private func narrowed(to host: String) -> HTTPCookie? {
    var said: [HTTPCookiePropertyKey: Any] = [.name: name, .value: value, .path: path, .domain: host]
    if isSecure { said[.secure] = "TRUE" }
    if isSessionOnly { said[.discard] = "TRUE" }
    if isHTTPOnly { said[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
    if let expiresDate { said[.expires] = expiresDate }
    return HTTPCookie(properties: said)
  }
}
