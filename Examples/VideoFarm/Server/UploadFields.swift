import HTTPTypes

/// The fields of *Resumable Uploads for HTTP* (draft-ietf-httpbis-resumable-upload), interop versions 6 and 8.
extension HTTPField.Name {
  static let uploadVersion = HTTPField.Name("Upload-Draft-Interop-Version")!
  static let uploadComplete = HTTPField.Name("Upload-Complete")!
  static let uploadOffset = HTTPField.Name("Upload-Offset")!
  static let uploadLength = HTTPField.Name("Upload-Length")!
  static let uploadLimit = HTTPField.Name("Upload-Limit")!
  /// Ours alone: the token of an upload on its way from the connection to the routes. A client's own is dropped.
  static let uploadToken = HTTPField.Name("X-VideoFarm-Upload")!
}

extension HTTPFields {
  /// The version of the draft that the client speaks, if the farm does.
  var spokenUploadVersion: String? { self[.uploadVersion].flatMap { ["6", "8"].contains($0) ? $0 : nil } }

  /// Whether the request brings the last of the upload; nil if it is none.
  var completesUpload: Bool? {
    switch self[.uploadComplete] {
    case "?1": true
    case "?0": false
    default: nil
    }
  }

  /// A whole number, such as an offset or a length.
  func count(_ name: HTTPField.Name) -> Int? {
    self[name].flatMap { text in text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil }
  }

  /// What every answer about an upload begins with, in the client's version.
  static func aboutUpload(_ request: HTTPFields) -> HTTPFields {
    [
      .uploadVersion: request.spokenUploadVersion ?? "8", .cacheControl: "no-store",
      .uploadLimit: "max-size=\(FarmLimits.movieSizeMax), max-age=\(FarmLimits.uploadAgeMax)",
    ]
  }
}

/// Names an upload: 32 hexadecimal digits that nobody guesses.
struct UploadToken: Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(using entropy: inout some RandomNumberGenerator) {
    description = hexadecimal(entropy.next()) + hexadecimal(entropy.next())
  }

  /// Reads a token that came from outside; nil unless it is 32 lowercase hexadecimal digits.
  init?(_ text: some StringProtocol) {
    let digits = Set("0123456789abcdef".utf8)
    guard text.utf8.count == 32, text.utf8.allSatisfy(digits.contains) else { return nil }
    description = String(text)
  }

  /// Where the upload is found.
  var path: String { "/uploads/\(description)" }
}
