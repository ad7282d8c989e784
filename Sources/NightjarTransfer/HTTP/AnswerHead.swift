import NIOHTTP1
import NightjarModel

/// The head of a server's answer, with the readings of it that transfers need.
struct AnswerHead: Hashable, Sendable {
  var status: Int
  var headers: [HTTPField]

  init(status: Int, headers: [HTTPField]) { (self.status, self.headers) = (status, headers) }

  init(_ head: HTTPResponseHead) {
    self.init(status: Int(head.status.code), headers: head.headers.map { HTTPField($0.name, $0.value) })
  }

  /// The length of the answer's body where the server said one.
  var contentLength: Int64? {
    guard headers[field: "Transfer-Encoding"] == nil, let text = headers[field: "Content-Length"] else { return nil }
    return Int64(text)
  }

  /// The range that the body is, or the whole length that a 416 tells (RFC 9110, section 14.4).
  var contentRange: ContentRange? { headers[field: "Content-Range"].flatMap(ContentRange.init) }

  /// The ground on which this version may be resumed.
  ///
  /// A strong entity tag; without any tag a `Last-Modified` at least a second older than `Date`, which makes it strong
  /// (RFC 9110, sections 8.8.2.2 and 13.1.5). One too long to be kept counts for nothing.
  var validator: Validator? {
    if let tag = headers[field: "ETag"] {
      return tag.hasPrefix("\"") && tag.utf8.count <= Self.validatorMax ? .entityTag(tag) : nil
    }
    guard let modified = headers[field: "Last-Modified"], let date = headers[field: "Date"],
      let first = HTTPDate.seconds(modified), let second = HTTPDate.seconds(date), first < second
    else { return nil }
    return .lastModified(modified)
  }

  private static let validatorMax = 1024

  /// How long the server asks to be left alone (RFC 9110, section 10.2.3); a date counts from the answer's own `Date`.
  var retryAfter: Duration? {
    guard let text = headers[field: "Retry-After"] else { return nil }
    if let seconds = Int64(text) { return seconds >= 0 ? .seconds(min(seconds, Self.retryAfterMax)) : nil }
    guard let then = HTTPDate.seconds(text), let now = headers[field: "Date"].flatMap(HTTPDate.seconds) else {
      return nil
    }
    return .seconds(min(max(then - now, 0), Self.retryAfterMax))
  }

  /// A year; what is longer would only overflow somewhere.
  private static let retryAfterMax: Int64 = 366 * 86_400

  /// Whether the server says that it is busy or broken for now.
  var isBusy: Bool { [408, 425, 429, 500, 502, 503, 504].contains(status) }

  /// The answer as its receiver sees it.
  func response(from url: String) -> Response { Response(url: url, status: status, headers: headers) }

  /// The answer to a request for the rest, shown as the answer to a request for the whole, which is what was asked for
  /// (RFC 9110, section 15.3.7.3).
  func response(from url: String, wholeLength: Int64) -> Response {
    let parts = ["content-range", "content-length", "transfer-encoding"]
    let kept = headers.filter { !parts.contains($0.name.lowercased()) }
    return Response(url: url, status: 200, headers: kept + [HTTPField("Content-Length", "\(wholeLength)")])
  }
}

/// The value of a `Content-Range` field in bytes.
struct ContentRange: Hashable, Sendable {
  /// First and last position, both included; nil in a 416.
  var positions: ClosedRange<Int64>?
  /// The whole length; nil for `*`.
  var total: Int64?

  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, halves[1] == "*" || Self.number(halves[1]) != nil else { return nil }
    total = Self.number(halves[1])
    if halves[0] == "*" { return }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < total ?? .max else {
      return nil
    }
    positions = first...last
  }

  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil
  }
}
