/// What the server does with one request.
public enum Script: Hashable, Sendable {
  /// Serves a resource as described.
  case serve(Serving)
  /// A whole answer with a `Content-Length`.
  case answer(status: Int, headers: [String: String] = [:], body: String = "")
  /// Header fields and a body of any bytes. If `announcing` is another length than theirs, the answer breaks off where
  /// they end; a negative length sends chunks with trailers.
  case bytes([UInt8], headers: [String: String] = [:], announcing: Int? = nil, trailers: [String: String] = [:])
  /// Redirects.
  case redirect(status: Int = 302, to: String)
  /// Receives the whole request body, remembers it, and answers.
  case take(status: Int = 200, body: String = "taken")
  /// Reads this many bytes of the request's body and closes.
  case cutRequest(after: Int64)
  /// Receives a resumable upload.
  case collect(Collecting)
  /// Answers before the body has come, and reads on.
  case answerEarly(status: Int)
  /// Reads the request and never answers.
  case silence
  /// Closes the connection instead of answering.
  case hangUp
  /// Header fields without end.
  case endlessHeaders
  /// Informational answers without end.
  case endlessInformation
  /// This many informational answers, each followed by a pause, then another script's answer.
  indirect case inform(status: Int, times: Int, pause: Duration = .zero, then: Script)
  /// A guard protects it: requests without credentials get a 401.
  indirect case guarded(Guard, then: Script)
  /// Aborts a request in HTTP/2 so that it is repeated in HTTP/1.1 (RFC 9113, section 7); then another script's answer.
  indirect case onlyInHTTP1(then: Script)
  /// These bytes, whatever they are; then the connection closes.
  case raw(String)
}

/// A resource, and how it is served. The defaults are those of a perfect server.
public struct Serving: Hashable, Sendable {
  /// What happens in the middle of the body.
  public enum Mishap: Hashable, Sendable {
    /// The connection closes.
    case cut
    /// The connection is reset.
    case reset
    /// Nothing more comes, and the connection stays open.
    case stall
    /// Nothing comes until ``HTTPTestServer/release(_:)`` is called for the path; then the rest.
    case hold
  }

  /// The bytes.
  public var content: Content
  /// The `ETag`, quotes included; nil for none.
  public var tag: String?
  /// The `Last-Modified`; a `Date` a year later goes with it.
  public var modified: String?
  /// Whether ranges are served; otherwise the whole comes each time.
  public var hasRanges = true
  /// Whether `If-Range` is honoured; otherwise a range of the present version is served.
  public var heedsIfRange = true
  /// Whether every request with `If-Range` gets the whole, changed or not, as from some CDNs.
  public var mishandlesIfRange = false
  /// What happens after ``mishapAfter`` bytes of the body.
  public var mishap: Mishap?
  /// After how many bytes.
  public var mishapAfter: Int64 = 0
  /// A false `Content-Length`; nil for the true one.
  public var announcedLength: Int64?
  /// A false `Content-Range`; nil for the true one.
  public var announcedRange: String?
  /// The most bytes that a part has, however much was asked for; nil for no limit.
  public var rangeMax: Int64?
  /// Whether the body comes in chunks, without a length.
  public var isChunked = false
  /// Whether the body ends where the connection does, without a length.
  public var endsByClosing = false
  /// Bytes per second; nil for no limit.
  public var speed: Int64?
  /// More header fields.
  public var headers: [String: String] = [:]

  /// Serves content under an entity tag derived from it.
  public init(_ content: Content) {
    self.content = content
    tag = "\"\(content.seed)-\(content.size)\""
  }

  /// The same with a change.
  public func with(_ change: (inout Serving) -> Void) -> Serving {
    var changed = self
    change(&changed)
    return changed
  }
}

/// A request as it came.
public struct SeenRequest: Hashable, Sendable {
  /// The method.
  public var method: String
  /// Path and query.
  public var target: String
  /// The header fields, names in lowercase; only the first of several with the same name.
  public var headers: [String: String]
  /// Bytes of the body that came.
  public var bodyLength: Int64 = 0
  /// Their SHA-256; nil until the body is complete.
  public var bodyDigest: String?
  /// Which connection it came on, counted from 1.
  public var connection: Int
}
