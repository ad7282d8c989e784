import Foundation
import FoundationNetworking
import NightjarModel

// Which cookies a server may set, and which are sent to it (RFC 6265). FoundationNetworking accepts any domain that a
// server names, and sends a cookie to its host whatever its other attributes are. A domain with a leading dot includes
// the hosts below it; one without is that host alone.
extension HTTPCookie {
  /// The cookie as a host may set it (section 5.3); nil if the host must not set cookies for the domain.
  func assigned(by host: String) -> HTTPCookie? {
    guard domain.hasPrefix(".") else { return domain == host ? self : nil }
    switch CookieScope(domain: domain, setBy: host) {
    case .domain: return self
    case .host: return rebuilt(domain: host, expires: expiresDate)
    case nil: return nil
    }
  }

  /// Whether the cookie is sent with a request to a URL on a host of its domain (section 5.4).
  func belongs(to url: URL, at now: Date) -> Bool {
    let asked = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
    let isLasting = expiresDate.map { $0 > now } ?? true
    return isLasting && (!isSecure || url.scheme?.lowercased() == "https")
      && CookieScope.path(path, covers: asked.isEmpty ? "/" : asked)
  }

  /// Whether a request can carry the cookie: one with a control character would keep all requests to its host from
  /// being sent.
  var isSendable: Bool { HTTPField.carries(name) && HTTPField.carries(value) }

  /// The cookie with the expiry that `Max-Age` sets, which precedes `Expires` (section 5.3). FoundationNetworking heeds
  /// `Max-Age` only in cookies of another version. A storage that is given an expired cookie removes the stored one.
  func dated(from now: Date) -> HTTPCookie {
    guard let seconds = (properties?[.maximumAge] as? String).flatMap({ Int($0) }) else { return self }
    let end = seconds > 0 ? now.addingTimeInterval(min(TimeInterval(seconds), .longestTimeout)) : .distantPast
    return rebuilt(domain: domain, expires: end) ?? self
  }

  /// The cookie with another domain and expiry. Not made from `properties`, which lack some of what the initialiser
  /// reads.
  private func rebuilt(domain: String, expires: Date?) -> HTTPCookie? {
    var said: [HTTPCookiePropertyKey: Any] = [.name: name, .value: value, .path: path, .domain: domain]
    if isSecure { said[.secure] = "TRUE" }
    if isHTTPOnly { said[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
    if let expires { said[.expires] = expires } else if isSessionOnly { said[.discard] = "TRUE" }
    return HTTPCookie(properties: said)
  }
}
