/// A version of the draft *Resumable Uploads for HTTP* that is spoken here.
///
/// The raw value is its number in `Upload-Draft-Interop-Version` (draft-ietf-httpbis-resumable-upload). A draft and its
/// server understand each other only if both name the same number.
public enum UploadVersion: Int, Hashable, Comparable, Sendable, CaseIterable {
  /// Draft 01: `Upload-Incomplete`.
  case three = 3
  /// Draft 03: `Upload-Complete` in its place.
  case five = 5
  /// Drafts 04 and 05: `application/partial-upload`, `Upload-Length`, `Upload-Limit`, problem types.
  case six = 6
  /// Drafts from 09 on, the newest: answers need no `Upload-Offset`, and limits bind.
  case eight = 8

  public static func < (a: UploadVersion, b: UploadVersion) -> Bool { a.rawValue < b.rawValue }
}

/// A server's resource for an upload that can be resumed: it is asked for its offset and sent the rest. Once the server
/// has carried the upload out, it is the page that its answer has led to (RFC 9110, section 15.4.4). So it may be for a
/// download whose request must not be made twice.
///
/// Whoever knows the URL can change the upload, so it appears in no list and in no log.
public struct UploadResource: Hashable, Sendable {
  /// Its absolute URL.
  public var url: String
  /// The version that the server agreed to; nil where it has carried the upload out, and only the page is to be
  /// fetched.
  public var version: UploadVersion?
  /// The most bytes that it takes with one request (`max-append-size`); nil for no bound.
  public var appendMax: Int64?
  /// The origin that named the URL, such as `https://files.example:443`; nil where it is unknown. Credentials go along
  /// only if that is the origin to which the client itself wanted the file sent.
  public var namer: String?

  /// A server's upload resource, or without a version the page that an upload has led to.
  public init(url: String, version: UploadVersion?, appendMax: Int64? = nil, namer: String? = nil) {
    (self.url, self.version, self.appendMax, self.namer) = (url, version, appendMax, namer)
  }
}
