/// Through which proxies a transfer goes.
///
/// A proxy is written as a URL: `http://proxy.example:3128`, with `user:password@` before the host if it asks for them,
/// or `socks5://…`, which is given names rather than addresses. The credentials go to the proxy alone.
public struct Proxies: Hashable, Sendable {
  /// For `http:` URLs; nil to go directly.
  public var http: String?
  /// For `https:` URLs; nil to go directly.
  public var https: String?
  /// Hosts that are reached directly: `example.com` also means its subdomains, `*.example.com` only these, `10.0.0.0/8`
  /// a range of addresses, `*` everything; with `:port` only that port.
  public var exceptions: [String]

  /// These proxies; without any, a transfer goes directly whatever the daemon's own settings are.
  public init(http: String? = nil, https: String? = nil, exceptions: [String] = []) {
    (self.http, self.https, self.exceptions) = (http, https, exceptions)
  }
}

/// A version of TLS. The raw value is its name in the database and on the wire.
public enum TLSVersion: String, Hashable, Comparable, Sendable, CaseIterable {
  /// RFC 2246. Not to be used for anything that matters.
  case tls10 = "1.0"
  /// RFC 4346. Not to be used for anything that matters.
  case tls11 = "1.1"
  /// RFC 5246: the oldest that is spoken unless a transfer asks for less.
  case tls12 = "1.2"
  /// RFC 8446.
  case tls13 = "1.3"

  public static func < (a: TLSVersion, b: TLSVersion) -> Bool { a.rawValue < b.rawValue }
}
