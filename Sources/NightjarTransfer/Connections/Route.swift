import NightjarModel

/// How a request gets to its origin. Requests on one route may share connections.
struct Route: Hashable, Sendable {
  var origin: Origin
  /// Nil to go directly.
  var proxy: ProxyServer?
  /// The oldest TLS that may be spoken.
  var tlsMinimum = NightjarModel.TLSVersion.tls12
  /// How we meet the server in TLS: what its app has decided about certificates.
  var tlsProfile = TLSProfile.ordinary
  /// Whether no HTTP/2 is offered.
  var isHTTP1Only = false

  /// Where the connection goes.
  var firstHop: (host: String, port: Int) {
    proxy.map { ($0.host, $0.port) } ?? (origin.host, origin.port)
  }

  /// Whether the proxy passes on bytes that it does not read.
  var isTunnelled: Bool { proxy.map { $0.kind == .socks5 || origin.isSecure } ?? false }

  /// Whether the server's certificate must be for another address than the connection's, which is the proxy's.
  var hidesAddress: Bool { isTunnelled && origin.isSecure && origin.isAddress }

  /// What is offered in TLS (RFC 7301), the best first.
  var protocols: [String] { isHTTP1Only ? ["http/1.1"] : ["h2", "http/1.1"] }

  /// The proxy, where it reads the requests and is asked with the whole URL.
  var readingProxy: ProxyServer? { isTunnelled ? nil : proxy }
}

/// Which proxy a request goes through.
struct ProxyChoice: Sendable {
  /// The transfer's own settings.
  let own: Proxies?
  /// The daemon's.
  let common: Proxies?

  /// The proxy for an address; nil to go directly.
  ///
  /// This machine itself (`isLoopback`) is reached directly, whatever the daemon's exceptions are: by these names a
  /// proxy elsewhere would reach itself. Only a proxy that the transfer names of its own is taken there, too.
  func proxy(for address: WebAddress) throws(TransferFailure) -> ProxyServer? {
    guard let proxies = own ?? common, let url = address.scheme == .https ? proxies.https : proxies.http else {
      return nil
    }
    if own == nil, address.host.isLoopback { return nil }
    if proxies.exceptions.contains(where: { HostPattern($0).matches(address) }) { return nil }
    return try ProxyServer(url)
  }
}
