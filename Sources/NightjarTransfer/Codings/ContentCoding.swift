import NightjarModel

/// How the body of an answer is coded (RFC 9110, section 8.4.1).
enum ContentCoding: String, Hashable, Sendable {
  case gzip
  case deflate
  case brotli = "br"

  /// The coding that an answer names; nil for a plain body.
  ///
  /// A gzip file that is called gzip twice, as type and as coding, is left as it is: many servers describe `.tar.gz`
  /// files so, and nobody who fetches one wants it unpacked.
  ///
  /// - Throws: `TransferFailure` with `badServerResponse` for an unsupported coding or several at once: the bytes would
  ///   not be the file.
  static func named(by head: AnswerHead, host: String) throws(TransferFailure) -> ContentCoding? {
    let names = head.codings
    guard let name = names.first else { return nil }
    guard names.count == 1 else {
      throw TransferFailure(
        .badServerResponse, "\(host) sent a body coded more than once (\(names.joined(separator: ", ").prefix(40)))")
    }
    guard let coding = ContentCoding(rawValue: name) else {
      throw TransferFailure(.badServerResponse, "\(host) sent a body in the coding \(name), which nobody asked for")
    }
    return coding == .gzip && head.isGzipFile ? nil : coding
  }
}
