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
    case .host: return rebuilt(domain: host, expires: expiresDate)
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

  /// The cookie with the end that `Max-Age` sets, whatever `Expires` says (section 5.3); FoundationNetworking heeds it in
  /// cookies of another version only. A storage that is given what is over forgets what it has of that name.
  func dated(from now: Date) -> HTTPCookie {
    guard let seconds = (properties?[.maximumAge] as? String).flatMap({ Int($0) }) else { return self }
    let end = seconds > 0 ? now.addingTimeInterval(min(TimeInterval(seconds), .longestTimeout)) : .distantPast
    return rebuilt(domain: domain, expires: end) ?? self
  }

  /// The same with another domain and end. `properties` would not do: what they hold is not all that the initialiser reads.
  private func rebuilt(domain: String, expires: Date?) -> HTTPCookie? {
    var said: [HTTPCookiePropertyKey: Any] = [.name: name, .value: value, .path: path, .domain: domain]
    if isSecure { said[.secure] = "TRUE" }
    if isHTTPOnly { said[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
    if let expires { said[.expires] = expires } else if isSessionOnly { said[.discard] = "TRUE" }
    return HTTPCookie(properties: said)
  }
}
