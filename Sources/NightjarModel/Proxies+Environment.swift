extension Proxies {
  /// The proxies that a process's environment names, as curl and others read it: `http_proxy`, `https_proxy`,
  /// `all_proxy` where neither is set, and `no_proxy`, in lower case or, where that is missing, in upper case. A proxy
  /// without a scheme is one of HTTP. Nil where none is named.
  ///
  /// `HTTP_PROXY` does not count beside `REQUEST_METHOD`: in a CGI program it is a client's header field.
  public init?(environment: [String: String]) {
    func value(_ name: String) -> String? {
      [name, name == "http_proxy" && environment["REQUEST_METHOD"] != nil ? "" : name.uppercased()]
        .compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    func server(_ name: String) -> String? {
      (value(name) ?? value("all_proxy")).map(Self.url)
    }
    let exceptions = (value("no_proxy") ?? "").split { $0 == "," || $0 == " " }.map(String.init)
    self.init(http: server("http_proxy"), https: server("https_proxy"), exceptions: exceptions)
    if http == nil, https == nil { return nil }
  }

  /// A proxy's URL as people write it, also without its scheme: `proxy.example:3128` is one of HTTP.
  public static func url(_ text: String) -> String {
    text.split(separator: "://", maxSplits: 1).count == 2 ? text : "http://\(text)"
  }
}
