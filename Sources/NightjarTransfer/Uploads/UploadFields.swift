import NightjarModel

/// The header fields of *Resumable Uploads for HTTP*, as a server's answer carries them.
///
/// They are structured fields (RFC 9651): a value of another type counts as no field at all, and parameters are
/// ignored.
extension AnswerHead {
  /// The version of the draft that the server speaks, if it names one that is spoken here.
  var uploadVersion: UploadVersion? {
    headers[field: UploadField.version].flatMap(StructuredItem.integer)
      .flatMap { UploadVersion(rawValue: Int(clamping: $0)) }
  }

  /// Whether the server names a version that is none of these.
  func namesOtherVersion(than versions: [UploadVersion]) -> Bool {
    headers[field: UploadField.version] != nil && uploadVersion.map(versions.contains) != true
  }

  /// How many bytes the server has processed.
  var uploadOffset: Int64? { headers[field: UploadField.offset].flatMap(StructuredItem.integer) }

  /// How long the server believes the whole to be.
  var uploadLength: Int64? { headers[field: UploadField.length].flatMap(StructuredItem.integer) }

  /// Whether the server has the whole; nil if it does not say.
  ///
  /// Both forms are read in every version: swift-nio-extras 1.35 answers with the one that its version does not have.
  var isUploadComplete: Bool? {
    headers[field: UploadField.complete].flatMap(StructuredItem.boolean)
      ?? headers[field: UploadField.incomplete].flatMap(StructuredItem.boolean).map { !$0 }
  }

  /// The most bytes that the server takes with one request.
  ///
  /// A known key with a value of another type voids the whole field.
  var uploadAppendMax: Int64? {
    guard let text = headers[field: UploadField.limit] else { return nil }
    var appendMax: Int64?
    for member in text.split(separator: ",") {
      let halves = member.split(separator: "=", maxSplits: 1).map(StructuredItem.trimmed)
      guard let key = halves.first, UploadField.limits.contains(key) else { continue }
      guard halves.count == 2, let value = StructuredItem.integer(halves[1]) else { return nil }
      if key == "max-append-size" { appendMax = value }
    }
    return appendMax.flatMap { $0 > 0 ? $0 : nil }
  }
}

/// The names of the fields.
enum UploadField {
  static let version = "Upload-Draft-Interop-Version"
  static let complete = "Upload-Complete"
  static let incomplete = "Upload-Incomplete"
  static let offset = "Upload-Offset"
  static let length = "Upload-Length"
  static let limit = "Upload-Limit"
  /// The keys of `Upload-Limit` that the draft knows.
  static let limits = ["max-size", "min-size", "max-append-size", "min-append-size", "max-age", "expires"]
  /// The media type of a piece that is appended.
  static let partialUpload = "application/partial-upload"
}

/// Items of structured fields, as far as uploads need them (RFC 9651, section 3.3).
enum StructuredItem {
  /// A non-negative integer of at most 15 digits.
  static func integer(_ text: String) -> Int64? {
    let digits = bare(text)
    guard (1...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int64(digits)
  }

  static func boolean(_ text: String) -> Bool? {
    switch bare(text) {
    case "?1": true
    case "?0": false
    default: nil
    }
  }

  static func trimmed(_ text: Substring) -> String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    let rest = text.drop(while: isSpace)
    return String(rest.reversed().drop(while: isSpace).reversed())
  }

  private static func bare(_ text: String) -> String { trimmed(text.prefix { $0 != ";" }) }
}
