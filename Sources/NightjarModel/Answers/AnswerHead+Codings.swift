extension AnswerHead {
  /// The codings of the body in the order they were applied, in lower case and without an old name's `x-`.
  ///
  /// Only words that name a coding count. Many servers write others there, such as `none`, `utf-8` or `aws-chunked`,
  /// for a body that is not coded at all.
  package var codings: [String] {
    headers.filter { $0.name.lowercased() == "content-encoding" }
      .flatMap { $0.value.split(separator: ",") }
      .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      .map { $0.hasPrefix("x-") ? String($0.dropFirst(2)) : $0 }
      .filter { Self.codingNames.contains($0) }
  }

  /// IANA's registry of content codings, without those that leave a body to its receiver as it is: `identity`, and
  /// `aes128gcm`, which only the holder of the key can undo.
  private static let codingNames: Set = [
    "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "zstd",
  ]

  /// Whether the media type says gzip already.
  package var isGzipFile: Bool {
    let type = headers[field: "Content-Type"]?.prefix { $0 != ";" && $0 != " " }.lowercased() ?? ""
    return ["application/gzip", "application/x-gzip", "application/x-gtar", "application/x-tgz"].contains(type)
  }

  /// Whether the body is something else than the resource itself, such as its gzip form.
  package var isCoded: Bool { !codings.isEmpty && !(codings == ["gzip"] && isGzipFile) }
}
