import NightjarModel

/// Who wants to see credentials: the server that a request is for, or the proxy on its way there.
struct Gatekeeper: Hashable, Sendable {
  var host: String
  var port: Int
  /// Whether the server is reached over TLS: itself, or beyond this proxy.
  var isSecure: Bool
  var isProxy = false

  /// The server with an origin.
  static func server(_ origin: Origin) -> Gatekeeper {
    Gatekeeper(host: origin.host, port: origin.port, isSecure: origin.isSecure)
  }

  /// A proxy on the way to an origin. What it reads and what it passes on in a tunnel are separate protection spaces,
  /// as in Apple's system.
  static func proxy(_ proxy: ProxyServer, before origin: Origin) -> Gatekeeper {
    Gatekeeper(host: proxy.host, port: proxy.port, isSecure: origin.isSecure, isProxy: true)
  }

  /// The header field of its challenges (RFC 9110, sections 11.6.1 and 11.7.1).
  var challengeField: String { isProxy ? "proxy-authenticate" : "www-authenticate" }

  /// How failures call it.
  var name: String { isProxy ? "the proxy \(host)" : host }

  /// One of its protection spaces.
  func space(_ method: Challenge.Method, realm: String?) -> ProtectionSpace {
    ProtectionSpace(method: method, host: host, port: port, isSecure: isSecure, realm: realm, isProxy: isProxy)
  }

  /// Whether a space is its own.
  func keeps(_ space: ProtectionSpace) -> Bool {
    (space.host, space.port, space.isSecure, space.isProxy) == (host, port, isSecure, isProxy)
  }
}
