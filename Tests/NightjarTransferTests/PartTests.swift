import NightjarModel
import NightjarTransfer
import ScriptedServer
import Testing

/// Servers that send less of a file at a time than was asked for.
@Suite(.timeLimit(.minutes(2))) struct PartTests {
  private static let content = Content(seed: 3, size: 900_000)
  private static let resume = ResumePoint(offset: 100_000, validator: .entityTag("\"3-900000\""), length: 900_000)
  private static let capped = Serving(content).with { $0.rangeMax = 200_000 }

  private func stage(_ workshop: Workshop) { Disk.write(Self.content.bytes(0..<100_000), to: workshop.part()) }

  @Test(arguments: [HTTPTestServer.Security.plain, .tls, .http2])
  func `parts are asked for one after the other, and told as one answer`(
    security: HTTPTestServer.Security
  ) async throws {
    try await withWorkshop(security, settings: { $0.progressInterval = .zero }) { workshop, server in
      server.play("/x", .serve(Self.capped))
      stage(workshop)

      let facts = try await workshop.run(.download(server.url("/x"), resume: Self.resume))

      let ranges = server.requests("/x").map { $0.headers["range"] }
      #expect(ranges == [1, 3, 5, 7].map { "bytes=\($0)00000-" })
      #expect(facts.response?.status == 200 && facts.informations.count == 1, "\(facts)")
      #expect(Disk.read(workshop.part()) == Self.content.bytes)
    }
  }

  @Test func `each part is asked for by the way that leads to it`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .redirect(to: "/f?t=1"), .redirect(to: "/f?t=2"))
      server.play("/f?t=1", .serve(Self.capped), .answer(status: 403, body: "expired"))
      server.play("/f?t=2", .serve(Serving(Self.content)))
      stage(workshop)

      let facts = try await workshop.run(.download(server.url("/x"), resume: Self.resume))

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(server.requests("/f?t=2").map { $0.headers["range"] } == ["bytes=300000-"])
      #expect(Disk.read(workshop.part()) == Self.content.bytes)
    }
  }

  @Test func `what follows a part is asked for from its end, also while its beginning is being synced`() async throws {
    // HTTP/2 brings it in small frames, most of which wait to be written.
    try await withWorkshop(.http2, settings: { $0.checkpointInterval = .zero }) { workshop, server in
      server.play("/x", .serve(Serving(Self.content).with { $0.rangeMax = 100_000 }))
      stage(workshop)

      let facts = try await workshop.run(.download(server.url("/x"), resume: Self.resume))

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(server.requests("/x").map { $0.headers["range"] } == (1...8).map { "bytes=\($0)00000-" })
      #expect(Disk.read(workshop.part()) == Self.content.bytes)
    }
  }

  @Test func `parts may come from another host each`() async throws {
    try await withWorkshop { workshop, server in
      let other = try await HTTPTestServer.start(.plain)
      server.play("/x", .redirect(to: server.url("/f")), .redirect(to: other.url("/f")))
      for host in [server, other] { host.play("/f", .serve(Self.capped)) }
      stage(workshop)

      let facts = try await workshop.run(.download(server.url("/x"), resume: Self.resume))
      try await other.stop()

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(server.requests("/f").count == 1 && other.requests("/f").count == 3)
      #expect(Disk.read(workshop.part()) == Self.content.bytes)
    }
  }

  @Test(arguments: [true, false])
  func `a server that is busy between two parts is asked again later, however often it was`(
    retries: Bool
  ) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(Self.capped), .answer(status: 503, body: "busy"))
      stage(workshop)

      let facts = try await workshop.run(
        .download(server.url("/x"), resume: Self.resume, retriesServerErrors: retries))

      #expect(facts.failure?.code == .serverBusy, "\(facts)")
      #expect(Disk.read(workshop.part()) == Self.content.bytes(0..<300_000))
    }
  }

  @Test func `a file that has changed between two parts is fetched whole`() async throws {
    try await withWorkshop { workshop, server in
      let other = Content(seed: 4, size: 700_000)
      server.play("/x", .serve(Self.capped), .serve(Serving(other)))
      stage(workshop)

      let facts = try await workshop.run(.download(server.url("/x"), resume: Self.resume))

      #expect(facts.response?.headers[field: "Content-Length"] == "700000", "\(facts)")
      #expect(Disk.read(workshop.part()) == other.bytes)
    }
  }
}
