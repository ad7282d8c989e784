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
