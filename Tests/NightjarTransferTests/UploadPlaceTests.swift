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

      _ = try await persist(workshop, server, to: "/x", attemptsMax: 2) {
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

      _ = try await persist(workshop, server, to: "/x") {
        $0.headers = [HTTPField("Authorization", "Bearer s3cret"), HTTPField("Content-Type", "video/mp4")]
      }

      let resumed = server.requests("/uploads/1")
      #expect(resumed.map { $0.headers["authorization"] } == ["Bearer s3cret", "Bearer s3cret"])
      #expect(resumed.map { $0.headers["content-type"] } == [nil, "application/partial-upload"])
      #expect(server.requests("/x").first?.headers["content-type"] == "video/mp4")
    }
  }

  /// What has a third of the upload, and waits for more.
  private static let partly = Script.answer(
    status: 204, headers: ["Upload-Offset": "200000", "Upload-Complete": "?0"])

  /// Has an upload go on at the client's own server, at a place that the server of a redirect has named; what came
  /// there.
  private func lured(
    _ workshop: Workshop, _ server: HTTPTestServer, over other: HTTPTestServer
  ) async throws -> [SeenRequest] {
    server.play("/x", .redirect(status: 307, to: other.url("/y")))
    server.play("/admin/uploads/1", Self.partly, .take())
    let attempts = try await persist(workshop, server, to: "/x", attemptsMax: 2) {
      $0.headers = [
        HTTPField("Authorization", "Bearer s3cret"), HTTPField("X-Own", "s3cret"), HTTPField("Cookie", "s3cret"),
        HTTPField("User-Agent", "Tests"),
      ]
    }
    #expect(attempts.last?.response?.status == 200, "\(attempts)")
    return server.requests("/uploads/1") + server.requests("/admin/uploads/1")
  }

  @Test func `a stranger who names a place at the client's own server has nothing of the client's sent there`()
    async throws
  {
    let other = try await HTTPTestServer.start()
    try await withWorkshop { workshop, server in
      let collecting = Collecting().with { ($0.elsewhere, $0.mishaps) = (server.url("/admin"), [.cut(after: 200_000)]) }
      other.play("/y", .collect(collecting))

      let came = try await lured(workshop, server, over: other)

      #expect(server.requests("/x").first?.headers["authorization"] == "Bearer s3cret")
      #expect(came.map(\.method) == ["HEAD", "PATCH"])
      #expect(came.map { $0.headers["user-agent"] } == ["Tests", "Tests"])
      #expect(!came.contains { $0.headers.values.contains { $0.contains("s3cret") } }, "\(came)")
    }
    try await other.stop()
  }

  @Test func `a stranger who leads back to the client's own server has nothing of the client's sent there`()
    async throws
  {
    let other = try await HTTPTestServer.start()
    try await withWorkshop { workshop, server in
      other.play("/y", .redirect(status: 307, to: server.url("/z")))
      server.play("/z", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000)] }))

      let came = try await lured(workshop, server, over: other)

      #expect(came.map(\.method) == ["HEAD", "PATCH"])
      #expect(!came.contains { $0.headers.values.contains { $0.contains("s3cret") } }, "\(came)")
    }
    try await other.stop()
  }

  @Test func `where nobody is known who named the place nothing of the client's goes along`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/admin/uploads/1", Self.partly, .take())
      let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")
      var order = TransferOrder.upload(source, to: server.url("/x")) {
        $0.headers = [HTTPField("Authorization", "Bearer s3cret")]
      }
      let resource = UploadResource(url: server.url("/admin/uploads/1"), version: .eight)
      order.resume = ResumePoint(offset: 200_000, validator: nil, length: content.size, upload: resource)

      let facts = try await workshop.run(order)

      #expect(facts.response?.status == 200)
      #expect(server.requests("/admin/uploads/1").map { $0.headers["authorization"] } == [nil, nil])
    }
  }

  @Test func `where nobody is known who named the place nothing goes along to the page it leads to, in any attempt`()
    async throws
  {
    try await withWorkshop { workshop, server in
      server.play("/admin/uploads/1", Self.partly, .redirect(status: 303, to: "/page"))
      server.play("/page", .hangUp, .redirect(to: "/moved"))
      server.play("/moved", .answer(status: 200))
      let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")
      var order = TransferOrder.upload(source, to: server.url("/x")) {
        $0.headers = [HTTPField("Authorization", "Bearer s3cret")]
      }
      let resource = UploadResource(url: server.url("/admin/uploads/1"), version: .eight)
      order.resume = ResumePoint(offset: 200_000, validator: nil, length: content.size, upload: resource)

      order.resume = try await workshop.run(order).checkpoints.last
      order.attempt = 2
      let facts = try await workshop.run(order)

      #expect(facts.response?.url == server.url("/moved"))
      #expect(facts.checkpoints.map { $0.upload?.namer } == [nil])
      let came = server.requests("/page") + server.requests("/moved")
      #expect(came.map { $0.headers["authorization"] } == [nil, nil, nil])
    }
  }

  @Test(arguments: [true, false])
  func `a cookie that comes with the offset goes along with the rest, where the server has named the place itself`(
    isOwn: Bool
  ) async throws {
    try await withWorkshop { workshop, server in
      let fields = ["Upload-Offset": "200000", "Upload-Complete": "?0", "Set-Cookie": "pin=7; Path=/"]
      server.play("/place", .answer(status: 204, headers: fields), .take())
      let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")
      var order = TransferOrder.upload(source, to: server.url("/x"))
      let namer = isOwn ? "http://127.0.0.1:\(server.port)" : nil
      let resource = UploadResource(url: server.url("/place"), version: .eight, namer: namer)
      order.resume = ResumePoint(offset: 200_000, validator: nil, length: content.size, upload: resource)

      _ = try await workshop.run(order)

      #expect(server.requests("/place").map { $0.headers["cookie"] } == [nil, isOwn ? "pin=7" : nil])
    }
  }

  @Test func `nothing that was to go encrypted goes on in the clear`() async throws {
    let other = try await HTTPTestServer.start()
    try await withWorkshop(.tls) { workshop, server in
      let collecting = Collecting().with { ($0.elsewhere, $0.mishaps) = (other.url(""), [.cut(after: 200_000)]) }
      server.play("/x", .collect(collecting))

      let attempts = try await persist(workshop, server, to: "/x")

      #expect(other.connections == 0)
      #expect(attempts.last?.response?.status == 200)
    }
    try await other.stop()
  }

  @Test func `a redirect is followed before the upload begins, and the resource is its own`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .redirect(status: 307, to: "/y"))
      server.play("/y", .collect(Collecting().with { $0.mishaps = [.cut(after: 200_000)] }))

      _ = try await persist(workshop, server, to: "/x")

      #expect(completed(server, "/y").map(\.bodyDigest) == [content.sha256])
      #expect(server.requests("/uploads/1").last?.bodyLength == content.size - 200_000)
    }
  }

  @Test(arguments: [0, 1] as [Int64]) func `the smallest files go up too`(size: Int64) async throws {
    try await withWorkshop { workshop, server in
      let content = Content(seed: 1, size: size)
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.swallow] }))

      let attempts = try await persist(workshop, server, to: "/x", content: content)

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
      let stopped = try await workshop.run(order)
      (order.attempt, order.resume) = (2, stopped.checkpoints.last)

      let facts = try await workshop.run(order)

      #expect(stopped.last == .stopped)
      // The server may have had the last bytes on their way when we stopped: then it has nothing left to ask for.
      let ways: [([String], Int)] = [(["HEAD", "PATCH"], 200), (["HEAD"], 204)]
      let (methods, status) = (server.requests("/uploads/1").map(\.method), facts.response?.status)
      #expect(ways.contains { $0.0 == methods && $0.1 == status }, "\(methods) answered by \(status ?? 0)")
      #expect(completed(server, "/x").map(\.bodyDigest) == [content.sha256])
    }
  }

  @Test(
    arguments: [
      ("http://h:80", "http://h/u", "http://h:80"), ("http://h:80", "http://a/u", nil), (nil, "http://h/u", nil),
      ("http://a:80", "http://h/u", nil), ("http://a:80", "http://a/u", "http://a:80"),
    ] as [(String?, String, String?)])
  func `only who answers for a place answers for where it sends the upload`(
    namer: String?, place: String, afterwards: String?
  ) throws {
    let resource = UploadResource(url: place, version: .eight, namer: namer)
    let resume = ResumePoint(offset: 5, validator: nil, length: 10, upload: resource)
    var dialogue = UploadDialogue(length: 10, versions: [.eight], resume: resume)

    let head = AnswerHead(status: 307, headers: [HTTPField("Location", "http://h/admin")])
    let verdict = dialogue.hear(head, at: try WebAddress(place), retries: true)

    #expect(verdict == .next)
    #expect(dialogue.resource == UploadResource(url: "http://h/admin", version: .eight, namer: afterwards))
  }

  @Test(arguments: [408, 502, 503, 504])
  func `an upload that was begun is gone on with after a busy answer, also one that must not be done twice`(
    status: Int
  ) throws {
    var dialogue = UploadDialogue(length: 10, method: "POST", versions: [.eight], resume: nil)
    let address = try WebAddress("http://h/new")
    let version = HTTPField("Upload-Draft-Interop-Version", "8")
    let news = dialogue.inform(AnswerHead(status: 104, headers: [version, HTTPField("Location", "/u")]), at: address)

    let verdict = dialogue.hear(AnswerHead(status: status, headers: []), at: address, retries: true)

    guard case .fail(let failure, _) = verdict else { return #expect(Bool(false), "it is \(verdict)") }
    #expect(news == .acknowledged && failure.code == .serverBusy)
    #expect(dialogue.point.upload?.url == "http://h/u")
  }

  @Test(
    arguments: [
      ("POST", nil, true, true), ("POST", "?0", true, false), ("PUT", nil, true, false), ("POST", nil, false, false),
      ("POST", "?1", true, true), ("PUT", "?1", true, false), ("PUT", "?0", true, false), ("PUT", nil, false, false),
    ] as [(String, String?, Bool, Bool)])
  func `500 is the answer to an upload that must not be done twice, unless it is said not to be complete or was not`(
    method: String, complete: String?, hasAll: Bool, isAnswer: Bool
  ) throws {
    let isSentAgain = method == "PUT" && complete != "?0" && hasAll
    var dialogue = UploadDialogue(length: 10, method: method, versions: [.eight], resume: nil)
    let address = try WebAddress("http://h/new")
    let version = HTTPField("Upload-Draft-Interop-Version", "8")
    _ = dialogue.inform(AnswerHead(status: 104, headers: [version, HTTPField("Location", "/u")]), at: address)
    var rest = UploadDialogue(length: 10, method: method, versions: [.eight], resume: dialogue.point)
    let offset = AnswerHead(status: 204, headers: [HTTPField("Upload-Offset", "5")])
    _ = rest.hear(offset, at: address, retries: true)

    let broken = AnswerHead(status: 500, headers: complete.map { [HTTPField("Upload-Complete", $0)] } ?? [])
    let created = dialogue.hear(broken, at: address, retries: true, hasAll: hasAll)
    let appended = rest.hear(broken, at: address, retries: true, hasAll: hasAll)

    #expect([created == .answer, appended == .answer] == [isAnswer, isAnswer])
    #expect([dialogue.point.upload == nil, rest.point.upload == nil] == [isSentAgain, isSentAgain])
  }
}
