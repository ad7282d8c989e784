import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

struct ProxyChoiceTests {
  private let common = Proxies(
    http: "http://proxy.example:3128", https: "socks5://socks.example",
    exceptions: ["direct.example", "*.sub.example", "10.0.0.0/8", "2001:db8::/32", "port.example:8080"])

  private func host(_ url: String, own: Proxies? = nil) throws -> String? {
    try ProxyChoice(own: own, common: common).proxy(for: WebAddress(url)).map { "\($0.host):\($0.port)" }
  }

  @Test(
    arguments: [
      ("http://h.example/", "proxy.example:3128"), ("https://h.example/", "socks.example:1080"),
      ("http://direct.example/", nil), ("http://a.direct.example/", nil),
      ("http://indirect.example/", "proxy.example:3128"),
      ("http://sub.example/", "proxy.example:3128"), ("http://a.sub.example/", nil), ("http://10.200.3.4/", nil),
      ("http://11.0.0.1/", "proxy.example:3128"), ("http://[2001:db8::7]/", nil),
      ("http://[2001:db9::7]/", "proxy.example:3128"), ("http://port.example:8080/", nil),
      ("http://port.example/", "proxy.example:3128"), ("http://localhost/", nil), ("http://127.9.9.9/", nil),
      ("https://[::1]/", nil), ("http://x.localhost/", nil),
    ] as [(String, String?)])
  func `the proxy is the one that the settings name`(url: String, proxy: String?) throws {
    #expect(try host(url) == proxy)
  }

  @Test func `a transfer's own settings replace the daemon's, loopback included`() throws {
    let own = Proxies(http: "http://own.example")

    #expect(try host("http://127.0.0.1/", own: own) == "own.example:80")
    #expect(try host("https://h.example/", own: own) == nil)
    #expect(try host("http://h.example/", own: Proxies()) == nil)
    #expect(try host("http://h.example/", own: Proxies(http: "http://own.example", exceptions: ["*"])) == nil)
  }

  @Test(arguments: [
    ("socks5://h", 1080), ("socks5://a:b@h/", 1080), ("socks5://a:b\u{600}@h", 1080), ("socks5://a:b@[::1]", 1080),
    ("socks5://h:80", 80), ("socks5h://a:b\u{600}@[::1]:80", 80), ("http://a:b\u{600}@h", 80),
  ])
  func `the port is that of the proxy's kind where none is named`(url: String, port: Int) throws {
    #expect(try ProxyServer(url).port == port)
  }

  @Test func `credentials are taken from the URL`() throws {
    let proxy = try ProxyServer("http://ann:s%40cret@proxy.example:8080/")

    #expect(proxy.authorization == "Basic YW5uOnNAY3JldA==")
  }

  @Test(arguments: ["ftp://h:1", "proxy.example:80", "http://", "https://h:443", "http://h:99999"])
  func `what is no proxy is refused in words that hide secrets`(text: String) {
    #expect(throws: TransferFailure.self) { try ProxyServer(text) }
  }

  @Test(arguments: ["socks", "socks4", "socks4a", "https"])
  func `a kind of proxy that is not spoken to is named`(scheme: String) throws {
    let failure = try #require(throws: TransferFailure.self) { try ProxyServer("\(scheme)://anna:sesame@h:1080/") }

    #expect(failure.detail.contains("the proxy h:1080/, one of \"\(scheme)\","), "\(failure)")
    #expect(failure.detail.contains("socks5://") && !failure.detail.contains("sesame"))
  }

  @Test(arguments: [
    ("http://anna:sesame@h:99999", "the proxy http://h:99999: "),
    ("http://anna:se/sa@me@h:x", "the proxy http://h:x: "),
    ("anna:sesame@h:80", "the proxy h:80 is not spoken to"), ("anna:sesame://x@h", "the proxy h is not spoken to"),
  ])
  func `a proxy that cannot be used is named without its password`(url: String, words: String) {
    let fault = Proxies.fault(in: url)

    #expect(fault?.hasPrefix(words) == true, "\(fault ?? "")")
    #expect(fault?.contains("anna") == false)
  }

