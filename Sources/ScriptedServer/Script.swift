/// What the server does with one request.
public enum Script: Hashable, Sendable {
  /// Serves a resource, as well or as badly as it says.
  case serve(Serving)
  /// A whole answer with a `Content-Length`.
  case answer(status: Int, headers: [String: String] = [:], body: String = "")
  /// Header fields and a body of any bytes. `announcing` another length than theirs breaks off where they end; a
  /// negative one sends chunks, whose trailers follow.
  case bytes([UInt8], headers: [String: String] = [:], announcing: Int? = nil, trailers: [String: String] = [:])
  /// Sends us on.
  case redirect(status: Int = 302, to: String)
  /// Takes the whole request body, remembers it, and answers.
  case take(status: Int = 200, body: String = "taken")
  /// Reads so many bytes of the request's body and closes.
  case cutRequest(after: Int64)
  /// Takes an upload that can go on after a cut.
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
  /// So many informational answers, each followed by a pause, then another script's answer.
  indirect case inform(status: Int, times: Int, pause: Duration = .zero, then: Script)
  /// A guard stands before it: who does not show what is wanted gets a 401.
  indirect case guarded(Guard, then: Script)
  /// Breaks a request in HTTP/2 off to have it in HTTP/1.1 (RFC 9113, section 7); then another script's answer.
  indirect case onlyInHTTP1(then: Script)
  /// These bytes, whatever they are; then the connection closes.
  case raw(String)
}

/// A resource, and how it is served. Made with the defaults it is a perfect server's.
public struct Serving: Hashable, Sendable {
  /// What happens in the middle of the body.
  public enum Mishap: Hashable, Sendable {
    /// The connection closes.
    case cut
    /// The connection is reset.
    case reset
    /// Nothing comes any more, and the connection stays.
    case stall
    /// Nothing comes until ``HTTPTestServer/release(_:)`` lets the path go on; then the rest.
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
  /// Whether `If-Range` is looked at; otherwise a range is served of whatever there is.
  public var heedsIfRange = true
  /// Whether the whole is sent to whoever asks with `If-Range`, changed or not, as some CDNs do.
  public var mishandlesIfRange = false
  /// What happens after so many bytes of the body.
  public var mishap: Mishap?
  /// After how many bytes.
  public var mishapAfter: Int64 = 0
  /// What `Content-Length` says, if it is not the truth.
  public var announcedLength: Int64?
  /// What `Content-Range` says, if it is not the truth.
  public var announcedRange: String?
  /// Whether the body comes in chunks, without a length.
  public var isChunked = false
  /// Whether the body ends where the connection does, without a length.
  public var endsByClosing = false
  /// Bytes in a second; nil for as fast as it goes.
  public var speed: Int64?
  /// More header fields.
  public var headers: [String: String] = [:]

  /// Serves bytes under an entity tag made of them.
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
  /// The header fields, names in lower case; of several with one name, the first.
  public var headers: [String: String]
  /// Bytes of the body that came.
  public var bodyLength: Int64 = 0
  /// Their SHA-256; nil until the body is complete.
  public var bodyDigest: String?
  /// Which connection it came on, counted from 1.
  public var connection: Int
}
