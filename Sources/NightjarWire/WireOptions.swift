/// Options of a transfer, for both interfaces. Each one that is left out has its default.
public struct WireOptions: Codable, Hashable, Sendable {
  /// Whether the transfer waits for an unmetered network, external power, the end of low power mode, and a battery that
  /// is charging or not low.
  public var discretionary: Bool?
  /// Whether it may use a cellular network. Default true, as with the two that follow.
  public var allowsCellular: Bool?
  /// Whether it may use a network that costs money.
  public var allowsExpensive: Bool?
  /// Whether it may use a network on which the person saves data.
  public var allowsConstrained: Bool?
  /// The earliest time to begin, by the wall clock, in nanoseconds since 1970.
  public var earliestBegin: Int64?
  /// An estimate of the bytes that will be sent, including header fields.
  public var expectedToSend: Int64?
  /// An estimate of the bytes that will be received, including header fields.
  public var expectedToReceive: Int64?
  /// How many of the session's transfers may run with one host at a time: 6 by default.
  public var connectionsPerHostMax: Int64?
  /// How many bytes may move in a second.
  public var bytesPerSecondMax: Int64?
  /// What the finished file must hash to, such as `sha256:9f86d0…`; also `sha512`, `sha1` and `md5`.
  public var checksum: String?
  /// The proxies the transfer goes through; if left out, the daemon's settings apply.
  public var proxies: WireProxies?
  /// The oldest TLS version that it accepts: `1.0`, `1.1`, `1.2` or `1.3`.
  public var tlsMinimum: String?
  /// Whether the app was in the background when it queued this. Set in answers only.
  public var background: Bool?
  /// Whether its app is asked, with the head of the final answer, before a download's body is loaded.
  public var showsAnswer: Bool?
  /// The names of the header fields that the app's session has added, which are told again with the task.
  public var sessionFields: [String]?

  /// Options that are all left out.
  public init() {}
}

/// Proxies by the scheme of the requested URL. Without one, URLs of that scheme are requested directly.
public struct WireProxies: Codable, Hashable, Sendable {
  /// For `http:` URLs, such as `http://user:password@host:port` or `socks5://host:port`.
  public var http: String?
  /// For `https:` URLs.
  public var https: String?
  /// Hosts that are contacted directly.
  public var exceptions: [String]?

  /// These proxies.
  public init(http: String? = nil, https: String? = nil, exceptions: [String]? = nil) {
    (self.http, self.https, self.exceptions) = (http, https, exceptions)
  }
}
