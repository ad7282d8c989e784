import NIOCore
import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

@Suite(.timeLimit(.minutes(2))) struct `A proxy whose name has two addresses` {
  /// Nobody listens at the first.
  private static let lookUp: NameResolver.LookUp = { _ in
    let addresses = try ["127.0.0.3", "127.0.0.1"].map { try SocketAddress(ipAddress: $0, port: 0) }
    return (v4: addresses, v6: [])
  }

  @Test(arguments: ["http", "socks5"])
  func `leads on from the one that takes the connection`(scheme: String) async throws {
    try await withWorkshop(.tls) { workshop, server in
      let proxy = try await TestProxy.start()
      let way = try ProxyServer("\(scheme)://proxy.example:\(proxy.port)")
      let route = Route(origin: Origin(isSecure: true, host: "localhost", port: server.port), proxy: way)

      let isOpen = try await withDialer(workshop.trusting(), lookUp: Self.lookUp) { dialer, loop in
        await Self.isOpened(route, dialer, on: loop)
      }
      try await proxy.stop()

      #expect(isOpen)
    }
  }

  /// What cannot be told in TLS, which is found out once the way is open.
  static let untold = [("http", String(repeating: "a", count: 300)), ("socks5", "a\u{0}b")]

  @Test(arguments: untold)
  func `is left where it leads to no use`(scheme: String, name: String) async throws {
    try await withWorkshop(.tls) { workshop, server in
      let proxy = try await TestProxy.start()
      let way = try ProxyServer("\(scheme)://proxy.example:\(proxy.port)")
      let route = Route(origin: Origin(isSecure: true, host: name, port: server.port), proxy: way)

      let (isOpen, isLeft) = try await withDialer(workshop.trusting(), lookUp: Self.lookUp) { dialer, loop in
        (await Self.isOpened(route, dialer, on: loop), try await proxy.isLeft())
      }
      let asked = proxy.requests.count
      try await proxy.stop()

      #expect(!isOpen && asked == 1)
      #expect(isLeft)
    }
  }

  private static func isOpened(_ route: Route, _ dialer: Dialer, on loop: any EventLoop) async -> Bool {
    do {
      _ = try await loop.flatSubmit { dialer.dial(route, on: loop) }.get()
      return true
    } catch {
      return false
    }
  }
}

struct `What a proxy answers` {
  private func hear(_ text: String) throws -> ProxyReply {
    var talk = ConnectTalk("files.example:443", showing: nil, headersMax: 1000)
    var input = ByteBuffer(string: text)
    return try talk.hear(&input)
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nVia: a\r\n\r\n", "HTTP/1.1 200 OK\nVia: a\n\n", "HTTP/1.1 200 OK\nVia: a\r\n\n",
    "HTTP/1.1 200 OK\r\nVia: a\n\r\n", "HTTP/1.0 200 OK\n\n",
  ])
  func `ends with an empty line, whatever ends a line`(text: String) throws {
    guard case .open = try hear(text) else { return #expect(Bool(false), "it waits for more") }
    guard case .waiting = try hear(String(text.dropLast())) else { return #expect(Bool(false), "it waits no more") }
  }

  @Test func `is read line by line, whatever ends a line`() throws {
    let text = "HTTP/1.1 407 No\nProxy-Authenticate: Basic realm=\"a\"\nVia: b\r\nServer: c\n\n"

    let error = try #require(throws: ProxyError.self) { try hear(text) }

    guard case .refused(let answer) = error else { return #expect(Bool(false), "\(error)") }
    #expect(answer.status == 407)
    #expect(answer.headers.map(\.value) == ["Basic realm=\"a\"", "b", "c"])
  }
}

struct `A host whose name is long` {
  private func begin(_ count: Int) throws -> [UInt8] {
    let origin = Origin(isSecure: true, host: String(repeating: "a", count: count), port: 443)
    return try SocksTalk(origin, through: ProxyServer("socks5://proxy.example")).begin()
  }

  @Test func `is not taken for another by a proxy that cannot be told so long a name`() throws {
    let failure = try #require(throws: TransferFailure.self) { try begin(256) }

    #expect(failure.code == .badURL)
    #expect(failure.detail.contains("proxy.example"))
    #expect(try begin(255) == [5, 1, 0])
  }
}

@Suite(.timeLimit(.minutes(2))) struct `The certificate of an address behind a proxy` {
  static let places = ["http", "socks5"].flatMap { scheme in
    [(scheme, "127.0.0.2", "127.0.0.1"), (scheme, "127.0.0.1", "[::1]")]
  }

  @Test(arguments: places)
  func `is for the server, wherever the proxy is`(scheme: String, near: String, far: String) async throws {
    try await withWorkshop(.tls) { workshop, server in
      let proxy = try await TestProxy.start(host: near)

      let facts = try await workshop.run(
        .download("https://\(far):\(server.port)/file/7/1000") {
          $0.options.proxies = Proxies(https: "\(scheme)://\(near):\(proxy.port)")
        })
      try await proxy.stop()

      #expect(facts.response?.status == 200, "\(facts)")
    }
  }

  @Test(arguments: ["http", "socks5"])
  func `is refused where it is for the proxy, in the words for any other host's`(scheme: String) async throws {
    try await withWorkshop(.tls) { workshop, server in
      let proxy = try await TestProxy.start()
      let straight = try await HTTPTestServer.start(.tls, host: "127.0.0.2")

      let led = try await workshop.run(
        .download("https://127.0.0.2:\(server.port)/file/7/1000") {
          $0.options.proxies = Proxies(https: "\(scheme)://127.0.0.1:\(proxy.port)")
        })
      let direct = try await workshop.run(.download("https://127.0.0.2:\(straight.port)/file/7/1000", id: 2))
      try await proxy.stop()
      try await straight.stop()

      #expect(led.failure?.code == .certificateUntrusted, "\(led)")
      #expect(led.failure == direct.failure, "\(direct)")
      #expect(server.requests("/file/7/1000").isEmpty)
    }
  }
}
