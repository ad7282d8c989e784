import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

/// Where an upload that goes on may go, and what with it.
@Suite(.timeLimit(.minutes(2))) struct UploadPlaceTests {
  @Test func `the client's own secrets do not go to another host`() async throws {
    let other = try await HTTPTestServer.start()
    try await withWorkshop { workshop, server in
      let collecting = Collecting().with { ($0.elsewhere, $0.mishaps) = (other.url(""), [.cut(after: 200_000)]) }
      server.play("/x", .collect(collecting))

      _ = await persist(workshop, server, to: "/x", attemptsMax: 2) {
        $0.headers = [
          HTTPField("Authorization", "Bearer s3cret"), HTTPField("X-API-Key", "s3cret"), HTTPField("Cookie", "s3cret"),
          HTTPField("User-Agent", "Tests"),
        ]
      }

      let there = other.requests("/uploads/1").first
      #expect(there?.headers["user-agent"] == "Tests")
      #expect(there?.headers.values.contains { $0.contains("s3cret") } == false)
      #expect(there?.headers.keys.contains("x-api-key") == false)
    }
    try await other.stop()
  }

  @Test func `on the same host they go along`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000)] }))

      _ = await persist(workshop, server, to: "/x") {
        $0.headers = [HTTPField("Authorization", "Bearer s3cret"), HTTPField("Content-Type", "video/mp4")]
      }

      let resumed = server.requests("/uploads/1")
      #expect(resumed.map { $0.headers["authorization"] } == ["Bearer s3cret", "Bearer s3cret"])
      #expect(resumed.map { $0.headers["content-type"] } == [nil, "application/partial-upload"])
      #expect(server.requests("/x").first?.headers["content-type"] == "video/mp4")
    }
  }

  @Test func `nothing that was to go encrypted goes on in the clear`() async throws {
    let other = try await HTTPTestServer.start()
    try await withWorkshop(.tls) { workshop, server in
      let collecting = Collecting().with { ($0.elsewhere, $0.mishaps) = (other.url(""), [.cut(after: 200_000)]) }
      server.play("/x", .collect(collecting))

      let attempts = await persist(workshop, server, to: "/x")

      #expect(other.connections == 0)
      #expect(attempts.last?.response?.status == 200)
    }
    try await other.stop()
  }

  @Test func `a redirect is followed before the upload begins, and the resource is its own`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .redirect(status: 307, to: "/y"))
      server.play("/y", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000)] }))

      _ = await persist(workshop, server, to: "/x")

      #expect(completed(server, "/y").map(\.bodyDigest) == [content.sha256])
      #expect(server.requests("/uploads/1").last?.bodyLength == content.size - 200_000)
    }
  }

  @Test(arguments: [0, 1] as [Int64]) func `the smallest files go up too`(size: Int64) async throws {
    try await withWorkshop { workshop, server in
      let content = Content(seed: 1, size: size)
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.swallow] }))

      let attempts = await persist(workshop, server, to: "/x", content: content)

      #expect(attempts.count == 2)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test func `a stopped upload goes on where it was`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting().with { $0.speed = 200_000 }))
      let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")
      var order = TransferOrder.upload(source, to: server.url("/x"))
      workshop.log.hook { [engine = workshop.engine] entry in
        if entry.fact.checkpoint?.upload != nil { engine.stop(entry.id, attempt: 1) }
      }
      let stopped = await workshop.run(order)
      (order.attempt, order.resume) = (2, stopped.checkpoints.last)

      let facts = await workshop.run(order)

      #expect(stopped.last == .stopped)
      // The server may have had the last bytes on their way when we stopped: then it has nothing left to ask for.
      let ways: [([String], Int)] = [(["HEAD", "PATCH"], 200), (["HEAD"], 204)]
      let (methods, status) = (server.requests("/uploads/1").map(\.method), facts.response?.status)
      #expect(ways.contains { $0.0 == methods && $0.1 == status }, "\(methods) answered by \(status ?? 0)")
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }
}
