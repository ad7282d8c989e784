/// When the last attempt at a transfer did what, and over which connections (`URLSessionTaskMetrics`).
///
/// Kept in memory only: a transfer that ended before the daemon last started has none.
public struct TransferMetrics: Hashable, Sendable {
  /// One for each request, redirects among them, oldest first; the newest where there were more than ``exchangesMax``.
  public var exchanges: [ExchangeMetrics]
  /// Redirects that were followed.
  public var redirects: Int

  /// Requests that are remembered of an attempt.
  public static let exchangesMax = 32

  /// The metrics of these requests.
  public init(exchanges: [ExchangeMetrics] = [], redirects: Int = 0) {
    (self.exchanges, self.redirects) = (exchanges, redirects)
  }
}

/// One request and its answer. What was not needed (as with a connection that was used again) or is unknown is nil.
public struct ExchangeMetrics: Hashable, Sendable {
  /// Where the request went, without user and password.
  public var url: String
  /// The status of the answer.
  public var status: Int?
  /// When a connection was asked for. All times are the wall clock's at this moment, plus what a steady clock has run
  /// since.
  public var fetchStart: Timestamp
  /// When the look-up of the host's name began and ended.
  public var lookup: Span?
  /// When the connection was begun and made, TLS and a proxy's consent included.
  public var connect: Span?
  /// When TLS was begun and agreed on.
  public var secure: Span?
  /// From the first byte of the request to its last.
  public var request: Span?
  /// From the first byte of the answer to its last.
  public var response: Span?
  /// As ALPN names it: `http/1.1` or `h2` (RFC 7301).
  public var protocolName: String?
  /// Whether the connection had served another request before.
  public var isReused = false
  /// Whether it went through a proxy.
  public var isProxied = false
  /// Our end of the connection.
  public var local: Endpoint?
  /// The other end: the server's or the proxy's.
  public var remote: Endpoint?
  /// The version of TLS, by its number (RFC 8446, section 4.1.2): 0x0303 for 1.2, 0x0304 for 1.3.
  public var tlsVersion: UInt16?
  /// Bytes of the request's head, as HTTP/1.1 writes it.
  public var requestHeaderBytes: Int64 = 0
  /// Bytes of the request's body that left.
  public var requestBodyBytes: Int64 = 0
  /// Bytes of the heads of the answer, as HTTP/1.1 writes them.
  public var responseHeaderBytes: Int64 = 0
  /// Bytes of the answer's body as they came.
  public var responseBodyBytes: Int64 = 0
  /// Bytes of the answer's body once its coding is undone.
  public var decodedBodyBytes: Int64 = 0

  /// The metrics of a request that is just beginning.
  public init(url: String, fetchStart: Timestamp) { (self.url, self.fetchStart) = (url, fetchStart) }

  /// A beginning and, if it came to one, an end.
  public struct Span: Hashable, Sendable {
    /// When it began.
    public var start: Timestamp
    /// When it ended; nil if it broke off.
    public var end: Timestamp?

    /// From one time to another.
    public init(start: Timestamp, end: Timestamp? = nil) { (self.start, self.end) = (start, end) }
  }

  /// One end of a connection.
  public struct Endpoint: Hashable, Sendable {
    /// The IP address in its usual notation.
    public var address: String
    /// The port.
    public var port: Int

    /// An address and a port.
    public init(address: String, port: Int) { (self.address, self.port) = (address, port) }
  }
}
