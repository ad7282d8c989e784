import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

/// What becomes of an upload that the server has taken whole and answered, when the answer's body is no good: sent
/// again, it would be there twice.
@Suite(.timeLimit(.minutes(2))) struct LostReplyTests {
  private static let reply = Serving(Content(seed: 1, size: 200_000))
  private static let cut = reply.with { ($0.mishap, $0.mishapAfter) = (.cut, 100_000) }

  private static func coded(_ coding: String, _ bytes: [UInt8]) -> Script {
    .bytes(bytes, headers: ["Content-Encoding": coding])
  }

  static let scripts: [Script] = [
    .serve(cut), .serve(cut.with { $0.isChunked = true }), .serve(reply.with { $0.announcedLength = 200_001 }),
    coded("gzip", Array("plain after all".utf8)), coded("gzip", Zip.gzip(reply.content.bytes).dropLast(9)),
    coded("zstd", [0x28, 0xB5, 0x2F, 0xFD]), coded("gzip, br", [1, 2, 3]),
  ]

  private func expectLoss(_ workshop: Workshop, _ attempts: [[TransferFact]], status: Int = 200) {
    #expect(attempts.count == 1, "it was sent again")
    #expect(attempts.last?.response?.status == status, "\(attempts)")
    #expect(attempts.last?.loss?.contains("the body of this answer is lost: ") == true, "\(attempts)")
    #expect(attempts.last?.loss?.contains("127.0.0.1") == true, "\(attempts)")
    #expect(attempts.last?.dropLast().last == .progressed(count: content.size, expected: content.size))
    #expect(Disk.read(workshop.reply()) == [])
  }

  @Test(arguments: scripts, [HTTPTestServer.Security.plain, .tls, .http2])
  func `a reply that is cut off or cannot be decoded is lost, and the upload has succeeded`(
    script: Script, security: HTTPTestServer.Security
  ) async throws {
    try await withWorkshop(security) { workshop, server in
      server.play("/x", script)

      let attempts = try await persist(workshop, server, to: "/x")

      expectLoss(workshop, attempts)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test func `a reply without an end is lost at its bound, and no more of it is read`() async throws {
    try await withWorkshop(settings: { $0.replyMax = 1 << 20 }) { workshop, server in
      let endless = Serving(Content(seed: 1, size: 1 << 40)).with { $0.isChunked = true }
      server.play("/x", .serve(endless))

      let attempts = try await persist(workshop, server, to: "/x")

      expectLoss(workshop, attempts)
      #expect(attempts.last?.loss?.contains("more than 1 MiB") == true)
    }
  }

  @Test func `a refusal whose words are cut off is the answer all the same`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .raw("HTTP/1.1 403 Forbidden\r\nContent-Length: 100\r\n\r\nbecause"))

      expectLoss(workshop, try await persist(workshop, server, to: "/x"), status: 403)
    }
  }

  @Test func `a reply that stops in the middle is lost after the request timeout`() async throws {
    try await withWorkshop { workshop, server in
      let path = Disk.write("bytes", to: "\(workshop.folder)/source")
      server.play("/x", .serve(Self.reply.with { ($0.mishap, $0.mishapAfter) = (.stall, 1000) }))

      let facts = try await workshop.runPatiently(from: .milliseconds(300)) { attempt, patience in
        .upload(path, to: server.url("/x"), id: Int64(attempt)) { $0.requestTimeout = patience }
      }

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(facts.loss?.contains("moved nothing") == true, "\(facts)")
    }
  }

  @Test func `the page that a server sends us on to may be lost as well`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .redirect(status: 303, to: "/done"))
      server.play("/done", .serve(Self.cut))

      let attempts = try await persist(workshop, server, to: "/x")

      expectLoss(workshop, attempts)
      #expect(attempts.last?.response?.url == server.url("/done"))
    }
  }

  @Test func `a file that changed while it was sent is no success, whatever becomes of the reply`() async throws {
    try await withWorkshop { workshop, server in
      let path = Disk.write("bytes", to: "\(workshop.folder)/source")
      workshop.log.hook { if case .progressed = $0.fact { Disk.write([1], to: path, mode: "a") } }
      server.play("/x", .serve(Self.cut))

      let facts = try await workshop.run(.upload(path, to: server.url("/x")))

      #expect(facts.failure?.code == .sourceChanged)
    }
  }

  /// Whether the line breaks before the file has left or after: nobody knows whether the server has taken all of it.
  @Test(arguments: [nil, 9] as [UInt8?], ["PUT", "POST"])
  func `an answer that comes before the end and breaks off is a failure, for good where all has left since`(
    last: UInt8?, method: String
  ) async throws {
    let early = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nenough"
    let rude = try await RawServer.start(.resets(after: Array(early.utf8), upon: last), isSecure: false)
    try await withWorkshop { workshop, _ in
      let bytes = [UInt8](repeating: 7, count: 32 << 20) + [9]
      let path = Disk.write(bytes, to: "\(workshop.folder)/source")

      let facts = try await workshop.run(.upload(path, to: "http://127.0.0.1:\(rude.port)/x") { $0.method = method })

      #expect(facts.failure?.code == .connectionLost, "\(facts)")
      #expect(facts.isUnanswered == (method == "POST" && last != nil), "\(facts)")
    }
    try await rude.stop()
  }
}