  @Test(arguments: ["proxy.example:3128", "http://proxy.example:3128", "anna:sesame@proxy.example"])
  func `a proxy may be written without its scheme`(text: String) {
    #expect(Proxies.fault(in: Proxies.url(text)) == nil)
  }

  @Test func `the environment is read in both cases, the lower one first`() {
    let proxies = Proxies(environment: [
      "http_proxy": "proxy.example:3128", "HTTP_PROXY": "http://other", "HTTPS_PROXY": "http://secure:1",
      "NO_PROXY": "a.example, b.example", "ALL_PROXY": "socks5://all",
    ])

    #expect(
      proxies
        == Proxies(http: "http://proxy.example:3128", https: "http://secure:1", exceptions: ["a.example", "b.example"]))
    #expect(
      Proxies(environment: ["all_proxy": "socks5h://s:1"]) == Proxies(http: "socks5h://s:1", https: "socks5h://s:1"))
    #expect(Proxies(environment: ["no_proxy": "x", "http_proxy": ""]) == nil)
    #expect(Proxies(environment: ["HTTP_PROXY": "http://evil", "REQUEST_METHOD": "GET"]) == nil)
  }
}

@Suite(.timeLimit(.minutes(2))) struct ProxyTests {
  private let content = Content(seed: 7, size: 300_000)

  @Test func `a proxy is asked with the whole URL, and is shown its own credentials only`() async throws {
    try await withWorkshop { workshop, proxy in
      proxy.play("http://files.example/x?y", .serve(Serving(content)))
      let proxies = Proxies(http: "http://ann:secret@127.0.0.1:\(proxy.port)")

      let facts = try await workshop.run(.download("http://files.example/x?y") { $0.options.proxies = proxies })

      let seen = proxy.requests("http://files.example/x?y").first?.headers
      #expect(facts.response?.url == "http://files.example/x?y", "\(facts)")
      #expect(seen?["host"] == "files.example")
      #expect(seen?["proxy-authorization"] == "Basic YW5uOnNlY3JldA==")
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `an origin is never shown the proxy's credentials`() async throws {
    try await withWorkshop(.tls) { workshop, server in
      let proxy = try await TestProxy.start(.wants(user: "ann", password: "secret"))
      let proxies = Proxies(https: "http://ann:secret@127.0.0.1:\(proxy.port)")
      server.play("/x", .serve(Serving(content)))

      let facts = try await workshop.run(
        .download("https://localhost:\(server.port)/x") {
          $0.headers = [HTTPField("Proxy-Authorization", "mine")]
          $0.options.proxies = proxies
        })
      let asked = proxy.requests
      try await proxy.stop()

      #expect(asked.first?.hasPrefix("CONNECT localhost:\(server.port) HTTP/1.1\r\n") == true)
      #expect(server.requests("/x").first?.headers["proxy-authorization"] == nil)
      #expect(facts.response?.status == 200, "\(facts)")
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test(arguments: [HTTPTestServer.Security.plain, .tls, .http2], [nil, "ann:secret@"] as [String?])
  func `SOCKS leads to every kind of server`(security: HTTPTestServer.Security, userinfo: String?) async throws {
    try await withWorkshop(security) { workshop, server in
      let proxy = try await TestProxy.start(userinfo == nil ? .leads : .wants(user: "ann", password: "secret"))
      let url = "socks5h://\(userinfo ?? "")127.0.0.1:\(proxy.port)"
      let scheme = security == .plain ? "http" : "https"

      let facts = try await workshop.run(
        .download("\(scheme)://localhost:\(server.port)/file/7/300000") {
          $0.options.proxies = Proxies(http: url, https: url)
        })
      let asked = proxy.requests
      try await proxy.stop()

      #expect(asked == ["socks localhost:\(server.port)"])
      #expect(facts.response?.status == 200, "\(facts)")
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `an upload goes through a tunnel too`() async throws {
    try await withWorkshop(.http2) { workshop, server in
      let proxy = try await TestProxy.start()
      let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")

      let facts = try await workshop.run(
        .upload(source, to: "https://localhost:\(server.port)/upload/a") {
          $0.options.proxies = Proxies(https: "http://127.0.0.1:\(proxy.port)")
        })
      try await proxy.stop()

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(server.requests("/upload/a").first?.bodyDigest == content.sha256)
    }
  }

  static let refusals: [(TestProxy.Conduct, String, TransferFailure.Code)] = [
    (.wants(user: "ann", password: "secret"), "http", .badServerResponse),
    (.wants(user: "ann", password: "secret"), "socks5", .badServerResponse),
    (.refuses(403), "http", .badServerResponse), (.refuses(502), "http", .cannotConnect),
    (.refuses(2), "socks5", .badServerResponse), (.refuses(5), "socks5", .cannotConnect),
    (.says("HTTP/1.1 200 OK\r\n\r\nnow I go on"), "http", .badServerResponse),
    (.says("SSH-2.0-OpenSSH_9.2\r\n\r\n"), "http", .badServerResponse),
    (.says("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 70_000)), "http", .badServerResponse),
    (.says("HTTP/1.1 200 OK\r\n\r\n"), "socks5", .badServerResponse),
    (.keepsSilent, "http", .timedOut), (.keepsSilent, "socks5", .timedOut),
    (.hangsUp, "http", .connectionLost), (.hangsUp, "socks5", .connectionLost),
  ]

  @Test(arguments: refusals)
  func `a proxy that does not lead on is a failure in words`(
    conduct: TestProxy.Conduct, scheme: String, code: TransferFailure.Code
  ) async throws {
    // Short only where running out of time is the end: a busy machine takes its time for the others.
    let patience: Duration = code == .timedOut ? .milliseconds(300) : .seconds(30)
    try await withWorkshop(.tls, settings: { $0.connectTimeout = patience }) { workshop, server in
      let proxy = try await TestProxy.start(conduct)

      let facts = try await workshop.run(
        .download(server.url("/file/7/10")) {
          $0.options.proxies = Proxies(https: "\(scheme)://who:wrong@127.0.0.1:\(proxy.port)")
        })
      try await proxy.stop()

      #expect(facts.failure?.code == code, "\(facts)")
      #expect(facts.failure?.detail.contains("wrong") == false)
      #expect(facts.failure?.detail.contains("proxy") == true || code == .timedOut, "\(facts)")
    }
  }

  @Test func `a proxy that wants a password for a request it reads is a failure, not a file`() async throws {
    try await withWorkshop { workshop, proxy in
      proxy.play("http://files.example/x", .answer(status: 407, body: "who are you?"))

      let facts = try await workshop.run(
        .download("http://files.example/x") { $0.options.proxies = Proxies(http: "http://127.0.0.1:\(proxy.port)") })

      #expect(facts.failure?.code == .badServerResponse)
      #expect(facts.failure?.detail.contains("password") == true)
    }
  }

  @Test func `a proxy where nobody listens is named in the failure`() async throws {
    try await withWorkshop { workshop, _ in
      let facts = try await workshop.run(
        .download("http://files.example/x") { $0.options.proxies = Proxies(http: "http://127.0.0.1:1") })

      #expect(facts.failure?.code == .cannotConnect)
      #expect(facts.failure?.detail.contains("127.0.0.1") == true)
    }
  }

  @Test func `the daemon's proxies serve transfers that name none, and not this machine`() async throws {
    let proxy = try await HTTPTestServer.start()
    proxy.play("http://files.example/x", .answer(status: 200, body: "through"))
    try await withWorkshop(settings: { $0.proxies = Proxies(http: "http://127.0.0.1:\(proxy.port)") }) {
      workshop, server in
      server.play("/x", .answer(status: 200, body: "direct"))

      try await workshop.run(.download("http://files.example/x"))
      try await workshop.run(.download(server.url("/x"), id: 2))

      #expect(Disk.read(workshop.part()) == Array("through".utf8))
      #expect(Disk.read(workshop.part(2)) == Array("direct".utf8))
    }
    try await proxy.stop()
  }

  @Test func `an older TLS than the transfer allows is refused`() async throws {
    try await withWorkshop(.tls) { workshop, server in
      let facts = try await workshop.run(.download(server.url("/file/7/10")) { $0.options.tlsMinimum = .tls13 })

      #expect(facts.response?.status == 200)
      #expect(workshop.log.metrics(of: TransferID(1), attempt: 1)?.exchanges.last?.tlsVersion == 0x0304)
    }
  }
}
