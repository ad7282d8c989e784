import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

@Suite struct `A server that wants a password` {
  static let file = Script.serve(Serving(Content(seed: 7, size: 5_000)))
  static let right = Decision.use(.password(user: "anna", password: "open sesame"), isRemembered: false)
  static let wrong = Decision.use(.password(user: "anna", password: "open barley"), isRemembered: false)

  @Test(arguments: [
    Guard(.basic), Guard(.digest(algorithm: "MD5")), Guard(.digest(algorithm: "SHA-256")),
    Guard(.digest(algorithm: "MD5-sess")), Guard(.digest(algorithm: "SHA-256-sess")),
    Guard(.basic, .digest(algorithm: "MD5"), .digest(algorithm: "SHA-256")),
  ])
  func `makes the attempt ask, and gives the file to the one that knows the answer`(post: Guard) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .guarded(post, then: Self.file))

      let first = try await workshop.run(.asking(server.url("/x")))
      let challenge = try #require(first.last?.challenge)
      let second = try await workshop.run(
        .asking(server.url("/x"), attempt: 2, [Answered(challenge.subject, Self.right)]))

      #expect(challenge.space.realm == "things" && challenge.space.port == server.port)
      #expect(challenge.space.method == (post.ways == [.basic] ? .basic : .digest))
      #expect(challenge.previousFailures == 0 && challenge.response?.status == 401)
      #expect(second.response?.status == 200)
      #expect(Disk.read(workshop.part())?.count == 5_000)
    }
  }

  @Test(arguments: [Guard(.basic), Guard(.digest(algorithm: "SHA-256"))])
  func `asks again after a wrong password, and counts`(post: Guard) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .guarded(post, then: Self.file))
      let subject = try #require(try await workshop.run(.asking(server.url("/x"))).last?.challenge).subject

      let second = try await workshop.run(.asking(server.url("/x"), attempt: 2, [Answered(subject, Self.wrong)]))
      let third = try await workshop.run(
        .asking(server.url("/x"), attempt: 3, [Answered(subject, Self.wrong, previousFailures: 1)]))

      #expect(second.last?.challenge?.previousFailures == 1)
      #expect(third.last?.challenge?.previousFailures == 2)
    }
  }

  @Test func `has its nonces renewed when they are stale, without asking again`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .guarded(Guard(.digest(algorithm: "MD5"), usesMax: 0), then: Self.file))
      let subject = try #require(try await workshop.run(.asking(server.url("/x"))).last?.challenge).subject

      let facts = try await workshop.run(.asking(server.url("/x"), attempt: 2, [Answered(subject, Self.right)]))

      #expect(facts.last?.challenge?.previousFailures == 1)  // Not for ever, though.
      #expect(server.requests("/x").count == 1 + 5)
    }
  }

  @Test func `has the last word where nobody is asked, or nobody has an answer`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .guarded(Guard(.basic), then: Self.file))
      let subject = try #require(try await workshop.run(.asking(server.url("/x"))).last?.challenge).subject

      let unasked = try await workshop.run(.download(server.url("/x"), id: 2))
      let refused = try await workshop.run(.asking(server.url("/x"), attempt: 2, [Answered(subject, .performDefault)]))

      #expect(unasked.response?.status == 401)
      #expect(refused.response?.status == 401)
    }
  }

  @Test func `is asked for the next way when one is rejected`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .guarded(Guard(.digest(algorithm: "MD5"), .basic), then: Self.file))
      let subject = try #require(try await workshop.run(.asking(server.url("/x"))).last?.challenge).subject

      let facts = try await workshop.run(.asking(server.url("/x"), attempt: 2, [Answered(subject, .reject)]))

      #expect(subject.space.method == .digest)
      #expect(facts.last?.challenge?.space.method == .basic)
    }
  }

  @Test func `gets the name and password of the URL, also as a digest`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .guarded(Guard(.digest(algorithm: "SHA-256")), then: Self.file))

      let facts = try await workshop.run(.download("http://anna:open%20sesame@127.0.0.1:\(server.port)/x"))

      #expect(facts.response?.status == 200)
    }
  }

  @Test(arguments: [HTTPTestServer.Security.plain, .tls], [Guard.Way.basic, .digest(algorithm: "SHA-256")])
  func `gets that of the URL unasked only where it goes encrypted`(
    security: HTTPTestServer.Security, way: Guard.Way
  ) async throws {
    try await withWorkshop(security) { workshop, server in
      server.play("/x", .guarded(Guard(way), then: Self.file))
      let scheme = security == .plain ? "http" : "https"

      let facts = try await workshop.run(.download("\(scheme)://anna:open%20sesame@127.0.0.1:\(server.port)/x"))

      let shown = server.requests("/x").map { $0.headers["authorization"].map { String($0.prefix(6)) } }
      #expect(facts.response?.status == 200, "\(facts)")
      switch (security, way) {
      case (.plain, .basic): #expect(shown == [nil, "Basic "])
      case (.plain, _): #expect(shown == [nil, "Digest"])
      case (_, .basic): #expect(shown == ["Basic "])
      case (_, _): #expect(shown == ["Basic ", "Digest"])
      }
    }
  }

  @Test func `gets a wrong password of the URL once`() async throws {
    try await withWorkshop(.tls) { workshop, server in
      server.play("/x", .guarded(Guard(.basic), then: Self.file))
      let url = "https://anna:barley@127.0.0.1:\(server.port)/x"

      let unasked = try await workshop.run(.download(url))
      let asking = try await workshop.run(.asking(url, id: 2))

      #expect(unasked.response?.status == 401, "\(unasked)")
      #expect(asking.last?.challenge?.response?.status == 401, "\(asking)")
      #expect(server.requests("/x").count == 2)
    }
  }

  @Test func `gets a name of the URL with control characters in a form that ends no field`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .guarded(Guard(.digest(algorithm: "SHA-256")), then: Self.file))
      let name = "a%22%0d%0a%0d%0aGET%20%2Fadmin%20HTTP%2F1.0%0d%0a%0d%0a"

      let facts = try await workshop.run(.download("http://\(name):b@127.0.0.1:\(server.port)/x"))

      #expect(facts.response?.status == 401, "\(facts)")
      #expect(server.requests("/admin").isEmpty)
      #expect(server.requests("/x").count == 2)
      #expect(server.requests("/x").last?.headers["authorization"]?.contains("username*=UTF-8''a%22%0d%0a") == true)
    }
  }

  @Test func `believes a name with control characters that an app has told`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .guarded(Guard(.digest(algorithm: "SHA-256"), user: "bob\r\nX: y"), then: Self.file))
      let told = Decision.use(.password(user: "bob\r\nX: y", password: "open sesame"), isRemembered: false)
      let subject = try #require(try await workshop.run(.asking(server.url("/x"))).last?.challenge).subject

      let facts = try await workshop.run(.asking(server.url("/x"), attempt: 2, [Answered(subject, told)]))

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(server.requests("/x").allSatisfy { $0.headers["x"] == nil })
    }
  }

  /// Guards who never say the same twice: one after the other, the last one for ever.
  private static let fickle: [[Guard]] = [
    [Guard(.basic, password: "none").fickle],
    [Guard(.digest(algorithm: "SHA-256")).fickle],
    (1...40).map { $0 % 2 == 0 ? Guard(.basic, password: "none") : Guard(.digest(algorithm: "MD5"), password: "none") },
  ]

  @Test(.timeLimit(.minutes(1)), arguments: fickle)
  func `gets the password of the URL a few times only, though it names another realm or way each time`(
    posts: [Guard]
  ) async throws {
    try await withWorkshop { workshop, server in
      let scripts: [Script] = posts.map { .guarded($0, then: Self.file) }
      server.play("/x", scripts)
      server.play("/y", scripts)
      let own = "http://anna:open%20sesame@127.0.0.1:\(server.port)"

      let unasked = try await workshop.run(.download("\(own)/x"))
      let asking = try await workshop.run(.asking("\(own)/y", id: 2))

      #expect(unasked.response?.status == 401, "\(unasked)")
      #expect(asking.last?.challenge?.response?.status == 401, "\(asking)")
      #expect(server.requests("/x").count == 1 + Credentials.showsMax)
      #expect(server.requests("/y").count == 1 + Credentials.showsMax)
    }
  }

  @Test func `on another host is not told the password of the first`() async throws {
    try await withWorkshop { workshop, server in
      let other = try await HTTPTestServer.start()
      server.play("/x", .guarded(Guard(.basic), then: .redirect(to: other.url("/y"))))
      other.play("/y", .answer(status: 200, body: "open"))
      let subject = try #require(try await workshop.run(.asking(server.url("/x"))).last?.challenge).subject

      try await workshop.run(.asking(server.url("/x"), attempt: 2, [Answered(subject, Self.right)]))

      #expect(other.requests("/y").map { $0.headers["authorization"] } == [nil])
      try await other.stop()
    }
  }

  @Test func `gets a known password at once, so that an upload is sent once`() async throws {
    try await withWorkshop { workshop, server in
      let path = Disk.write([UInt8](repeating: 7, count: 300_000), to: "\(workshop.folder)/up")
      server.play("/x", .guarded(Guard(.basic), then: .take()))
      let space = ProtectionSpace(
        method: .basic, host: "127.0.0.1", port: server.port, isSecure: false, realm: "things")
      var order = TransferOrder.upload(path, to: server.url("/x"))
      order.answers = [Answered(Challenge.Subject(space: space), Self.right)]

      let facts = try await workshop.run(order)

      #expect(facts.response?.status == 200)
      #expect(server.requests("/x").count == 1)
    }
  }
}

