import NightjarModel

/// How the body of an answer is coded (RFC 9110, section 8.4.1).
enum ContentCoding: String, Hashable, Sendable {
  case gzip
  case deflate
  case brotli = "br"

  /// The coding that an answer names; nil for a body that is what it is.
  ///
  /// A gzip file that is called gzip twice, as type and as coding, is left as it is: many servers describe `.tar.gz`
  /// files so, and nobody who fetches one wants it unpacked.
  ///
  /// - Throws: `TransferFailure` with `badServerResponse` for a coding that is not known or one upon another: what came
  ///   would not be the file.
  static func named(by head: AnswerHead, host: String) throws(TransferFailure) -> ContentCoding? {
    let names = head.codings
    guard let name = names.first else { return nil }
    guard names.count == 1 else {
      throw TransferFailure(
        .badServerResponse, "\(host) sent a body coded more than once (\(names.joined(separator: ", ").prefix(40)))")
    }
    guard let coding = ContentCoding(rawValue: name.hasPrefix("x-") ? String(name.dropFirst(2)) : name) else {
      throw TransferFailure(
        .badServerResponse,
        "\(host) sent a body in the coding \(name.prefix(40).debugDescription), which nobody asked for")
    }
    return coding == .gzip && head.isGzipFile ? nil : coding
  }
}

extension AnswerHead {
  /// The codings of the body in the order they were applied, in lower case; `identity` is none.
  var codings: [String] {
    headers.filter { $0.name.lowercased() == "content-encoding" }
      .flatMap { $0.value.split(separator: ",") }
      .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      .filter { !$0.isEmpty && $0 != "identity" }
  }

  /// Whether the media type says gzip already.
  var isGzipFile: Bool {
    let type = headers[field: "Content-Type"]?.prefix { $0 != ";" && $0 != " " }.lowercased() ?? ""
    return ["application/gzip", "application/x-gzip", "application/x-gtar", "application/x-tgz"].contains(type)
  }

  /// Whether the body is something else than the resource itself, such as its gzip form.
  var isCoded: Bool { !codings.isEmpty && !(codings == ["gzip"] && isGzipFile) }
}
