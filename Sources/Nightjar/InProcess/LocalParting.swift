import Foundation
import FoundationNetworking
import NightjarModel
import NightjarWire

/// What a load needs to go on that was suspended, or goes on with resume data.
///
/// FoundationNetworking begins again at the first byte after a suspension and hands out everything twice, so we give its
/// task up instead and ask a new one for the rest: by a range, if the server named a version (RFC 9110, section 13.1.5),
/// or else for the whole, of which the beginning is left out if it is the same version. How an answer to a request for
/// the rest is read, `BodyPlan` says, for the daemon and for us.
struct LocalParting {
  /// Whether there is no task of FoundationNetworking's at present.
  var isParted = false
  /// Bytes that have come, resume data's included.
  private(set) var count = 0
  /// Whether what comes is a refusal's, and not what the task came for.
  var isBarred = false
  /// Whether the delegate has yet to hear that the task goes on with resume data.
  private(set) var isResuming = false
  /// Bytes that come for the second time and are left out.
  private var skip = 0
  private var first: HTTPURLResponse?
  private var validator: Validator?
  private var length: Int64?
  /// Whether the request that is under way can be asked for in parts.
  private var isPlain = false
  /// The point that the rest was asked for from, until that is answered.
  private var asked: ResumePoint?

  /// A load from its first byte.
  init() {}

  /// A load that goes on with what an earlier one has left.
  init(_ point: ResumePoint) {
    (count, validator, length, isResuming) = (Int(point.offset), point.validator, point.length, true)
  }

  /// What to do with an answer.
  enum Reading: Equatable {
    /// It is the first, or the delegate may as well hear of it.
    case tell
    /// The rest follows.
    case goOn
    /// The rest of what resume data has the beginning of follows; the whole is so long.
    case resumed(wholeLength: Int64?)
    /// The file begins anew.
    case beginAnew
    /// It is no answer to a request for the rest: the whole has to be asked for.
    case askForWhole
    /// What was handed out belongs to something else.
    case lost
  }

  /// The request for what has not come.
  mutating func request(_ original: URLRequest) -> URLRequest {
    (isPlain, asked) = (original.isPlain, nil)
    guard isPlain, count > 0, let validator else { return original }
    var rest = original
    asked = ResumePoint(offset: Int64(count), validator: validator, length: length)
    rest.setValue("bytes=\(count)-", forHTTPHeaderField: "Range")
    rest.setValue(validator.fieldValue, forHTTPHeaderField: "If-Range")
    rest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    return rest
  }

  /// Looks at an answer's head.
  mutating func read(_ response: URLResponse, hasFile: Bool) -> Reading {
    guard let response = response as? HTTPURLResponse else { return .tell }
    defer { asked = nil }
    guard let asked else { return readWhole(response, hasFile: hasFile) }
    switch BodyPlan(response.head, asked: asked, isResumable: true, host: response.url?.host ?? "the server") {
    case .append(let whole): return goOn(whole)
    case .complete(let whole):
      skip = .max  // What follows are the server's words about it.
      return goOn(whole)
    case .askPlainly:  // It is the whole of the same version.
      skip = count
      return goOn(asked.length)
    case .begin: return readWhole(response, hasFile: hasFile)
    case .askForWhole, .refuse:
      validator = nil
      return .askForWhole
    }
  }

  private mutating func goOn(_ wholeLength: Int64?) -> Reading {
    length = wholeLength ?? length
    defer { isResuming = false }
    return isResuming ? .resumed(wholeLength: length) : .goOn
  }

  /// Looks at the head of what is served from its first byte.
  private mutating func readWhole(_ response: HTTPURLResponse, hasFile: Bool) -> Reading {
    guard count > 0 else {
      note(response)
      return .tell
    }
    if hasFile {
      (count, isResuming) = (0, false)
      note(response)
      return .beginAnew
    }
    guard let first, response.statusCode == first.statusCode, Self.version(response) == Self.version(first) else {
      return .lost
    }
    skip = count
    return .goOn
  }

  private mutating func note(_ response: HTTPURLResponse) {
    let head = response.head
    let canGoOn = isPlain && head.status == 200 && head.codings.isEmpty
    (first, validator, length) = (response, canGoOn ? head.validator : nil, canGoOn ? head.contentLength : nil)
  }

  /// The part of some bytes that is new.
  mutating func take(_ data: Data) -> Data {
    if isBarred { return Data() }
    let old = min(skip, data.count)
    skip -= old
    count += data.count - old
    return data.dropFirst(old)
  }

  /// Where another task could go on; nil where nothing has come that is of a known version. Of a file that is whole the
  /// last byte is left to be asked for.
  var point: ResumePoint? {
    let safe = length.map { min(Int64(count), $0 - 1) } ?? Int64(count)
    guard let validator, safe > 0 else { return nil }
    return ResumePoint(offset: safe, validator: validator, length: length)
  }

  /// What tells one version from another; nothing at all is no version.
  private static func version(_ response: HTTPURLResponse) -> [String?] {
    let version = ["ETag", "Last-Modified"].map { response.value(forHTTPHeaderField: $0) }
    return version == [nil, nil] ? [UUID().uuidString] : version + ["\(response.expectedContentLength)"]
  }
}

extension URLRequest {
  /// Whether a later request for the rest would mean the same resource.
  var isPlain: Bool {
    (httpMethod ?? "GET") == "GET" && httpBody == nil && httpBodyStream == nil
      && value(forHTTPHeaderField: "Range") == nil
  }
}

extension HTTPURLResponse {
  /// The head as the daemon's engine would see it.
  var head: AnswerHead {
    let fields = allHeaderFields.map { HTTPField("\($0.key)", "\($0.value)") }
    return AnswerHead(status: statusCode, headers: fields.sorted { $0.name < $1.name })
  }

  /// The answer to a request for the rest, shown as the one to a request for the whole (RFC 9110, section 15.3.7.3).
  func showingWhole(_ length: Int64?) -> HTTPURLResponse {
    guard statusCode != 200, let url, let length else { return self }
    let whole = head.response(from: url.absoluteString, wholeLength: length)
    let fields = Dictionary(whole.headers.map { ($0.name, $0.value) }) { first, _ in first }
    return NamedResponse(url: url, statusCode: whole.status, httpVersion: "HTTP/1.1", headerFields: fields) ?? self
  }
}
