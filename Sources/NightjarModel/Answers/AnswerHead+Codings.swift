extension AnswerHead {
  /// The codings of the body in the order they were applied, in lower case; `identity` is none.
  package var codings: [String] {
    headers.filter { $0.name.lowercased() == "content-encoding" }
      .flatMap { $0.value.split(separator: ",") }
      .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      .filter { !$0.isEmpty && $0 != "identity" }
  }

  /// Whether the media type says gzip already.
  package var isGzipFile: Bool {
    let type = headers[field: "Content-Type"]?.prefix { $0 != ";" && $0 != " " }.lowercased() ?? ""
    return ["application/gzip", "application/x-gzip", "application/x-gtar", "application/x-tgz"].contains(type)
  }

  /// Whether the body is something else than the resource itself, such as its gzip form.
  package var isCoded: Bool { !codings.isEmpty && !(codings == ["gzip"] && isGzipFile) }
}
