import NightjarModel
import NightjarTransfer
import ScriptedServer
import Testing

@Suite(.timeLimit(.minutes(2))) struct DownloadTests {
  private let content = Content(seed: 7, size: 300_000)

  @Test(arguments: [0, 1, 8_191, 300_000, 3_000_000] as [Int64])
  func `every byte of a file arrives`(size: Int64) async throws {
    try await withWorkshop { workshop, server in
      let facts = try await workshop.run(.download(server.url("/file/7/\(size)")))

      #expect(facts.response?.status == 200)
      #expect(Disk.read(workshop.part()) == Content(seed: 7, size: size).bytes)
      #expect(Disk.mode(workshop.part()) == 0o600)
      #expect(Disk.mode("\(workshop.folder)/staging") == 0o700)
    }
  }

  @Test(arguments: [HTTPTestServer.Security.tls, .http2])
  func `every byte arrives over TLS and over HTTP 2`(security: HTTPTestServer.Security) async throws {
    try await withWorkshop(security) { workshop, server in
      let facts = try await workshop.run(.download(server.url("/file/7/3000000")))

      #expect(facts.response?.status == 200)
      #expect(Disk.read(workshop.part()) == Content(seed: 7, size: 3_000_000).bytes)
    }
  }

  @Test func `the finished fact carries the file's stamp and the final URL`() async throws {
    try await withWorkshop { workshop, server in
      let facts = try await workshop.run(.download(server.url("/redirect/file/7/1000")))

      guard case .finished(let response, let file)? = facts.last else {
        Issue.record("not finished: \(facts)")
        return
      }
      #expect(response.url == server.url("/file/7/1000"))
      #expect(file == StagedFile(path: workshop.part(), stamp: Disk.stamp(workshop.part())))
    }
  }

  @Test(arguments: [
    Serving(Content(seed: 7, size: 300_000)).with { $0.isChunked = true },
    Serving(Content(seed: 7, size: 300_000)).with { $0.endsByClosing = true },
  ])
  func `a body without a length arrives`(serving: Serving) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(serving))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.response?.status == 200)
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `an answer that is no success is a file too`() async throws {
    try await withWorkshop { workshop, server in
      let facts = try await workshop.run(.download(server.url("/nowhere")))

      #expect(facts.response?.status == 404)
      #expect(Disk.read(workshop.part()) == Array("nothing here\n".utf8))
    }
  }

  @Test func `a HEAD has an empty file and the length that the server told`() async throws {
    try await withWorkshop { workshop, server in
      let facts = try await workshop.run(.download(server.url("/file/7/5000")) { $0.method = "HEAD" })

      #expect(facts.response?.headers[field: "Content-Length"] == "5000")
      #expect(Disk.read(workshop.part()) == [])
    }
  }

  @Test func `the client's header fields go along and identity is asked for`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 200))

      try await workshop.run(
        .download(server.url("/x")) { $0.headers = [HTTPField("X-Own", "1"), HTTPField("Host", "evil")] })

      let seen = server.requests("/x").first?.headers
      #expect(seen?["x-own"] == "1")
      #expect(seen?["accept-encoding"] == "identity")
      #expect(seen?["host"] == "127.0.0.1:\(server.port)")
    }
  }

  @Test func `the client's own Accept-Encoding wins`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 200))

      try await workshop.run(.download(server.url("/x")) { $0.headers = [HTTPField("accept-encoding", "gzip")] })

      #expect(server.requests("/x").first?.headers["accept-encoding"] == "gzip")
    }
  }

  @Test func `a download may send a body`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .take(body: "thanks"))

      try await workshop.run(
        .download(server.url("/x")) { ($0.method, $0.body) = ("POST", Array("question".utf8)) })

      #expect(server.requests("/x").first?.bodyDigest == SHA256.hex(Array("question".utf8)))
      #expect(Disk.read(workshop.part()) == Array("thanks".utf8))
    }
  }

  @Test func `user and password in a URL become credentials and are not shown`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .guarded(Guard(.basic, user: "ann", password: "s@cret"), then: .answer(status: 200)))

      let facts = try await workshop.run(.download("http://ann:s%40cret@127.0.0.1:\(server.port)/x"))

      #expect(server.requests("/x").map { $0.headers["authorization"] } == [nil, "Basic YW5uOnNAY3JldA=="])
      #expect(facts.response?.url == server.url("/x"))
    }
  }

  @Test func `informational answers are passed over`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .inform(status: 104, times: 3, then: .answer(status: 200, body: "final")))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.response?.status == 200)
      #expect(Disk.read(workshop.part()) == Array("final".utf8))
    }
  }

  @Test func `progress ends with the whole length`() async throws {
    try await withWorkshop { workshop, server in
      let facts = try await workshop.run(.download(server.url("/file/7/3000000")))

      let last = facts.last { if case .progressed = $0 { true } else { false } }
      #expect(last == .progressed(count: 3_000_000, expected: 3_000_000))
    }
  }

  @Test func `a body that is cut is told to have come as far as it has`() async throws {
    try await withWorkshop(settings: { $0.progressInterval = .seconds(3600) }) { workshop, server in
      let cut = Serving(Content(seed: 3, size: 3_000_000)).with {
        ($0.mishap, $0.mishapAfter, $0.isChunked) = (.cut, 2_000_000, true)
      }
      server.play("/x", .serve(cut))

      let facts = try await workshop.run(.download(server.url("/x")))

      let last = facts.last { if case .progressed = $0 { true } else { false } }
      #expect(last == .progressed(count: 2_000_000, expected: nil))
      #expect(facts.failure?.code == .connectionLost)
    }
  }

  @Test func `the head of an answer is told once, before anything of its body`() async throws {
    try await withWorkshop(settings: { $0.progressInterval = .zero }) { workshop, server in
      let facts = try await workshop.run(.download(server.url("/file/7/3000000")))

      let told = facts.filter { if case .progressed = $0 { true } else { $0.information != nil } }
      #expect(told.first?.information?.status == 200 && told.count > 1)
      #expect(facts.informations == [told.first?.information])
      #expect(facts.informations.first?.headers[field: "Content-Length"] == "3000000")
    }
  }

  @Test func `a file that comes at once is told by its end alone`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 200, body: "final"))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.count == 1)
      #expect(facts.response?.status == 200)
    }
  }

  @Test func `what is safe has been told as having come, and a stop leaves nothing untold`() async throws {
    try await withWorkshop(settings: { ($0.progressInterval, $0.checkpointBytes) = (.seconds(3600), 100_000) }) {
      workshop, server in
      let stalled = Serving(Content(seed: 7, size: 2_000_000)).with { ($0.mishap, $0.mishapAfter) = (.stall, 600_000) }
      server.play("/x", .serve(stalled))
      let order = TransferOrder.download(server.url("/x"))
      workshop.engine.start(order)
      try await workshop.log.first { $0.fact.checkpoint.map { $0.offset > 400_000 } ?? false }

      workshop.engine.stop(order.id, attempt: 1)
      let facts = try await workshop.end(of: order)

      var told: Int64 = 0
      for fact in facts {
        told = max(told, fact.count)
        #expect(told >= fact.checkpoint?.offset ?? 0, "\(facts)")
      }
      #expect(facts.last == .stopped && told == facts.checkpoints.last?.offset)
    }
  }

  @Test func `progress is thinned out`() async throws {
    try await withWorkshop(settings: { $0.progressInterval = .seconds(3600) }) { workshop, server in
      let facts = try await workshop.run(.download(server.url("/file/7/20000000")))

      #expect(facts.count { if case .progressed = $0 { true } else { false } } <= 2)
    }
  }
}

