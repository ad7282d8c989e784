import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

@Suite(.timeLimit(.minutes(2))) struct `A server that wants to know who goes on with an upload` {
  private static let right = Decision.use(.password(user: "anna", password: "open sesame"), isRemembered: false)

  private static func refusal(_ challenge: String) -> Collecting.Mishap {
    .refuse(status: 401, headers: ["WWW-Authenticate": challenge])
  }

  /// An upload that is cut, and the order for its next attempt.
  private func cut(
    _ workshop: Workshop, _ server: HTTPTestServer, then mishaps: Collecting.Mishap...
  ) async throws -> TransferOrder {
    server.play("/x", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000)] + mishaps }))
    var order = TransferOrder.upload(Disk.write(content.bytes, to: "\(workshop.folder)/source"), to: server.url("/x"))
    order.resume = try await workshop.run(order).checkpoints.last
    order.attempt += 1
    return order
  }

  @Test func `asks for a password, and the upload goes on where it was`() async throws {
    try await withWorkshop { workshop, server in
      var order = try await cut(workshop, server, then: Self.refusal("Basic realm=\"things\""))
      order.asks = Asks(credentials: true)

      let challenge = try #require(try await workshop.run(order).last?.challenge)
      order.attempt += 1
      order.answers = [Answered(challenge.subject, Self.right)]
      let facts = try await workshop.run(order)

      #expect(challenge.response?.url == server.url("/x"))  // The upload's own URL is a secret.
      #expect(facts.response?.status == 200)
      let resumed = server.requests("/uploads/1")
      #expect(resumed.map(\.method) == ["HEAD", "HEAD", "PATCH"])
      #expect(resumed.last?.bodyLength == content.size - 200_000)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test(arguments: [["HEAD", "HEAD", "PATCH"], ["HEAD", "PATCH", "PATCH"]])
  func `is shown a new proof of a known password at every step, and nothing is sent twice`(methods: [String])
    async throws
  {
    try await withWorkshop { workshop, server in
      let refusal = Self.refusal("Digest realm=\"things\", qop=\"auth\", algorithm=SHA-256, nonce=\"new\"")
      let isAtOnce = methods[1] == "HEAD"
      var order =
        try await isAtOnce ? cut(workshop, server, then: refusal) : cut(workshop, server, then: .none, refusal)
      let space = ProtectionSpace(
        method: .digest, host: "127.0.0.1", port: server.port, isSecure: false, realm: "things")
      order.answers = [Answered(Challenge.Subject(space: space), Self.right)]

      let facts = try await workshop.run(order)

      #expect(facts.response?.status == 200)
      let resumed = server.requests("/uploads/1")
      #expect(resumed.map(\.method) == methods)
      #expect(resumed.last?.headers["authorization"]?.contains("nonce=\"new\"") == true)
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test(arguments: [true, false])
  func `is shown a known password where it has named the place itself, and not where a stranger has`(isOwn: Bool)
    async throws
  {
    try await withWorkshop { workshop, server in
      let partly = Script.answer(status: 204, headers: ["Upload-Offset": "200000", "Upload-Complete": "?0"])
      server.play("/place", partly, .take())
      let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")
      var order = TransferOrder.upload(source, to: server.url("/x"))
      let namer = isOwn ? "http://127.0.0.1:\(server.port)" : "http://stranger.example:80"
      let resource = UploadResource(url: server.url("/place"), version: .eight, namer: namer)
      order.resume = ResumePoint(offset: 200_000, validator: nil, length: content.size, upload: resource)
      let space = ProtectionSpace(
        method: .basic, host: "127.0.0.1", port: server.port, isSecure: false, realm: "things")
      order.answers = [Answered(Challenge.Subject(space: space), Self.right)]

      let facts = try await workshop.run(order)

      #expect(facts.response?.status == 200)
      #expect(server.requests("/place").map { $0.headers["authorization"] != nil } == [isOwn, isOwn])
    }
  }
}
