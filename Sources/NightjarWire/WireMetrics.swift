/// The timing of the last attempt at a task: one exchange for each request, redirects included, oldest first.
public struct WireMetrics: Codable, Hashable, Sendable {
  /// The requests.
  public var exchanges: [Exchange]
  /// How many redirects were followed.
  public var redirects: Int64

  /// The metrics of these requests.
  public init(exchanges: [Exchange], redirects: Int64) { (self.exchanges, self.redirects) = (exchanges, redirects) }

  /// One request and its answer. Times are in nanoseconds since 1970; what was not needed or is unknown is nil.
  public struct Exchange: Codable, Hashable, Sendable {
    /// Where the request went.
    public var url: String
    /// The status of the answer.
    public var status: Int64?
    /// When a connection was requested.
    public var fetchStart: Int64
    /// The lookup of the host's name.
    public var lookup: Span?
    /// The setup of the connection, TLS included.
    public var connect: Span?
    /// TLS alone.
    public var secure: Span?
    /// The sending of the request.
    public var request: Span?
    /// The receipt of the answer.
    public var response: Span?
    /// `http/1.1` or `h2`.
    public var `protocol`: String?
    /// Whether the connection had served another request before.
    public var reused: Bool
    /// Whether it went through a proxy.
    public var proxied: Bool
    /// Our end of the connection.
    public var local: Endpoint?
    /// The other end.
    public var remote: Endpoint?
    /// TLS's own number for its version: 771 for 1.2, 772 for 1.3.
    public var tlsVersion: Int64?
    /// Bytes of the request's head.
    public var requestHeaderBytes: Int64
    /// Bytes of its body.
    public var requestBodyBytes: Int64
    /// Bytes of the answer's heads.
    public var responseHeaderBytes: Int64
    /// Bytes of its body as they came.
    public var responseBodyBytes: Int64
    /// Bytes of the response's body after its content coding is removed.
    public var decodedBodyBytes: Int64

    /// A request that has no answer yet.
    public init(url: String, fetchStart: Int64) {
      (self.url, self.fetchStart, reused, proxied) = (url, fetchStart, false, false)
      (requestHeaderBytes, requestBodyBytes) = (0, 0)
      (responseHeaderBytes, responseBodyBytes, decodedBodyBytes) = (0, 0, 0)
    }
  }

  /// A beginning and, if it came to one, an end.
  public struct Span: Codable, Hashable, Sendable {
    /// When it began.
    public var start: Int64
    /// When it ended.
    public var end: Int64?

    /// From one time to another.
    public init(start: Int64, end: Int64?) { (self.start, self.end) = (start, end) }
  }

  /// One end of a connection.
  public struct Endpoint: Codable, Hashable, Sendable {
    /// The IP address.
    public var address: String
    /// The port.
    public var port: Int64

    /// An address and a port.
    public init(address: String, port: Int64) { (self.address, self.port) = (address, port) }
  }
}
