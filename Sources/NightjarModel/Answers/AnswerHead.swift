/// The head of a server's answer, with the readings of it that transfers need.
package struct AnswerHead: Hashable, Sendable {
  package var status: Int
  package var headers: [HTTPField]
  /// When it came, in seconds since 1970 by the clock of this machine, where that is known.
  package var received: Int64?

  package init(status: Int, headers: [HTTPField]) { (self.status, self.headers) = (status, headers) }

  /// The length of the answer's body where the server said one.
  package var contentLength: Int64? {
    guard headers[field: "Transfer-Encoding"] == nil, let text = headers[field: "Content-Length"] else { return nil }
    return Int64(text)
  }

  /// The range that the body is, or the whole length that a 416 gives (RFC 9110, section 14.4).
  package var contentRange: ContentRange? { headers[field: "Content-Range"].flatMap(ContentRange.init) }

  /// The validator by which a download of this version may be resumed.
  ///
  /// A strong entity tag; without any tag a `Last-Modified` at least a second older than `Date`, which makes it strong
  /// (RFC 9110, sections 8.8.2.2 and 13.1.5). A tag too long to be kept does not count, nor does one that is not ASCII:
  /// two of those that differ may read the same here.
  package var validator: Validator? {
    if let tag = headers[field: "ETag"] {
      let isExact = tag.utf8.count <= Self.validatorMax && tag.utf8.allSatisfy { 0x20...0x7E ~= $0 }
      return tag.hasPrefix("\"") && isExact ? .entityTag(tag) : nil
    }
    guard let modified = headers[field: "Last-Modified"], let date = headers[field: "Date"],
      let first = HTTPDate.seconds(modified), let second = HTTPDate.seconds(date), first < second
    else { return nil }
    return .lastModified(modified)
  }

  private static let validatorMax = 1024

  /// How long the server asks to be left alone (RFC 9110, section 10.2.3); a date counts from the answer's own
  /// `Date`, or without one from when it came (section 6.6.1).
  package var retryAfter: Duration? {
    guard let text = headers[field: "Retry-After"] else { return nil }
    if let seconds = Int64(text) { return seconds >= 0 ? .seconds(min(seconds, Self.retryAfterMax)) : nil }
    let date = headers[field: "Date"].flatMap(HTTPDate.seconds)
    guard let then = HTTPDate.seconds(text), let now = date ?? received else { return nil }
    return .seconds(min(max(then - now, 0), Self.retryAfterMax))
  }

  /// A year; what is longer would only overflow somewhere.
  private static let retryAfterMax: Int64 = 366 * 86_400

  /// Whether the server says that it is busy or broken for now.
  package var isBusy: Bool { Self.unheard.contains(status) || [500, 502, 504].contains(status) }

  /// Whether the server says that it has had too many requests, of this client or of all.
  package var isThrottling: Bool { [429, 503].contains(status) }

  /// Whether a request is repeated because the server is busy. One that must not be carried out twice (RFC 9110,
  /// section 9.2.2) is repeated only if the server says that it has not carried it out at all.
  package func isBusy(for method: String) -> Bool {
    Self.isRepeatable(method) ? isBusy : Self.unheard.contains(status)
  }

  /// Whether a request may be carried out twice.
  package static func isRepeatable(_ method: String) -> Bool { idempotent.contains(method) }

  /// Whether a redirect leads from a request to a page, which is fetched without a body (RFC 9110, section 15.4).
  package static func becomesGet(after status: Int, method: String) -> Bool {
    switch status {
    case 303: method != "HEAD" && method != "GET"
    case 301, 302: method == "POST"
    default: false
    }
  }

  /// Whether an answer to a request has a body (RFC 9110, section 6.4.1).
  package static func hasBody(_ status: Int, to method: String) -> Bool {
    method != "HEAD" && status != 204 && status != 304
  }

  private static let idempotent = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
  /// Too slow, too early, too many requests, unavailable.
  private static let unheard = [408, 425, 429, 503]

  /// The answer as its receiver sees it.
  package func response(from url: String) -> Response { Response(url: url, status: status, headers: headers) }

  /// The answer to a request for the rest, shown as the answer to a request for the whole, which is what was asked for
  /// (RFC 9110, section 15.3.7.3).
  package func response(from url: String, wholeLength: Int64) -> Response {
    let parts = ["content-range", "content-length", "transfer-encoding"]
    let kept = headers.filter { !parts.contains($0.name.lowercased()) }
    return Response(url: url, status: 200, headers: kept + [HTTPField("Content-Length", "\(wholeLength)")])
  }
}
