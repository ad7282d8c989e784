import Foundation
import FoundationNetworking
import NightjarModel
import NightjarWire

/// The resume data that an app keeps of a cancelled or failed task, to go on with it later.
///
/// A binary property list, opaque to apps. It has the request without the credentials that a server challenges for, and
/// without those in its URL; keys that a server wants unasked are in it, since it would refuse to go on. It also has
/// the token by which the daemon knows the bytes that it keeps, or the upload that a server keeps. The bytes and the
/// URL of the resumable upload, which is a secret, never leave the daemon. For an upload the data has the path of its
/// file. A download of a session in the app's own process keeps its bytes in the temporary folder, under a name made of
/// the token, and its data has the version of the file, and the host and path that it has come from. The data leaves
/// the app under a ``ResumeSeal``, and only what has one is read. Even so it is bounded, and the daemon checks the
/// token against the app and the URL.
struct ResumeData: Hashable {
  /// The property list. Its types are plain, so that decoding one of any other shape can only fail.
  private struct Form: Codable {
    var version: Int
    var token: String
    var url: String
    var method: String
    var headers: [[String]]
    var offset: Int64
    var length: Int64?
    var file: String?
    /// Whether the request allows cellular networks; without it, it does. The other wishes stand among the headers.
    var allowsCellular: Bool?
    /// The version of the file that the bytes of a download in the app's own process belong to.
    var validator: String?
    /// Where those bytes have come from; data of an older version does not have it.
    var provenance: String?

    var isSound: Bool {
      guard token.utf8.count == 32, token.utf8.allSatisfy(Self.isHexDigit) else { return false }
      guard headers.allSatisfy({ $0.count == 2 && $0.allSatisfy(Self.isOneLine) }) else { return false }
      guard let file else { return method == "GET" && isWithinBounds }
      return file.hasPrefix("/") && !file.contains("\0") && !["", "GET", "HEAD"].contains(method)
    }

    private var isWithinBounds: Bool {
      guard let validator else { return true }
      let isVersion = Self.isOneLine(validator) && (1...1024).contains(validator.utf8.count)
      return isVersion && offset > 0 && offset < length ?? .max
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
      (48...57).contains(byte) || (97...102).contains(byte)
    }

    private static func isOneLine(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 } }

    /// What the daemon knows a task of a background session by; nil for a download in the app's own process.
    var remnant: AppInterface.Remnant? {
      validator == nil ? AppInterface.Remnant(token: token, offset: offset, length: length) : nil
    }

    /// Where a download in the app's own process goes on.
    var point: ResumePoint? {
      validator.map { text in
        let validator = text.hasPrefix("\"") ? Validator.entityTag(text) : .lastModified(text)
        var point = ResumePoint(offset: offset, validator: validator, length: length)
        point.provenance = provenance.map(Provenance.init(text:))
        return point
      }
    }
  }

  let token: String
  let request: URLRequest
  /// The file that an upload sends; nil for a download.
  let file: String?
  /// What a task of a background session goes on with; nil for the data of a download in the app's own process.
  let remnant: AppInterface.Remnant?
  /// Where a download in the app's own process goes on; nil for the data of a background session.
  let point: ResumePoint?

  /// Makes the resume data of a task of a background session, without its seal; nil without a remnant.
  static func of(_ remnant: AppInterface.Remnant?, request: URLRequest?, file: String? = nil) -> Data? {
    guard let remnant else { return nil }
    return data(token: remnant.token, request, offset: remnant.offset, length: remnant.length) { $0.file = file }
  }

  /// Makes the resume data of a download in the app's own process, without its seal.
  static func of(_ remnant: LocalRemnant, request: URLRequest?) -> Data? {
    let point = remnant.point
    return data(token: remnant.token, request?.withoutWishes, offset: point.offset, length: point.length) {
      $0.validator = point.validator?.fieldValue
      $0.provenance = point.provenance?.text
    }
  }

  private static func data(
    token: String, _ request: URLRequest?, offset: Int64, length: Int64?, _ complete: (inout Form) -> Void
  ) -> Data? {
    guard let request, let url = request.url else { return nil }
    let headers = (request.allHTTPHeaderFields ?? [:]).filter { !isSecret($0.key) }.sorted { $0.key < $1.key }
    var form = Form(
      version: version, token: token, url: url.absoluteString.withoutCredentials,
      method: request.httpMethod ?? "GET", headers: headers.map { [$0.key, $0.value] }, offset: offset, length: length)
    form.allowsCellular = request.allowsCellularAccess ? nil : false
    complete(&form)
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try? encoder.encode(form)
  }

  /// Reads resume data without its seal.
  init(_ data: Data) throws(SessionFailure) {
    guard data.count <= LinkLimits.resumeDataBytesMax else { throw Self.tooLong }
    guard BinaryPropertyList.isSound(Array(data)), let form = try? PropertyListDecoder().decode(Form.self, from: data)
    else { throw Self.unusable("it was not made by Nightjar, or a part of it is missing") }
    guard form.version == Self.version else { throw Self.unusable("it is of version \(form.version)") }
    guard let url = URL(string: form.url), ["http", "https"].contains(url.scheme?.lowercased() ?? "") else {
      throw Self.unusable("its URL cannot be loaded")
    }
    guard form.isSound else { throw Self.unusable("it is not what was given out") }
    var request = URLRequest(url: url)
    request.httpMethod = form.method
    for header in form.headers { request.setValue(header[1], forHTTPHeaderField: header[0]) }
    request.allowsCellularAccess = form.allowsCellular ?? true
    (token, self.request, file) = (form.token, request, form.file)
    (remnant, point) = (form.remnant, form.point)
  }

  /// Reads the app's own resume data of an upload or of a download; the other kind is refused.
  static func read(
    _ sealed: Data, ofUpload isUpload: Bool, under seal: ResumeSeal
  ) -> Result<ResumeData, SessionFailure> {
    Result { () throws(SessionFailure) in
      guard sealed.count <= LinkLimits.resumeDataBytesMax + ResumeSeal.codeBytes else { throw tooLong }
      guard let data = seal.opened(sealed) else {
        throw unusable("this app has not made it, an older version of Nightjar has, or it was changed")
      }
      let read = try ResumeData(data)
      guard (read.file != nil) == isUpload else {
        throw unusable(isUpload ? "it is that of a download" : "it is that of an upload")
      }
      return read
    }
  }

  private static let version = 1

  private static var tooLong: SessionFailure {
    unusable("it is longer than \(LinkLimits.resumeDataBytesMax >> 10) KiB")
  }

  private static func unusable(_ why: String) -> SessionFailure {
    SessionFailure(.cannotDecodeRawData, "The resume data cannot be used: \(why). Begin anew.")
  }

  /// Whether a field has credentials that a server challenges for, or cookies, which the session's storage has.
  private static func isSecret(_ name: String) -> Bool {
    ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased())
  }
}
