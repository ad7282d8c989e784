import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

/// Requests that have left, and whose answer never begins or never ends.
@Suite(.timeLimit(.minutes(2))) struct `A request without an answer` {
  private static let nonsense = Script.raw("SSH-2.0-OpenSSH_9.2\r\n")
  private static let noStatus = Script.raw("HTTP/1.1 099 Hm\r\nContent-Length: 0\r\n\r\n")

  @Test(
    arguments: [
      (Script.hangUp, .connectionLost), (.silence, .timedOut), (nonsense, .badServerResponse),
      (noStatus, .badServerResponse),
    ] as [(Script, TransferFailure.Code)], ["POST", "PATCH", "PUT"])
  func `is not made again where it may have been carried out, and must not be twice`(
    end: (script: Script, code: TransferFailure.Code), method: String
  ) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", end.script)

      let facts = try await workshop.run(
        .download(server.url("/x")) {
          ($0.method, $0.body) = (method, [1, 2, 3])
          if end.code == .timedOut { $0.requestTimeout = .seconds(2) }
        })

      #expect(facts.failure?.code == end.code, "\(facts)")
      #expect(facts.isUnanswered == (method != "PUT"), "\(facts)")
      #expect(facts.failure?.detail.contains("may have carried out the \(method)") == facts.isUnanswered)
    }
  }

  @Test(arguments: ["POST", "PATCH", "PUT"])
  func `is not made again where its answer has begun and breaks off, and it must not be made twice`(
    method: String
  ) async throws {
    try await withWorkshop { workshop, server in
      let content = Content(seed: 1, size: 1000)
      server.play("/x", .serve(Serving(content).with { ($0.mishap, $0.mishapAfter) = (.cut, 500) }))

      let facts = try await workshop.run(
        .download(server.url("/x")) { ($0.method, $0.body) = (method, [1, 2, 3]) })

      #expect(facts.failure?.code == .connectionLost, "\(facts)")
      #expect(facts.isUnanswered == (method != "PUT"), "\(facts)")
    }
  }

  @Test(arguments: [HTTPTestServer.Security.plain, .http2], ["POST", "PUT"])
  func `is not made again if it is an upload, either`(
    security: HTTPTestServer.Security, method: String
  ) async throws {
    try await withWorkshop(security) { workshop, server in
      let source = Disk.write([1, 2, 3], to: "\(workshop.folder)/source")
      server.play("/x", .silence)

      let facts = try await workshop.run(
        .upload(source, to: server.url("/x")) { ($0.method, $0.requestTimeout) = (method, .seconds(2)) })

      #expect(facts.failure?.code == .timedOut, "\(facts)")
      #expect(facts.isUnanswered == (method == "POST"), "\(facts)")
    }
  }

  @Test func `was one of those that a server has refused, and of the next nothing has left`() {
    var dialogue = UploadDialogue(length: 10, method: "POST", versions: [.eight], resume: nil)

    dialogue.begins()
    dialogue.allHasLeft()
    let offset = dialogue.point.offset
    dialogue.begins()  // After a 401 or a 307, which the dialogue does not hear.

    #expect(offset == 10 && dialogue.point.offset == 0)
  }

  @Test func `is made again if not all of it had left`() async throws {
    try await withWorkshop { workshop, server in
      let long = Content(seed: 1, size: 32 << 20)  // More than the kernel takes on the way.
      let source = Disk.write(long.bytes, to: "\(workshop.folder)/source")
      server.play("/x", .cutRequest(after: 1000))

      let facts = try await workshop.run(.upload(source, to: server.url("/x")) { $0.method = "POST" })

      #expect(facts.failure?.code == .connectionLost, "\(facts)")
      #expect(!facts.isUnanswered)
    }
  }

  @Test func `is made once in an attempt if the server breaks it off on a connection that has served`() async throws {
    try await withWorkshop(.http2) { workshop, server in
      let source = Disk.write(Content(seed: 1, size: 1 << 20).bytes, to: "\(workshop.folder)/source")
      server.play("/x", .cutRequest(after: 1000))
      try await workshop.run(.download(server.url("/file/1/1000")))

      let facts = try await workshop.run(.upload(source, to: server.url("/x"), id: 2) { $0.method = "PUT" })

      #expect(facts.failure?.code == .connectionLost, "\(facts)")
      let exchanges = workshop.log.metrics(of: TransferID(2), attempt: 1)?.exchanges
      #expect(exchanges?.map(\.isReused) == [true])
    }
  }

  @Test(arguments: [Duration.zero, .seconds(60)])
  func `goes over a connection of its own where another in use may be dead`(silence: Duration) async throws {
    let settings: (inout EngineSettings) -> Void = { ($0.silenceMax, $0.progressInterval) = (silence, .zero) }
    try await withWorkshop(.http2, settings: settings) { workshop, server in
      let stalled = Serving(Content(seed: 1, size: 1 << 20)).with { ($0.mishap, $0.mishapAfter) = (.stall, 1000) }
      server.play("/stalled", .serve(stalled))
      server.play("/post", .answer(status: 200, body: "done"))
      workshop.engine.start(.download(server.url("/stalled")))
      try await workshop.log.first { $0.fact.count > 0 }

      try await workshop.run(.download(server.url("/post"), id: 2) { $0.method = "POST" })

      #expect(server.connections == (silence == .zero ? 2 : 1))
    }
  }

  @Test(arguments: [true, false])
  func `is gone on with if the server can be asked how much it has`(isAskable: Bool) async throws {
    try await withWorkshop { workshop, server in
      let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")
      server.play("/x", .collect(Collecting().with { ($0.informs, $0.mishaps) = (isAskable, [.swallow]) }))

      let facts = try await workshop.run(.upload(source, to: server.url("/x")) { $0.method = "POST" })

      #expect(facts.failure?.code == .connectionLost, "\(facts)")
      #expect(facts.isUnanswered == !isAskable)
    }
  }

  @Test(arguments: ["POST", "PATCH", "PUT"])
  func `is not made again either if the server that had all of it has forgotten it when it is asked`(
    method: String
  ) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting().with { $0.mishaps = [.swallow, .forget] }))

      let attempts = try await persist(workshop, server, to: "/x", attemptsMax: 2) { $0.method = method }

      #expect(attempts.map(\.isUnanswered) == [false, method != "PUT"], "\(attempts)")
      #expect(completed(server, "/x").count == (method == "PUT" ? 2 : 1))
      let words = attempts.last?.failure?.detail
      #expect(
        words?.contains("may have carried out the \(method), which is not sent again") == (method == "PUT" ? nil : true)
      )
    }
  }

  private static let answers: [AnswerHead] = [
    AnswerHead(status: 404, headers: []), AnswerHead(status: 410, headers: []), AnswerHead(status: 204, headers: []),
    AnswerHead(status: 204, headers: [HTTPField("Upload-Offset", "11")]), AnswerHead(status: 307, headers: []),
  ]

  @Test(arguments: answers, ["POST", "PUT"])
  func `is made again after no word of the server's that leaves open whether it has all`(
    answer: AnswerHead, method: String
  ) throws {
    let there = try WebAddress("http://h/new")
    let dialogue = Self.whole(method, to: there)
    var next = UploadDialogue(length: 10, method: method, versions: [.eight], resume: dialogue.point)

    let consequence = next.hear(answer, at: there, retries: true)

    if case .unanswered = consequence { #expect(method == "POST") } else { #expect(method == "PUT") }
    #expect(next.step == (method == "PUT" ? .create(.eight) : .inquire))
  }

  @Test func `is made again once the server has said that it has not all`() throws {
    let there = try WebAddress("http://h/new")
    var dialogue = Self.whole("POST", to: there)
    dialogue.broken()

    let half = AnswerHead(status: 204, headers: [HTTPField("Upload-Offset", "5")])
    let goesOn = dialogue.hear(half, at: there, retries: true)
    dialogue.broken()
    let begins = dialogue.hear(AnswerHead(status: 404, headers: []), at: there, retries: true)

    #expect(goesOn == .next && begins == .next)
    #expect(dialogue.step == .create(.eight))
  }

  @Test(arguments: [(502, true), (503, false)])
  func `is not made again after a gateway's word about all of it`(status: Int, isUnanswered: Bool) throws {
    let there = try WebAddress("http://h/new")
    var dialogue = Self.whole("POST", to: there)

    _ = dialogue.hear(AnswerHead(status: status, headers: []), at: there, retries: true)
    var next = UploadDialogue(length: 10, method: "POST", versions: [.eight], resume: dialogue.point)
    let consequence = next.hear(AnswerHead(status: 404, headers: []), at: there, retries: true)

    if case .unanswered = consequence { #expect(isUnanswered) } else { #expect(!isUnanswered) }
  }

  /// An upload that the server can go on with, and of which every byte has left.
  private static func whole(_ method: String, to address: WebAddress) -> UploadDialogue {
    var dialogue = UploadDialogue(length: 10, method: method, versions: [.eight], resume: nil)
    let fields = [HTTPField("Upload-Draft-Interop-Version", "8"), HTTPField("Location", "/u")]
    _ = dialogue.inform(AnswerHead(status: 104, headers: fields), at: address)
    dialogue.allHasLeft()
    return dialogue
  }

  @Test(arguments: [HTTPTestServer.Security.plain, .http2])
  func `goes over no connection that may be dead, if it must not be made twice`(
    security: HTTPTestServer.Security
  ) async throws {
    try await withWorkshop(security) { workshop, server in
      server.play("/x", .answer(status: 200, body: "here"))

      for (id, method) in zip([1, 2, 3] as [Int64], ["GET", "PUT", "POST"]) {
        let facts = try await workshop.run(.download(server.url("/x"), id: id) { $0.method = method })
        #expect(facts.response?.status == 200, "\(facts)")
      }

      #expect(server.requests("/x").map(\.connection) == [1, 1, 2])
    }
  }
}

extension [TransferFact] {
  var isUnanswered: Bool { if case .unanswered? = last { true } else { false } }
}