@Suite struct `A certificate` {
  @Test func `that nobody vouches for makes the attempt ask, and serves the one that trusts it`() async throws {
    try await withWorkshop(.tlsOfStranger) { workshop, server in
      let first = try await workshop.run(.asking(server.url("/file/1/10")))
      let challenge = try #require(first.last?.challenge)
      let trust = Answered(challenge.subject, .use(.trust, isRemembered: true))
      let second = try await workshop.run(.asking(server.url("/file/1/10"), attempt: 2, [trust]))

      #expect(challenge.space.method == .serverTrust && challenge.chain.count == 1)
      #expect(challenge.distrust?.code == .certificateUntrusted)
      #expect(second.response?.status == 200)
    }
  }

  @Test func `of another host is trusted by name only if its app says so`() async throws {
    try await withWorkshop(.tlsForAnotherHost) { workshop, server in
      let url = "https://localhost:\(server.port)/file/1/10"
      let challenge = try #require(try await workshop.run(.asking(url)).last?.challenge)
      let trust = Answered(challenge.subject, .use(.trust, isRemembered: true))

      let trusting = try await workshop.run(.asking(url, attempt: 2, [trust]))
      let another = try await workshop.run(.download(url, id: 2))

      #expect(trusting.response?.status == 200)
      #expect(another.failure?.code == .certificateUntrusted)  // No connection of the trusting one is shared.
    }
  }

