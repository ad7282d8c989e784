/// How a server takes uploads that can go on after a cut (draft-ietf-httpbis-resumable-upload), as well or as badly as
/// it says. Made with the defaults it is a perfect one that speaks the newest version.
public struct Collecting: Hashable, Sendable {
  /// What goes wrong with one request.
  public enum Mishap: Hashable, Sendable {
    /// Nothing.
    case none
    /// The connection closes after so many bytes of the request's body; they are kept.
    case cut(after: Int64)
    /// The same, and no interim answer comes before.
    case cutUninformed(after: Int64)
    /// All is taken and kept, and the connection closes instead of answering.
    case swallow
    /// This status; nothing is taken.
    case refuse(status: Int, headers: [String: String] = [:])
    /// The upload is forgotten, and the answer is 404.
    case forget
    /// The offset is told as this, to whatever is asked.
    case claim(offset: Int64)
    /// The answer has no offset.
    case silentOffset
    /// All is processed, and the answer to the upload as a whole is this.
    case outcome(status: Int, headers: [String: String] = [:])
  }

  /// The interop version that is spoken. Requests of another are refused with 400, as swift-nio-extras does it.
  public var version = 8
  /// Whether a request of another version is an ordinary upload.
  public var ignoresOtherVersions = false
  /// The most bytes that one request may bring.
  public var appendMax: Int64?
  /// Whether the bound is told in the 104 already, rather than with a 413 only.
  public var announcesLimit = true
  /// Whether 104 is sent.
  public var informs = true
  /// After how many bytes another 104 tells the offset.
  public var informsEvery: Int64?
  /// Where uploads are said to be; nil for a path on this server.
  public var elsewhere: String?
  /// Bytes that are read in a second; nil for as fast as they come.
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
