import Foundation
import FoundationNetworking
import NightjarModel
import NightjarWire

/// The state of a load that was suspended, or that resumes with resume data.
///
/// After a suspension FoundationNetworking begins again at the first byte and delivers everything twice. So we cancel
/// its task and start a new one for the rest: with a range, if the server has given a validator (RFC 9110, section
/// 13.1.5), or else for the whole, whose beginning is left out if it is the same version. `BodyPlan` interprets the
/// answer to a request for the rest, here as in the daemon.
struct LocalParting {
  /// Whether FoundationNetworking's task was cancelled by a suspension.
  var isParted = false
  /// The number of bytes that have arrived, including those of resume data.
  private(set) var count = 0
  /// Whether the arriving body is that of a refusal, while the task has the beginning of a file.
  var isBarred = false
  /// Whether the delegate has yet to be told that the task resumes with resume data.
  private(set) var isResuming = false
  /// The number of bytes that arrive for the second time, and are left out.
  private var skip = 0
  private var first: URLResponse?
  private var validator: Validator?
  private var length: Int64?
  /// Where the bytes have come from, which redirects decide.
  private var provenance: Provenance?
  /// Whether the present request can be made for a part.
  private var isPlain = false
  /// The point from which the rest was asked for, until that is answered.
  private var asked: ResumePoint?

  /// A load from its first byte.
  init() {}

  /// A load that resumes an earlier one.
  init(_ point: ResumePoint) {
    (count, validator, length, isResuming) = (Int(point.offset), point.validator, point.length, true)
    provenance = point.provenance
  }

  /// What to do with an answer.
  enum Reading: Equatable {
    /// Tell the delegate of it.
    case tell
    /// Go on: the rest follows.
    case goOn
    /// Tell the delegate that the task resumes with resume data: the rest follows.
    case resumed(wholeLength: Int64?)
    /// Start the file over.
    case beginAnew
    /// Ask for the whole: it does not answer the request for the rest.
    case askForWhole
    /// Fail: it is of another version than the bytes that were delivered.
    case lost
  }

  /// The request for the bytes that have not arrived.
  mutating func request(_ original: URLRequest) -> URLRequest {
    (isPlain, asked, skip) = (original.isPlain, nil, 0)
    guard isPlain, count > 0, let validator else { return original }
    var rest = original
    asked = resumePoint(at: Int64(count), of: validator)
    rest.setValue("bytes=\(count)-", forHTTPHeaderField: "Range")
    rest.setValue(validator.fieldValue, forHTTPHeaderField: "If-Range")
    rest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    return rest
  }

  /// Reads an answer's head.
  mutating func read(_ response: URLResponse, hasFile: Bool) -> Reading {
    defer { asked = nil }
    guard let asked, let response = response as? HTTPURLResponse else { return readWhole(response, hasFile: hasFile) }
    let host = response.url?.host ?? "the server"
    switch BodyPlan(response.head, asked: asked, from: response.provenance, isResumable: true, host: host) {
    case .append(let whole): return goOn(whole)
    case .complete(let whole):
      skip = .max  // The body is the server's error message.
      return goOn(whole)
    case .requestPlainly:  // The answer is the whole of the same version.
      skip = count
      return goOn(asked.length)
    case .begin: return readWhole(response, hasFile: hasFile)
    case .appendBeginning, .requestWhole, .refuse:
      validator = nil
      return .askForWhole
    }
  }

  private mutating func goOn(_ wholeLength: Int64?) -> Reading {
    length = wholeLength ?? length
    defer { isResuming = false }
    return isResuming ? .resumed(wholeLength: length) : .goOn
  }

  /// Reads the head of an answer that begins at the first byte.
  private mutating func readWhole(_ response: URLResponse, hasFile: Bool) -> Reading {
    guard count > 0 || first != nil && !hasFile else {
      note(response)
      return .tell
    }
    if hasFile {
      (count, isResuming) = (0, false)
      note(response)
      return .beginAnew
    }
    guard let first, goesOn(response, after: first) else { return .lost }
    skip = count
    return .goOn
  }

  /// Whether an answer can stand for the one that the delegate has been told of. One without validators, as one of
  /// another protocol is, may be of any version, so it can do so only as long as no byte was delivered. Where it comes
  /// from does not matter: redirects may lead to another path each time, and what was delivered cannot be begun anew.
  private func goesOn(_ response: URLResponse, after first: URLResponse) -> Bool {
    guard let response = response as? HTTPURLResponse, let first = first as? HTTPURLResponse else { return count == 0 }
    let (new, old) = (Self.version(response), Self.version(first))
    return response.statusCode == first.statusCode && new == old && (new != nil || count == 0)
  }

  private mutating func note(_ response: URLResponse) {
    let head = (response as? HTTPURLResponse)?.head
    let known = isPlain && head?.status == 200 && head?.codings.isEmpty == true ? head : nil
    (first, validator, length) = (response, known?.validator, known?.contentLength)
    provenance = response.provenance
  }

  /// Counts arriving bytes, and returns those that are new.
  mutating func take(_ data: Data) -> Data {
    if isBarred { return Data() }
    let old = min(skip, data.count)
    skip -= old
    count += data.count - old
    return old == 0 ? data : Data(data.dropFirst(old))  // Its first index is 0, as delegates expect.
  }

  /// The point where another task could resume; nil without bytes of a known version. For a file that is complete the
  /// last byte is left to ask for.
  var point: ResumePoint? {
    let safe = length.map { min(Int64(count), $0 - 1) } ?? Int64(count)
    guard let validator, safe > 0 else { return nil }
    return resumePoint(at: safe, of: validator)
  }

  private func resumePoint(at offset: Int64, of validator: Validator) -> ResumePoint {
    var point = ResumePoint(offset: offset, validator: validator, length: length)
    point.provenance = provenance
    return point
  }

  /// Identifies the version of an answer; nil without validators.
  private static func version(_ response: HTTPURLResponse) -> [String?]? {
    let version = ["ETag", "Last-Modified"].map { response.value(forHTTPHeaderField: $0) }
    return version == [nil, nil] ? nil : version + ["\(response.expectedContentLength)"]
  }
}

extension URLRequest {
  /// Whether a later request for the rest would be for the same resource.
  var isPlain: Bool {
    (httpMethod ?? "GET") == "GET" && httpBody == nil && httpBodyStream == nil
      && value(forHTTPHeaderField: "Range") == nil
  }
}

extension URLResponse {
  /// Where it comes from, once all redirects were followed.
  fileprivate var provenance: Provenance? { url.flatMap { Provenance(url: $0.absoluteString) } }
}

extension HTTPURLResponse {
  /// The head as the daemon's engine would see it.
  var head: AnswerHead {
    let fields = allHeaderFields.map { HTTPField("\($0.key)", "\($0.value)") }
    return AnswerHead(status: statusCode, headers: fields.sorted { $0.name < $1.name })
  }

  /// The answer to a request for the rest as an answer to one for the whole (RFC 9110, section 15.3.7.3).
  func showingWhole(_ length: Int64?) -> HTTPURLResponse {
    guard statusCode != 200, let url, let length else { return self }
    let whole = head.response(from: url.absoluteString, wholeLength: length)
    let fields = Dictionary(whole.headers.map { ($0.name, $0.value) }) { first, _ in first }
    return NamedResponse(url: url, statusCode: whole.status, httpVersion: "HTTP/1.1", headerFields: fields) ?? self
  }
}
