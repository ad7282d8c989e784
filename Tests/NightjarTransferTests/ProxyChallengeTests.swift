import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

@Suite(.timeLimit(.minutes(2))) struct `A proxy that wants a password` {
  private static let posts = [
    Guard(.basic), Guard(.digest(algorithm: "MD5")), Guard(.digest(algorithm: "SHA-256")),
    Guard(.digest(algorithm: "MD5-sess")), Guard(.basic, .digest(algorithm: "SHA-256")),
  ].map(\.beforeProxy)
  private static let right = Decision.use(.password(user: "anna", password: "open sesame"), isRemembered: true)
  private static let wrong = Decision.use(.password(user: "anna", password: "open barley"), isRemembered: true)
  private let content = Content(seed: 7, size: 300_000)

  @Test(arguments: posts)
  func `makes the attempt ask for a request that it reads, and passes on the one that knows the answer`(
    post: Guard
  ) async throws {
    try await withWorkshop { workshop, proxy in
      let url = "http://files.example/x?y"
      proxy.play(url, .guarded(post, then: .serve(Serving(content))))
      let way = Proxies(http: "http://127.0.0.1:\(proxy.port)")

      let challenge = try #require(try await workshop.run(.asking(url, through: way)).last?.challenge)
      let facts = try await workshop.run(
        .asking(url, attempt: 2, [Answered(challenge.subject, Self.right)], through: way))

      #expect(challenge.space.isProxy && !challenge.space.isSecure)
      #expect(challenge.space.host == "127.0.0.1" && challenge.space.port == proxy.port)
      #expect(challenge.space.realm == "things" && challenge.response?.status == 407)
      #expect(facts.response?.status == 200, "\(facts)")
      #expect(Disk.read(workshop.part()) == content.bytes)
      #expect(proxy.requests(url).allSatisfy { $0.headers["authorization"] == nil })
    }
  }

  @Test(arguments: posts, [HTTPTestServer.Security.tls, .http2])
  func `makes the attempt ask for a tunnel, and opens it for the one that knows the answer`(
    post: Guard, security: HTTPTestServer.Security
  ) async throws {
    try await withWorkshop(security) { workshop, server in
      let proxy = try await TestProxy.start(.guards(post))
      let way = Proxies(https: "http://127.0.0.1:\(proxy.port)")
      let url = "https://localhost:\(server.port)/x"
      server.play("/x", .serve(Serving(content)))

      let challenge = try #require(try await workshop.run(.asking(url, through: way)).last?.challenge)
      let facts = try await workshop.run(
        .asking(url, attempt: 2, [Answered(challenge.subject, Self.right)], through: way))
      let asked = proxy.requests
      try await proxy.stop()

      #expect(challenge.space.isProxy && challenge.space.isSecure && asked.count >= 2)
      #expect(challenge.response?.status == 407)
      #expect(facts.response?.status == 200, "\(facts)")
      #expect(Disk.read(workshop.part()) == content.bytes)
      #expect(server.requests("/x").map { $0.headers["proxy-authorization"] } == [nil])
      if challenge.space.method == .digest { #expect(!asked.contains { $0.contains("Basic") }) }
    }
  }

  @Test func `opens a tunnel for a name with control characters, which ends no field of the request for it`()
    async throws
  {
    try await withWorkshop(.tls) { workshop, server in
      let proxy = try await TestProxy.start(.guards(Guard(.digest(algorithm: "SHA-256"), user: "bob\r\nX: y")))
      let way = Proxies(https: "http://127.0.0.1:\(proxy.port)")
      let url = "https://localhost:\(server.port)/x"
      server.play("/x", .serve(Serving(content)))
      let told = Decision.use(.password(user: "bob\r\nX: y", password: "open sesame"), isRemembered: true)

      let challenge = try #require(try await workshop.run(.asking(url, through: way)).last?.challenge)
      let facts = try await workshop.run(.asking(url, attempt: 2, [Answered(challenge.subject, told)], through: way))
      let asked = proxy.requests
      try await proxy.stop()

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(!asked.contains { $0.contains("\nX: y") })
    }
  }

  @Test(arguments: ["Basic a\r\nX: y", "Basic a\nX: y", "Basic \0"])
  func `is shown nothing that would end a field of the request for a tunnel`(authorization: String) {
    let talk = ConnectTalk("origin.example:443", showing: authorization, headersMax: 1000)

    #expect(throws: ProxyError.self) { try talk.begin() }
  }

  @Test(arguments: ["http", "https"])
  func `asks again after a wrong password, counts, and takes no refusal for the file`(scheme: String) async throws {
    try await withWorkshop { workshop, reader in
      let proxy = try await TestProxy.start(.guards(Guard(.digest(algorithm: "SHA-256"))))
      let url = "\(scheme)://files.example/x"
      reader.play(url, .guarded(Guard(.digest(algorithm: "SHA-256")).beforeProxy, then: .serve(Serving(content))))
      let way = Proxies(http: "http://127.0.0.1:\(reader.port)", https: "http://127.0.0.1:\(proxy.port)")
      let subject = try #require(try await workshop.run(.asking(url, through: way)).last?.challenge).subject

      let second = try await workshop.run(.asking(url, attempt: 2, [Answered(subject, Self.wrong)], through: way))
      let refused = try await workshop.run(.asking(url, attempt: 3, [Answered(subject, .performDefault)], through: way))
      let rejected = try await workshop.run(.asking(url, attempt: 4, [Answered(subject, .reject)], through: way))
      try await proxy.stop()

      #expect(second.last?.challenge?.previousFailures == 1)
      #expect(refused.failure?.code == .badServerResponse && rejected.failure?.code == .badServerResponse)
      #expect(refused.failure?.detail.contains("password") == true, "\(refused)")
    }
  }

  @Test(arguments: ["http", "https"])
  func `is shown the password of its URL first, as a proof too, and nobody is asked`(scheme: String) async throws {
    try await withWorkshop(scheme == "http" ? .plain : .tls) { workshop, server in
      let post = Guard(.digest(algorithm: "SHA-256"))
      let proxy = try await TestProxy.start(.guards(post))
      let (reader, url) = (server.port, "\(scheme)://localhost:\(server.port)/x")
      server.play("/x", .serve(Serving(content)))
      server.play(url, .guarded(post.beforeProxy, then: .serve(Serving(content))))
      let credentials = "anna:open%20sesame@127.0.0.1"
      let way = Proxies(http: "http://\(credentials):\(reader)", https: "http://\(credentials):\(proxy.port)")

      let facts = try await workshop.run(.asking(url, through: way))
      try await proxy.stop()

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test(arguments: ["http", "https"])
  func `makes the attempt ask where the password of its URL is wrong, which is not shown twice`(
    scheme: String
  ) async throws {
    try await withWorkshop { workshop, reader in
      let proxy = try await TestProxy.start(.guards(Guard(.basic)))
      let url = "\(scheme)://files.example/x"
      reader.play(url, .guarded(Guard(.basic).beforeProxy, then: .serve(Serving(content))))
      let way = Proxies(http: "http://a:b@127.0.0.1:\(reader.port)", https: "http://a:b@127.0.0.1:\(proxy.port)")

      let asking = try await workshop.run(.asking(url, through: way))
      let unasked = try await workshop.run(.download(url, id: 2) { $0.options.proxies = way })
      let asked = proxy.requests.count + reader.requests(url).count
      try await proxy.stop()

      #expect(asking.last?.challenge?.space.isProxy == true, "\(asking)")
      #expect(unasked.failure?.code == .badServerResponse)
      #expect(asked == 2)
    }
  }

  @Test(arguments: ["http", "https"])
  func `is proven the password of its URL a few times only, though it names another realm each time`(
    scheme: String
  ) async throws {
    try await withWorkshop { workshop, reader in
      let post = Guard(.digest(algorithm: "SHA-256")).fickle
      let proxy = try await TestProxy.start(.guards(post))
      let url = "\(scheme)://files.example/x"
      reader.play(url, .guarded(post.beforeProxy, then: .serve(Serving(content))))
      let credentials = "anna:open%20sesame@127.0.0.1"
      let way = Proxies(http: "http://\(credentials):\(reader.port)", https: "http://\(credentials):\(proxy.port)")

      let facts = try await workshop.run(.download(url) { $0.options.proxies = way })
      let asked = proxy.requests.count + reader.requests(url).count
      try await proxy.stop()

      #expect(facts.failure?.code == .badServerResponse, "\(facts)")
      #expect(facts.failure?.detail.contains("password") == true, "\(facts)")
      // A tunnel takes two each time: the proof is made for the challenge of a first one.
      #expect(asked == 1 + Credentials.showsMax * (scheme == "https" ? 2 : 1))
    }
  }

  @Test func `and a server behind it that wants one are asked about and answered apart`() async throws {
    try await withWorkshop(.tls) { workshop, server in
      let proxy = try await TestProxy.start(.guards(Guard(.basic, password: "way out")))
      let way = Proxies(https: "http://127.0.0.1:\(proxy.port)")
      let url = "https://localhost:\(server.port)/x"
      server.play("/x", .guarded(Guard(.digest(algorithm: "MD5")), then: .serve(Serving(content))))
      let out = Decision.use(.password(user: "anna", password: "way out"), isRemembered: true)

      let first = try #require(try await workshop.run(.asking(url, through: way)).last?.challenge)
      let answers = [Answered(first.subject, out)]
      let second = try #require(try await workshop.run(.asking(url, attempt: 2, answers, through: way)).last?.challenge)
      let both = answers + [Answered(second.subject, Self.right)]
      let facts = try await workshop.run(.asking(url, attempt: 3, both, through: way))
      try await proxy.stop()

      #expect(first.space.isProxy && !second.space.isProxy)
      #expect(facts.response?.status == 200, "\(facts)")
    }
  }

  @Test(arguments: ["http", "https"])
  func `lets an upload through, whole`(scheme: String) async throws {
    try await withWorkshop(scheme == "http" ? .plain : .http2) { workshop, server in
      let post = Guard(.digest(algorithm: "SHA-256"))
      let proxy = try await TestProxy.start(.guards(post))
      let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")
      let url = "\(scheme)://localhost:\(server.port)/up"
      server.play("/up", .take())
      server.play(url, .guarded(post.beforeProxy, then: .take()))
      var order = TransferOrder.upload(source, to: url)
      order.request.options.proxies = Proxies(
        http: "http://127.0.0.1:\(server.port)", https: "http://127.0.0.1:\(proxy.port)")
      order.asks = Asks(credentials: true)

      let challenge = try #require(try await workshop.run(order).last?.challenge)
      (order.attempt, order.answers) = (2, [Answered(challenge.subject, Self.right)])
      let facts = try await workshop.run(order)
      try await proxy.stop()

      #expect(facts.response?.status == 200, "\(facts)")
      let last = (server.requests("/up") + server.requests(url)).last
      #expect(last?.bodyDigest == content.sha256)
    }
  }
}

@Suite struct `A digest that protects whole bodies` {
  private static let right = Decision.use(.password(user: "anna", password: "open sesame"), isRemembered: false)

  @Test func `is passed over for one that need not`() async throws {
    try await withWorkshop { workshop, server in
      let post = Guard(.digest(algorithm: "SHA-256")).offering("auth-int,auth")
      server.play("/x", .guarded(post, then: .answer(status: 200, body: "open")))
      let subject = try #require(try await workshop.run(.asking(server.url("/x"))).last?.challenge).subject

      let facts = try await workshop.run(.asking(server.url("/x"), attempt: 2, [Answered(subject, Self.right)]))

      #expect(facts.response?.status == 200)
      #expect(server.requests("/x").last?.headers["authorization"]?.contains("qop=auth,") == true)
    }
  }

  @Test func `is a failure in words where there is no other, if a password could be had`() async throws {
    try await withWorkshop { workshop, server in
      let post = Guard(.digest(algorithm: "SHA-256")).offering("auth-int")
      server.play("/x", .guarded(post, then: .answer(status: 200, body: "open")))

      let asking = try await workshop.run(.asking(server.url("/x")))
      let own = try await workshop.run(.download("http://anna:open%20sesame@127.0.0.1:\(server.port)/x", id: 2))
      let unasked = try await workshop.run(.download(server.url("/x"), id: 3))

      #expect(asking.failure?.code == .badServerResponse && own.failure?.code == .badServerResponse)
      #expect(asking.failure?.detail.contains("auth-int") == true, "\(asking)")
      #expect(own.failure?.detail.contains("sesame") == false)
      #expect(unasked.response?.status == 401)
    }
  }

  @Test func `is named like an algorithm that is not spoken, and gives way to Basic`() async throws {
    try await withWorkshop { workshop, server in
      let strange = Guard(.digest(algorithm: "SHA-512-256"))
      server.play("/x", .guarded(strange, then: .answer(status: 200, body: "open")))
      server.play(
        "/y", .guarded(Guard(.digest(algorithm: "SHA-512-256"), .basic), then: .answer(status: 200, body: "")))

      let alone = try await workshop.run(.asking(server.url("/x")))
      let beside = try await workshop.run(.asking(server.url("/y"), id: 2))

      #expect(alone.failure?.detail.contains("SHA-512-256") == true, "\(alone)")
      #expect(beside.last?.challenge?.space.method == .basic)
    }
  }
}

extension TransferOrder {
  /// An order for a download that may ask, through proxies.
  fileprivate static func asking(
    _ url: String, attempt: Int = 1, _ answers: [Answered] = [], through proxies: Proxies
  ) -> TransferOrder {
    var order = asking(url, attempt: attempt, answers)
    order.request.options.proxies = proxies
    return order
  }
}
