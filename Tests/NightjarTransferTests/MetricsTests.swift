import NightjarModel
import ScriptedServer
import Testing

@Suite(.timeLimit(.minutes(2))) struct MetricsTests {
  private func metrics(_ workshop: Workshop, id: Int64 = 1) -> TransferMetrics {
    workshop.log.metrics(of: TransferID(id), attempt: 1) ?? TransferMetrics()
  }

  @Test(arguments: [(HTTPTestServer.Security.plain, "http/1.1"), (.tls, "http/1.1"), (.http2, "h2")])
  func `what a download did and when is measured`(security: HTTPTestServer.Security, name: String) async throws {
    try await withWorkshop(security) { workshop, server in
      let scheme = security == .plain ? "http" : "https"

      try await workshop.run(.download("\(scheme)://localhost:\(server.port)/file/7/300000"))

      let exchange = try #require(metrics(workshop).exchanges.first)
      #expect(exchange.status == 200 && exchange.protocolName == name)
      #expect(exchange.responseBodyBytes == 300_000 && exchange.decodedBodyBytes == 300_000)
      #expect(exchange.requestHeaderBytes > 50 && exchange.responseHeaderBytes > 50)
      #expect(exchange.remote == .init(address: exchange.remote?.address ?? "", port: server.port))
      #expect(exchange.local?.port ?? 0 > 0)
      #expect((exchange.tlsVersion == 0x0304) == (security != .plain))
      let times = [
        exchange.fetchStart, exchange.lookup?.start, exchange.lookup?.end, exchange.secure?.start, exchange.secure?.end,
        exchange.connect?.end, exchange.request?.start, exchange.request?.end, exchange.response?.start,
        exchange.response?.end,
      ].compactMap(\.self)
      #expect(times.count == (security == .plain ? 8 : 10))
      #expect(times == times.sorted())
    }
  }

  @Test func `a connection that is used again was made by another`() async throws {
    try await withWorkshop { workshop, server in
      try await workshop.run(.download(server.url("/file/7/10")))
      try await workshop.run(.download(server.url("/file/7/10"), id: 2))

      let (first, second) = (metrics(workshop).exchanges.first, metrics(workshop, id: 2).exchanges.first)
      #expect(first?.isReused == false && first?.connect?.end != nil)
      #expect(second?.isReused == true && second?.connect == nil && second?.lookup == nil)
    }
  }

  @Test func `each redirect is a request of its own`() async throws {
    try await withWorkshop { workshop, server in
      try await workshop.run(.download(server.url("/redirect/redirect/file/7/10")))

      #expect(metrics(workshop).redirects == 2)
      #expect(metrics(workshop).exchanges.map(\.status) == [302, 302, 200])
    }
  }

  @Test func `an upload's bytes are counted, and a proxy is noticed`() async throws {
    try await withWorkshop { workshop, server in
      server.play("http://files.example/x", .take())
      let source = Disk.write(Content(seed: 1, size: 123_456).bytes, to: "\(workshop.folder)/source")

      try await workshop.run(
        .upload(source, to: "http://files.example/x") {
          $0.options.proxies = Proxies(http: "http://127.0.0.1:\(server.port)")
        })

      let exchange = metrics(workshop).exchanges.first
      #expect(exchange?.requestBodyBytes == 123_456)
      #expect(exchange?.isProxied == true)
    }
  }

  @Test func `where an upload goes on is a secret, and is measured as the upload's own place`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000)] }))

      _ = try await persist(workshop, server, to: "/x")

      let exchanges = try #require(workshop.log.metrics(of: TransferID(1), attempt: 2)).exchanges
      #expect(server.requests("/uploads/1").map(\.method) == ["HEAD", "PATCH"])
      #expect(exchanges.map(\.url) == [server.url("/x"), server.url("/x")])
    }
  }

  @Test func `a failure is measured as far as it came`() async throws {
    try await withWorkshop { workshop, server in
      try await workshop.run(.download("http://nowhere.invalid/x"))

      let exchange = metrics(workshop).exchanges.first
      #expect(exchange?.url == "http://nowhere.invalid/x")
      #expect(exchange?.connect == nil && exchange?.response == nil)
    }
  }

  @Test func `coded bytes are counted as they came and as they are`() async throws {
    try await withWorkshop { workshop, server in
      let text = [UInt8](repeating: 65, count: 100_000)
      server.play("/x", .bytes(Zip.gzip(text), headers: ["Content-Encoding": "gzip"]))

      try await workshop.run(.download(server.url("/x")))

      let exchange = metrics(workshop).exchanges.first
      #expect(exchange?.responseBodyBytes == Int64(Zip.gzip(text).count))
      #expect(exchange?.decodedBodyBytes == 100_000)
    }
  }
}
