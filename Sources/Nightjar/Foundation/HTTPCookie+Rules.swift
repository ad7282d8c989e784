import Foundation
import FoundationNetworking

// Which cookies a server may set, and which it is sent (RFC 6265). FoundationNetworking takes over any domain that a server
// names, and has a cookie sent to its host whatever else was said of it. A domain with a dot in front is meant for the
// hosts below it, too, and one without for that host alone.
extension HTTPCookie {
  /// The cookie as an answering host may set it (section 5.3); nil where the host has no say over the domain.
  ///
  /// Which domains are open to registration by everybody is written in a long list that changes, and is not at hand. One
  /// label surely is such a domain. A short label before a country's may be, and the cookie then stays with its host, as it
  /// does in the daemon.
  func assigned(by host: String) -> HTTPCookie? {
    guard domain.hasPrefix(".") else { return domain == host ? self : nil }
    let wide = domain.dropFirst()
    guard !wide.isEmpty else { return narrowed(to: host) }  // As if none were named.
    guard wide == host || host.hasSuffix(domain) else { return nil }
    let labels = wide.split(separator: ".")
    guard labels.count > 1, !Self.isAddress(host) else { return wide == host ? narrowed(to: host) : nil }
    let isOpen = labels.count == 2 && labels[1].utf8.count == 2 && labels[0].utf8.count <= 3
    return isOpen ? narrowed(to: host) : self
  }

  /// Whether the cookie goes along with a request to a URL on a host of its domain (section 5.4).
  func belongs(to url: URL, at now: Date) -> Bool {
    let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
    let isLasting = expiresDate.map { $0 > now } ?? true
    return isLasting && (!isSecure || url.scheme?.lowercased() == "https") && covers(path.isEmpty ? "/" : path)
  }

  /// Whether a request's path is the cookie's or lies below it (section 5.1.4).
  private func covers(_ path: String) -> Bool {
    path == self.path
      || path.hasPrefix(self.path) && (self.path.hasSuffix("/") || path.dropFirst(self.path.count).first == "/")
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

  /// Whether a host is an address, which has no domains: no top-level domain is a number.
  private static func isAddress(_ host: String) -> Bool {
    host.contains(":") || host.split(separator: ".").last?.allSatisfy(\.isNumber) == true
  }
}
