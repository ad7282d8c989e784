/// How a server handles resumable uploads (draft-ietf-httpbis-resumable-upload). The defaults are a perfect server of
/// the newest version.
public struct Collecting: Hashable, Sendable {
  /// What goes wrong with one request.
  public enum Mishap: Hashable, Sendable {
    /// Nothing.
    case none
    /// The connection closes after this many bytes of the request's body; they are kept.
    case cut(after: Int64)
    /// The same, without an interim answer before.
    case cutUninformed(after: Int64)
    /// The whole body is kept, and the connection closes instead of an answer.
    case swallow
    /// The answer has this status; nothing is kept.
    case refuse(status: Int, headers: [String: String] = [:])
    /// The upload is forgotten, and the answer is 404.
    case forget
    /// Every answer gives this offset.
    case claim(offset: Int64)
    /// The answer has no offset.
    case silentOffset
    /// The whole upload is processed, and this is its final answer.
    case outcome(status: Int, headers: [String: String] = [:])
  }

  /// The supported interop version. Requests of another are refused with 400, as by swift-nio-extras.
  public var version = 8
  /// Whether a request of another version is handled as an ordinary upload.
  public var ignoresOtherVersions = false
  /// The most bytes that one request may bring.
  public var appendMax: Int64?
  /// Whether ``appendMax`` is announced in the 104 already, rather than only by a 413.
  public var announcesLimit = true
  /// Whether 104 is sent.
  public var informs = true
  /// After how many bytes another 104 reports the offset.
  public var informsEvery: Int64?
  /// The `Location` of uploads; nil for a path on this server.
  public var elsewhere: String?
  /// Bytes that are read per second; nil for no limit.
  public var speed: Int64?
  /// What goes wrong with the requests, in turn.
  public var mishaps: [Mishap] = []

  /// A perfect server.
  public init() {}

  /// The same with a change.
  public func with(_ change: (inout Collecting) -> Void) -> Collecting {
    var changed = self
    change(&changed)
    return changed
  }
}
