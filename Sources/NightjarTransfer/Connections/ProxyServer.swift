import NightjarModel

/// A proxy, taken apart.
struct ProxyServer: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// HTTP's own (RFC 9110, section 7.7): asked with the whole URL for `http:`, by `CONNECT` for `https:`.
    case http
    /// SOCKS 5 (RFC 1928), which is given names, not addresses.
    case socks5
  }

  var kind: Kind
  var host: String
  var port: Int
  /// Percent-encoding undone. Secret, and for the proxy alone.
  var user: [UInt8]?
  var password: [UInt8] = []

  /// Reads `http://user:password@host:port`, `socks5://…` and `socks5h://…`, which mean the same here.
  init(_ text: String) throws(TransferFailure) {
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Self.kinds[parts[0].lowercased()] else {
      throw TransferFailure(.badURL, "a proxy's URL begins with http:// or socks5://")
    }
    // The authority is read as that of any URL; the scheme only lends its default port.
    let address: WebAddress
    do { address = try WebAddress("http://\(parts[1])") } catch {
      throw TransferFailure(.badURL, "the proxy's URL cannot be used: \(error.detail)")
    }
    (self.kind, host, port) = (kind, address.host, address.port)
    if kind == .socks5, !Self.namesPort(parts[1]) { port = 1080 }
    guard let userinfo = address.userinfo else { return }
    let halves = userinfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    (user, password) = (Itinerary.unescaped(halves[0]), halves.count == 2 ? Itinerary.unescaped(halves[1]) : [])
  }

  private static let kinds: [String: Kind] = ["http": .http, "socks5": .socks5, "socks5h": .socks5]

  private static func namesPort(_ rest: Substring) -> Bool {
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return host.lastIndex(of: "]").map { host[$0...].contains(":") } ?? host.contains(":")
  }

  /// What stands in `Proxy-Authorization`; nil without credentials.
  var authorization: String? {
    user.map { "Basic " + Base64.encode($0 + [UInt8(ascii: ":")] + password) }
  }
}
