import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

/// What servers say before their answers, and how much of it is handed up.
@Suite(.timeLimit(.minutes(2))) struct InformationTests {
  @Test(arguments: [HTTPTestServer.Security.plain, .tls, .http2])
  func `what a server says before its answer is told before it`(security: HTTPTestServer.Security) async throws {
    try await withWorkshop(security) { workshop, server in
      server.play("/x", .inform(status: 103, times: 2, then: .answer(status: 200, body: "final")))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.informations.map(\.status) == [103, 103])
      #expect(facts.informations.map(\.url) == [server.url("/x"), server.url("/x")])
      #expect(facts.last?.response?.status == 200 && facts.last?.response != facts.informations.last)
      #expect(Disk.read(workshop.part()) == Array("final".utf8))
    }
  }

  @Test(arguments: [(100, 1), (102, 1), (101, 0)])
  func `every status of 1xx but 101 is told`(status: Int, told: Int) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .inform(status: status, times: 1, then: .answer(status: 200)))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.informations.count == told)
    }
  }

  @Test func `no more than the bound is told of one attempt, over its redirects`() async throws {
    try await withWorkshop(settings: { $0.informationalToldMax = 5 }) { workshop, server in
      server.play("/x", .inform(status: 103, times: 4, then: .redirect(to: "/y")))
      server.play("/y", .inform(status: 103, times: 4, then: .answer(status: 200)))

      let first = try await workshop.run(.download(server.url("/x")))
      let second = try await workshop.run(.download(server.url("/y"), attempt: 2))

      #expect(first.response?.status == 200 && second.response?.status == 200)
      #expect(first.informations.count == 5 && second.informations.count == 4)
      #expect(first.informations.last?.url == server.url("/y"))
    }
  }

  @Test func `a server that never stops is told of no further than the bound`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .endlessInformation)

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.failure?.code == .badServerResponse)
      #expect(facts.informations.count == EngineSettings().informationalToldMax)
    }
  }

  @Test func `where an upload goes on is a secret, and left out of what is told`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting()))

      let facts = try await persist(workshop, server, to: "/x").flatMap(\.self)

      #expect(facts.informations.first?.status == 104)
      let told = facts.informations.flatMap(\.headers).map { "\($0.name): \($0.value)" } + facts.informations.map(\.url)
      #expect(!told.isEmpty && !told.contains { $0.contains("/uploads/") }, "\(told)")
    }
  }

  @Test func `an app that speaks the draft of resumable uploads itself is told where its upload goes on`() async throws
  {
    try await withWorkshop { workshop, server in
      server.play("/x", .collect(Collecting()))

      let facts = try await persist(workshop, server, to: "/x") { request in
        request.headers = [HTTPField("Upload-Complete", "?1"), HTTPField("Upload-Draft-Interop-Version", "8")]
      }.flatMap(\.self)

      let place = facts.informations.first { $0.status == 104 }?.headers[field: "Location"] ?? "nowhere"
      #expect(place.contains("/uploads/"), "\(place)")
    }
  }

  @Test func `a head that is longer than the bound ends the attempt and is not told`() async throws {
    try await withWorkshop(settings: { $0.headersMax = 4 << 10 }) { workshop, server in
      let field = "X: " + String(repeating: "x", count: 8 << 10)
      server.play("/x", .raw("HTTP/1.1 103 Early Hints\r\n\(field)\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.failure?.code == .badServerResponse)
      #expect(facts.informations.isEmpty)
    }
  }
}
