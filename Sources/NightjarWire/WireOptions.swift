/// What only some transfers ask for, of either interface. Whatever is left out is ordinary.
public struct WireOptions: Codable, Hashable, Sendable {
  /// Whether the transfer waits for an unmetered network, external power, the end of low power mode, and a battery that is
  /// charging or not low.
  public var discretionary: Bool?
  /// Whether it may use a cellular network. Default true, as with the two that follow.
  public var allowsCellular: Bool?
  /// Whether it may use a network that costs money.
  public var allowsExpensive: Bool?
  /// Whether it may use a network on which the person saves data.
  public var allowsConstrained: Bool?
  /// Not to be begun before, in nanoseconds since 1970.
  public var earliestBegin: Int64?
  /// A guess of the bytes that will be sent.
  public var expectedToSend: Int64?
  /// A guess of the bytes that will be received.
  public var expectedToReceive: Int64?
  /// How many of the session's transfers may run with one host.
  public var connectionsPerHostMax: Int64?
  /// How many bytes may move in a second.
  public var bytesPerSecondMax: Int64?
  /// What the finished file must hash to, such as `sha256:9f86d0…`; also `sha512`, `sha1` and `md5`.
  public var checksum: String?
  /// Through which proxies the transfer goes; left out, the daemon's own settings count.
  public var proxies: WireProxies?
  /// The oldest TLS that it speaks: `1.0`, `1.1`, `1.2` or `1.3`.
  public var tlsMinimum: String?
  /// Whether the app ran in the background when it queued it. Only told, never asked for.
  public var background: Bool?
  /// Whether its app is asked, with the head of the final answer, before a download's body is loaded.
  public var showsAnswer: Bool?
  /// The names of the header fields that the app's session has added, which are told again with the task.
  public var sessionFields: [String]?

  /// Nothing out of the ordinary.
  public init() {}
}

/// Proxies by the scheme of the URL that is asked for; one that is left out means that such URLs are gone to directly.
public struct WireProxies: Codable, Hashable, Sendable {
  /// For `http:` URLs, such as `http://user:password@host:port` or `socks5://host:port`.
  public var http: String?
  /// For `https:` URLs.
  public var https: String?
  /// Hosts that are gone to directly.
  public var exceptions: [String]?

  /// These proxies.
  public init(http: String? = nil, https: String? = nil, exceptions: [String]? = nil) {
    (self.http, self.https, self.exceptions) = (http, https, exceptions)
  }
}
