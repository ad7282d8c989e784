/// The hosts that a cookie is sent to (RFC 6265).
public enum CookieScope: Hashable, Sendable {
  /// This host alone.
  case host(String)
  /// This host and all that lie below it.
  case domain(String)

  /// The scope that a server chooses (section 5.3); nil where it has no say over the domain, and the cookie is not
  /// taken.
  ///
  /// Domains under which anyone can register are named in a long list that changes (the public suffix list) and is not
  /// at hand. A single label surely is such a domain, and an IP address has none: either is accepted only for the host
  /// itself. A short label before a country's may be one: the cookie then stays with its host.
  ///
  /// - Parameters:
  ///   - domain: What the server names, with a dot in front or without; empty if it names none.
  ///   - host: The server, in lower case, an IPv6 address without its brackets.
  public init?(domain: some StringProtocol, setBy host: String) {
    let domain = domain.lowercased().drop { $0 == "." }
    guard !domain.isEmpty else {
      self = .host(host)
      return
    }
    let labels = domain.split(separator: ".")
    let isWhole = labels.count < 2 || Self.isAddress(host)
    let mayBeOpen = labels.count == 2 && labels[1].utf8.count == 2 && labels[0].utf8.count <= 3
    guard isWhole ? domain == host : Self.domain(String(domain)).covers(host) else { return nil }
    self = isWhole || mayBeOpen ? .host(host) : .domain(String(domain))
  }

  /// Whether the cookie is sent to a host (section 5.1.3).
  public func covers(_ other: String) -> Bool {
    switch self {
    case .host(let host): other == host
    case .domain(let domain): other == domain || other.hasSuffix(".\(domain)")
    }
  }

  /// Whether there is a host to which cookies of both scopes are sent.
  public func overlaps(_ other: CookieScope) -> Bool { covers(other.top) || other.covers(top) }

  private var top: String {
    switch self {
    case .host(let name), .domain(let name): name
    }
  }

  /// Whether a cookie for a path is sent with a request for another (section 5.1.4).
  public static func path(_ path: String, covers other: String) -> Bool {
    other == path || (other.hasPrefix(path) && (path.hasSuffix("/") || other.dropFirst(path.count).first == "/"))
  }

  /// Whether a host is an address: no top-level domain is a number (RFC 3696, section 2).
  private static func isAddress(_ host: String) -> Bool {
    host.contains(":") || host.split(separator: ".").last?.allSatisfy(\.isNumber) == true
  }
}