  @Test func `that changes is asked about anew`() async throws {
    try await withWorkshop(.tlsOfStranger) { workshop, server in
      let challenge = try #require(try await workshop.run(.asking(server.url("/file/1/10"))).last?.challenge)
      var pinned = challenge.subject
      pinned.leaf = [1, 2, 3]

      let facts = try await workshop.run(
        .asking(server.url("/file/1/10"), attempt: 2, [Answered(pinned, .use(.trust, isRemembered: true))]))

      #expect(facts.last?.challenge?.subject == challenge.subject)
    }
  }

  @Test func `that is no longer valid is told from one that nobody vouches for`() async throws {
    try await withWorkshop(.tlsExpired) { workshop, server in
      let unasked = try await workshop.run(.download(server.url("/file/1/10")))
      let asked = try await workshop.run(.asking(server.url("/file/1/10"), id: 2))

      #expect(unasked.failure?.code == .certificateExpired)
      #expect(asked.last?.challenge?.distrust?.code == .certificateExpired)
    }
  }

  @Test func `that is trusted is shown to a session that wants to see every one, once`() async throws {
    try await withWorkshop(.tls) { workshop, server in
      let asks = Asks(credentials: true, everyCertificate: true)
      let url = server.url("/file/1/10")

      let challenge = try #require(try await workshop.run(.asking(url, asks: asks)).last?.challenge)
      let approved = Answered(challenge.subject, .performDefault)
      let trusted = Answered(challenge.subject, .use(.trust, isRemembered: true))
      let second = try await workshop.run(.asking(url, attempt: 2, [approved], asks: asks))
      let third = try await workshop.run(.asking(url, id: 2, [trusted], asks: asks))

      #expect(challenge.distrust == nil && challenge.chain.count == 1)
      #expect(second.response?.status == 200)
      #expect(third.response?.status == 200)
      #expect(server.requests("/file/1/10").count == 2)  // Nothing was sent before the app had seen it.
    }
  }

  @Test func `that is trusted is not shown to others`() async throws {
    try await withWorkshop(.tls) { workshop, server in
      let facts = try await workshop.run(.asking(server.url("/file/1/10")))

      #expect(facts.response?.status == 200)
    }
  }

  @Test func `of ours is shown to a server that insists on one`() async throws {
    try await withWorkshop(.tlsForVisitors) { workshop, server in
      let url = server.url("/file/1/10")
      let challenge = try #require(try await workshop.run(.asking(url)).last?.challenge)
      let identity = Credential.identity(chain: Fixtures.visitor.certificate, key: Fixtures.visitor.key)

      let shown = try await workshop.run(
        .asking(url, attempt: 2, [Answered(challenge.subject, .use(identity, isRemembered: true))]))
      let unasked = try await workshop.run(.download(url, id: 2))

      #expect(challenge.space.method == .clientCertificate)
      #expect(shown.response?.status == 200)
      #expect(unasked.failure?.code == .clientCertificateRequired)
    }
  }

  @Test func `of ours that cannot be read fails in words`() async throws {
    try await withWorkshop(.tlsForVisitors) { workshop, server in
      let space = ProtectionSpace(method: .clientCertificate, host: "127.0.0.1", port: server.port, isSecure: true)
      let broken = Decision.use(.identity(chain: "no PEM", key: "none"), isRemembered: true)

      let facts = try await workshop.run(
        .asking(server.url("/file/1/10"), [Answered(Challenge.Subject(space: space), broken)]))

      #expect(facts.failure?.code == .secureConnectionFailed)
    }
  }
}

extension TransferOrder {
  /// An order for a download that may ask.
  static func asking(
    _ url: String, id: Int64 = 1, attempt: Int = 1, _ answers: [Answered] = [], asks: Asks = Asks(credentials: true)
  ) -> TransferOrder {
    var order = download(url, id: id, attempt: attempt)
    (order.asks, order.answers) = (asks, answers)
    return order
  }
}
