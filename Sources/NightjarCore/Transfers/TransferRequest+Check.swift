import NightjarModel

extension TransferRequest {
  /// Whether this can be sent as an HTTP request at all, and is small enough to be kept.
  func check(_ limits: Limits) throws(Refusal) {
    if let fault = url.faultAsAddress { throw .invalid(field: "url", reason: fault) }
    if let fault = faultInHead { throw .invalid(field: fault.field, reason: fault.reason) }
    guard body.count <= limits.requestBodyMax else {
      throw .limitReached(what: "bytes of a request's body", limit: limits.requestBodyMax)
    }
    guard textBytes <= limits.requestTextMax else {
      throw .limitReached(what: "bytes of a URL, its header fields, label and proxies", limit: limits.requestTextMax)
    }
    guard (0...1).contains(priority) else {
      throw .invalid(field: "priority", reason: "a priority lies between 0 and 1")
    }
    guard requestTimeout > .zero, resourceTimeout.map({ $0 > .zero }) ?? true else {
      throw .invalid(field: "timeout", reason: "timeouts are longer than zero")
    }
    guard !options.showsAnswer || session != nil && direction == .download else {
      throw .invalid(field: "options.showsAnswer", reason: "only the download of a session has an app to show it to")
    }
    guard options.sessionFields.count <= headers.count else {
      throw .invalid(field: "options.sessionFields", reason: "a session adds no more header fields than there are")
    }
    try options.check()
  }

  /// How many bytes of text an app has put into it, but for its body and the paths of files.
  var textBytes: Int {
    let proxies = options.proxies.map { [$0.http ?? "", $0.https ?? ""] + $0.exceptions } ?? []
    let others = [url, label] + proxies + options.sessionFields
    return others.reduce(headers.textBytes) { $0 + $1.utf8.count }
  }

  /// How many bytes of text are kept for it: the same, and the paths of files.
  var keptTextBytes: Int {
    let path = if case .upload(let path, _) = direction { path.utf8.count } else { 0 }
    return textBytes + path + (destination?.path.utf8.count ?? 0)
  }
}

extension [HTTPField] {
  /// How many bytes of text they have.
  var textBytes: Int { reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }
}

extension TransferOptions {
  fileprivate func check() throws(Refusal) {
    guard connectionsPerHostMax ?? 1 >= 1 else {
      throw .invalid(field: "options.connectionsPerHostMax", reason: "at least one connection is needed")
    }
    guard bytesPerSecondMax ?? 1 >= 1 else {
      throw .invalid(field: "options.bytesPerSecondMax", reason: "at least one byte a second is needed")
    }
    for url in [proxies?.http, proxies?.https].compactMap(\.self) where !url.isProxy {
      throw .invalid(
        field: "options.proxies", reason: "a proxy is written as http://host:port, or socks5://host:port")
    }
  }
}

extension String {
  /// Why nothing can be sent to it; nil for an absolute `http` or `https` URL.
  fileprivate var faultAsAddress: String? {
    let scheme = prefix(8).lowercased()
    guard scheme.hasPrefix("http://") || scheme == "https://", let authority = Authority(of: self) else {
      return "only absolute http: and https: URLs can be transferred"
    }
    if let fault = authority.fault { return fault }
    let isWhole = utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    return isWhole ? nil : "a space or a control character stands in it; write a space as %20"
  }
}

extension String {
  fileprivate var isProxy: Bool {
    let parts = split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && ["http", "socks5", "socks5h"].contains(parts[0].lowercased())
      && Authority(of: self).map { $0.fault == nil } == true
  }
}
