import Foundation
import FoundationNetworking
import NightjarWire

/// What an app keeps of a task that it cancelled or that failed, and gives back to go on with it.
///
/// A binary property list, opaque to apps: the request without its credentials, and the token by which the daemon knows
/// the bytes that it keeps, or the upload that a server keeps. Neither bytes nor the upload's URL, which is a secret, ever
/// leave the daemon; of an upload the path of its file is part of the data. Whatever is read here may have been forged, so
/// it is bounded, and the daemon checks the token against the app and the URL.
struct ResumeData: Hashable {
  /// Plain, so that property lists of any shape cannot do more than fail to be one.
  private struct Form: Codable {
    var version: Int
    var token: String
    var url: String
    var method: String
    var headers: [[String]]
    var offset: Int64
    var length: Int64?
    var file: String?

    var isSound: Bool {
      guard token.utf8.count == 32, headers.allSatisfy({ $0.count == 2 }) else { return false }
      guard let file else { return method == "GET" }
      return file.hasPrefix("/") && !file.contains("\0") && !["", "GET", "HEAD"].contains(method)
    }
  }

  let token: String
  let request: URLRequest
  /// The file that an upload sends; nil for a download.
  let file: String?

  /// What is kept of a task that has left something.
  static func of(_ remnant: AppInterface.Remnant?, request: URLRequest?, file: String? = nil) -> Data? {
    guard let remnant, let request, let url = request.url else { return nil }
    let headers = (request.allHTTPHeaderFields ?? [:]).filter { !isSecret($0.key) }.sorted { $0.key < $1.key }
    let form = Form(
      version: version, token: remnant.token, url: url.absoluteString, method: request.httpMethod ?? "GET",
      headers: headers.map { [$0.key, $0.value] }, offset: remnant.offset, length: remnant.length, file: file)
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try? encoder.encode(form)
  }

  /// Reads what an app has kept.
  init(_ data: Data) throws(SessionFailure) {
    guard data.count <= LinkLimits.resumeDataBytesMax else {
      throw Self.unusable("it is longer than \(LinkLimits.resumeDataBytesMax >> 10) KiB")
    }
    guard data.starts(with: Data("bplist00".utf8)), let form = try? PropertyListDecoder().decode(Form.self, from: data)
    else { throw Self.unusable("it was not made by Nightjar, or a part of it is missing") }
    guard form.version == Self.version else { throw Self.unusable("it is of version \(form.version)") }
    guard let url = URL(string: form.url), ["http", "https"].contains(url.scheme?.lowercased() ?? "") else {
      throw Self.unusable("its URL cannot be loaded")
    }
    guard form.isSound else { throw Self.unusable("it is not what was given out") }
    var request = URLRequest(url: url)
    request.httpMethod = form.method
    for header in form.headers { request.setValue(header[1], forHTTPHeaderField: header[0]) }
    (self.token, self.request, file) = (form.token, request, form.file)
  }

  /// Reads what an app has kept of a task of one kind.
  static func read(_ data: Data, ofUpload isUpload: Bool) -> Result<ResumeData, SessionFailure> {
    Result { () throws(SessionFailure) in
      let read = try ResumeData(data)
      guard (read.file != nil) == isUpload else {
        throw unusable(isUpload ? "it is that of a download" : "it is that of an upload")
      }
      return read
    }
  }

  private static let version = 1

  private static func unusable(_ why: String) -> SessionFailure {
    SessionFailure(.cannotDecodeRawData, "The resume data cannot be used: \(why). Begin anew.")
  }

  private static func isSecret(_ name: String) -> Bool {
    ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased())
  }
}