@Suite(.timeLimit(.minutes(2))) struct ConnectionTests {
  @Test func `requests one after the other share a connection`() async throws {
    try await withWorkshop { workshop, server in
      for id in 1...5 as ClosedRange<Int64> {
        try await workshop.run(.download(server.url("/file/\(id)/1000"), id: id))
      }

      #expect(server.connections == 1)
    }
  }

  @Test func `a host gets no more connections than the bound says`() async throws {
    try await withWorkshop(settings: { $0.connectionsPerHostMax = 3 }) { workshop, server in
      let orders = (1...20).map { TransferOrder.download(server.url("/file/\($0)/50000"), id: $0) }

      for order in orders { workshop.engine.start(order) }
      for order in orders {
        let facts = try await workshop.end(of: order)
        #expect(facts.response?.status == 200)
      }

      #expect(server.connections <= 3)
    }
  }

  @Test func `transfers from an HTTP 2 host share one connection`() async throws {
    try await withWorkshop(.http2) { workshop, server in
      let orders = (1...20).map { TransferOrder.download(server.url("/file/\($0)/50000"), id: $0) }

      for order in orders { workshop.engine.start(order) }
      for order in orders {
        let facts = try await workshop.end(of: order)
        #expect(facts.response?.status == 200)
      }

      #expect(server.connections == 1)
      #expect(Disk.read(workshop.part(20)) == Content(seed: 20, size: 50_000).bytes)
    }
  }

  @Test func `a kept connection that the server has closed is replaced`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 200), .hangUp, .answer(status: 200, body: "again"))
      try await workshop.run(.download(server.url("/x")))

      let facts = try await workshop.run(.download(server.url("/x"), id: 2))

      #expect(facts.response?.status == 200)
      #expect(Disk.read(workshop.part(2)) == Array("again".utf8))
    }
  }

  @Test func `a connection is used again after an unwanted body`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 503, body: "come back later"))
      try await workshop.run(.download(server.url("/x")))

      try await workshop.run(.download(server.url("/file/1/10"), id: 2))

      #expect(server.connections == 1)
    }
  }

  @Test func `a stranger's certificate is refused`() async throws {
    try await withWorkshop(.tls, settings: { $0.trustedCertificates = nil }) { workshop, server in
      let facts = try await workshop.run(.download(server.url("/file/1/10")))

      #expect(facts.failure?.code == .certificateUntrusted)
      #expect(facts.failure?.detail.contains("trusted.certificates") == true, "\(facts)")
      #expect(facts.failure?.detail.contains("CERTIFICATE_VERIFY_FAILED") == false)
    }
  }

  @Test func `a certificate for another host is refused`() async throws {
    try await withWorkshop(.tlsForAnotherHost) { workshop, server in
      let byAddress = try await workshop.run(.download(server.url("/file/1/10")))
      let byName = try await workshop.run(.download("https://localhost:\(server.port)/file/1/10", id: 2))

      #expect(byAddress.failure?.code == .certificateUntrusted)
      #expect(byName.failure?.code == .certificateUntrusted)
    }
  }

  @Test func `a name that the certificate bears is accepted`() async throws {
    try await withWorkshop(.tls) { workshop, server in
      let facts = try await workshop.run(.download("https://localhost:\(server.port)/file/1/10"))

      #expect(facts.response?.status == 200)
    }
  }
}
