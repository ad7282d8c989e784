import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

/// Against a server that follows the draft, and breaks off as told.
@Suite(.timeLimit(.minutes(2))) struct ResumableUploadTests {
  @Test(arguments: [HTTPTestServer.Security.plain, .tls, .http2])
  func `an upload that is not cut is one request`(security: HTTPTestServer.Security) async throws {
    try await withWorkshop(security) { workshop, server in
      server.play("/x", .collect(Collecting()))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 1)
      #expect(attempts[0].response?.status == 200)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
      #expect(server.requests("/uploads/1").isEmpty)
      #expect(Disk.read(workshop.reply()) == Array("taken".utf8))
    }
  }

  @Test(arguments: [0, 1, 200_000, 599_999] as [Int64], [3, 5, 6, 8])
  func `a cut upload goes on from the server's offset`(place: Int64, version: Int) async throws {
    let versions = [UploadVersion(rawValue: version)!]
    try await withWorkshop(settings: { $0.uploadVersions = versions }) { workshop, server in
      let collecting = Collecting().with { ($0.version, $0.mishaps) = (version, [.cut(after: place)]) }
      server.play("/x", .collect(collecting))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 2)
      #expect(attempts.last?.response?.status == 200, "\(attempts)")
      #expect(attempts.last?.checkpoints.map(\.offset).first ?? 0 == place)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
      let resumed = server.requests("/uploads/1")
      #expect(resumed.map(\.method) == ["HEAD", "PATCH"])
      #expect(resumed.last?.bodyLength == content.size - place)
      #expect(resumed.last?.headers["content-type"] == (version >= 6 ? "application/partial-upload" : nil))
    }
  }

  @Test(arguments: [HTTPTestServer.Security.plain, .tls, .http2])
  func `a server that reads slowly gets all of it in one request`(security: HTTPTestServer.Security) async throws {
    try await withWorkshop(security) { workshop, server in
      server.play("/x", .collect(Collecting().with { $0.speed = 2_000_000 }))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 1)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test(arguments: [HTTPTestServer.Security.plain, .http2])
  func `many cuts move little more than the file`(security: HTTPTestServer.Security) async throws {
    try await withWorkshop(security) { workshop, server in
      // A question comes before each part, so every other mishap strikes a part.
      let mishaps: [Collecting.Mishap] = [
        .cut(after: 80_000), .none, .cut(after: 80_000), .none, .cut(after: 80_000), .none, .cut(after: 80_000),
      ]
      server.play("/x", .collect(Collecting().with { $0.mishaps = mishaps }))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 5)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
      #expect(attempts.flatMap(\.checkpoints).map(\.offset) == [0, 80_000, 160_000, 240_000, 320_000])
    }
  }

  @Test func `whoever refuses a file, perhaps unread, is asked anew over another connection`() async throws {
    try await withWorkshop(settings: { $0.uploadVersions = [.eight, .six] }) { workshop, server in
      let source = Disk.write([7], to: "\(workshop.folder)/small")  // Sent whole before the refusal can come.
      server.play("/x", .collect(Collecting().with { $0.version = 6 }))

      let facts = try await workshop.run(.upload(source, to: server.url("/x")))

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(server.connections == 2)
    }
  }

  @Test func `a server that never heard of it sees an ordinary upload`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .cutRequest(after: 200_000), .take())

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.map { $0.checkpoints.isEmpty } == [true, true])
      #expect(server.requests("/x").map(\.bodyDigest) == [content.sha256])
      #expect(server.requests("/x").first?.headers["upload-complete"] == "?1")
      #expect(server.requests("/x").first?.headers["upload-length"] == "\(content.size)")
    }
  }

  @Test func `without versions nothing is added to the request`() async throws {
    try await withWorkshop(settings: { $0.uploadVersions = [] }) { workshop, server in
      _ = try await persist(workshop, server, to: "/upload/a")

      let names = server.requests("/upload/a").first?.headers.keys.filter { $0.hasPrefix("upload-") }
      #expect(names == [])
    }
  }

  @Test(arguments: [3, 5, 6]) func `an older version is offered to a server that names it`(version: Int) async throws {
    try await withWorkshop { workshop, server in
      let collecting = Collecting().with { ($0.version, $0.mishaps) = (version, [.none, .cut(after: 200_000)]) }
      server.play("/x", .collect(collecting))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count <= 2)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
      let offered = server.requests("/x").compactMap { $0.headers["upload-draft-interop-version"] }
      #expect(offered.last == "\(version)")
      #expect(server.requests("/uploads/1").last?.headers["upload-draft-interop-version"] == "\(version)")
    }
  }

  @Test(arguments: ["7", "99", "a word"]) func `a server that speaks only what we do not gets an ordinary upload`(
    version: String
  ) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 400, headers: ["Upload-Draft-Interop-Version": version]), .take())

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 1 && attempts[0].response?.status == 200, "\(attempts)")
      #expect(server.requests("/x").last?.bodyDigest == content.sha256)
      #expect(server.requests("/x").last?.headers["upload-complete"] == nil)
    }
  }

  @Test func `a 104 of another version is no promise`() async throws {
    try await withWorkshop { workshop, server in
      let other = Script.inform(status: 104, times: 1, then: .answer(status: 200, body: "ok"))
      server.play("/x", other)

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 1)
      #expect(attempts[0].checkpoints.isEmpty)
    }
  }

  @Test func `a lost answer is not sent for again`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.swallow] }))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 2)
      #expect(attempts.last?.response?.status == 204)
      #expect(attempts.last?.contains(.progressed(count: content.size, expected: content.size)) == true)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
      #expect(server.requests("/uploads/1").map(\.method) == ["HEAD"])
    }
  }

  @Test(arguments: [true, false])
  func `a server that takes little at a time gets parts`(isAnnounced: Bool) async throws {
    try await withWorkshop { workshop, server in
      let collecting = Collecting().with { ($0.appendMax, $0.announcesLimit) = (140_000, isAnnounced) }
      server.play("/x", .collect(collecting))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 1)
      #expect(attempts[0].response?.status == 200)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
      #expect(server.requests("/uploads/1").allSatisfy { $0.bodyLength <= 140_000 })
      #expect(server.requests("/uploads/1").last?.headers["upload-complete"] == "?1")
    }
  }

  @Test func `parts that are cut go on too`() async throws {
    try await withWorkshop { workshop, server in
      let collecting = Collecting().with {
        ($0.appendMax, $0.announcesLimit) = (140_000, false)
        $0.mishaps = [.none, .none, .cut(after: 20_000), .none, .none, .cut(after: 60_000)]
      }
      server.play("/x", .collect(collecting))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 3)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
      #expect(attempts.flatMap(\.checkpoints).map(\.offset).sorted() == attempts.flatMap(\.checkpoints).map(\.offset))
    }
  }

  @Test func `what the server acknowledges meanwhile is remembered`() async throws {
    try await withWorkshop(settings: { ($0.checkpointBytes, $0.checkpointInterval) = (100_000, .seconds(3600)) }) {
      workshop, server in
      let collecting = Collecting().with { ($0.informsEvery, $0.mishaps) = (4_000, [.cut(after: 580_000)]) }
      server.play("/x", .collect(collecting))

      let attempts = try await persist(workshop, server, to: "/x")

      let offsets = attempts[0].checkpoints.map(\.offset)
      #expect(offsets.first == 0 && offsets.count >= 3)
      #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $1 - $0 >= 100_000 })
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test func `what the app is told is the answer to the whole`() async throws {
    try await withWorkshop { workshop, server in
      let mishaps: [Collecting.Mishap] = [.cut(after: 200_000), .none, .outcome(status: 422)]
      server.play("/x", .collect(Collecting().with { $0.mishaps = mishaps }))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(attempts.count == 2)
      #expect(attempts.last?.response?.status == 422)
      #expect(attempts.last?.response?.url == server.url("/x"))
      #expect(Disk.read(workshop.reply()) == Array("taken".utf8))
    }
  }

  @Test(arguments: [("PUT", 303), ("POST", 303), ("POST", 302)])
  func `the page that the last part leads to is fetched as that of a whole upload, and only it after a cut`(
    method: String, status: Int
  ) async throws {
    try await withWorkshop { workshop, server in
      let outcome = Collecting.Mishap.outcome(status: status, headers: ["Location": "/page"])
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000), .none, outcome] }))
      server.play("/page", .hangUp, .answer(status: 201, body: "see here"))

      let attempts = try await persist(workshop, server, to: "/x") {
        ($0.method, $0.headers) = (method, [HTTPField("X-Own", "1")])
      }

      #expect(attempts.map { $0.failure?.code } == [.connectionLost, .connectionLost, nil])
      #expect(attempts.last?.response?.url == server.url("/page"))
      #expect(Disk.read(workshop.reply()) == Array("see here".utf8))
      #expect(server.requests("/page").map(\.method) == ["GET", "GET"])
      #expect(server.requests("/page").map { $0.headers["x-own"] } == ["1", "1"])
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test func `a file that has changed between attempts is not mixed`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000)] }))
      let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")
      var order = TransferOrder.upload(source, to: server.url("/x"))
      let first = try await workshop.run(order)
      Disk.write(Content(seed: 9, size: content.size).bytes, to: source)
      (order.attempt, order.resume) = (2, first.checkpoints.last)

      #expect(try await workshop.run(order).failure?.code == .sourceChanged)
      #expect(server.requests("/uploads/1").isEmpty && completed(server, "/x").isEmpty)
    }
  }
}
