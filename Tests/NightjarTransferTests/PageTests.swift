import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

/// The page that the answer to a request has led to which was carried out.
@Suite(.timeLimit(.minutes(2))) struct PageTests {
  static let pages: [(script: Script, code: TransferFailure.Code?)] = [
    (.answer(status: 503, body: "not now"), .serverBusy), (.hangUp, .connectionLost),
    (.serve(Serving(Content(seed: 1, size: 1000)).with { ($0.mishap, $0.mishapAfter) = (.cut, 500) }), .connectionLost),
    (.bytes([1, 2, 3], headers: ["Content-Encoding": "zstd"]), .badServerResponse),
    (.answer(status: 401, headers: ["WWW-Authenticate": "Basic realm=\"x\""]), nil),
  ]

  @Test(arguments: pages) func `the page that a POST has led to is asked for again, and alone`(
    page: (script: Script, code: TransferFailure.Code?)
  ) async throws {
    try await withWorkshop { workshop, server in
      server.play("/post", .answer(status: 303, headers: ["Location": "/page"]))
      server.play("/page", page.script, .answer(status: 200, body: "done"))
      var order = TransferOrder.download(server.url("/post")) { ($0.method, $0.body) = ("POST", [1, 2, 3]) }
      order.asks.credentials = true

      let facts = try await workshop.run(order)
      (order.attempt, order.resume) = (2, facts.checkpoints.last)
      let next = try await workshop.run(order)

      #expect(facts.failure?.code == page.code && !facts.isUnanswered, "\(facts)")
      #expect(next.response?.status == 200, "\(next)")
      #expect(server.requests("/post").count == 1)
      #expect(server.requests("/page").map(\.method) == ["GET", "GET"])
      #expect(Disk.read(workshop.part()) == Array("done".utf8))
    }
  }

  @Test(arguments: pages.filter { $0.code != nil && $0.code != .serverBusy }, ["POST", "GET"])
  func `what was done already is not done again because a page that needs its cookies cannot be had`(
    page: (script: Script, code: TransferFailure.Code?), method: String
  ) async throws {
    try await withWorkshop { workshop, server in
      server.play("/post", .answer(status: 303, headers: ["Location": "/page", "Set-Cookie": "a=1"]))
      server.play("/page", page.script)

      let facts = try await workshop.run(.download(server.url("/post")) { $0.method = method })

      #expect(facts.failure != nil && facts.isUnanswered == (method == "POST"), "\(facts)")
      #expect(facts.checkpoints.allSatisfy { $0.upload == nil })
    }
  }

  @Test(arguments: [429, 502, 503], ["POST", "PUT"])
  func `the page that an upload has led to is asked for again, and alone, if it is busy`(
    status: Int, method: String
  ) async throws {
    try await withWorkshop { workshop, server in
      let film = Disk.write([1, 2, 3], to: "\(workshop.folder)/film")
      let busy = Script.answer(status: status, headers: ["Retry-After": "3"])
      server.play("/films", .answer(status: 303, headers: ["Location": "/page"]))
      server.play("/page", busy, busy, .answer(status: 201, body: "film 1"))
      var order = TransferOrder.upload(film, to: server.url("/films")) { $0.method = method }

      var codes: [TransferFailure.Code?] = []
      for attempt in 1...3 {
        order.attempt = attempt
        let facts = try await workshop.run(order)
        codes.append(facts.failure?.code)
        order.resume = facts.checkpoints.last ?? order.resume
      }

      #expect(codes == [.serverBusy, .serverBusy, nil])
      #expect(server.requests("/films").count == 1)
      #expect(Disk.read(workshop.reply()) == Array("film 1".utf8))
    }
  }

  @Test func `an upload has been carried out though its answer leads to nowhere`() async throws {
    try await withWorkshop { workshop, server in
      let film = Disk.write([1, 2, 3], to: "\(workshop.folder)/film")
      server.play("/films", .answer(status: 303, headers: ["Location": "http://"]))

      let facts = try await workshop.run(.upload(film, to: server.url("/films")) { $0.method = "POST" })

      #expect(facts.response?.status == 303, "\(facts)")
      #expect(facts.loss?.contains("redirects to nowhere") == true, "\(facts)")
    }
  }

  @Test func `a page that is busy at the last is the answer to the upload that has led to it`() async throws {
    try await withWorkshop { workshop, server in
      let film = Disk.write([1, 2, 3], to: "\(workshop.folder)/film")
      server.play("/films", .answer(status: 303, headers: ["Location": "/page"]))
      server.play("/page", .answer(status: 503, body: "not now"))
      var order = TransferOrder.upload(film, to: server.url("/films")) { $0.method = "POST" }
      order.retriesServerErrors = false

      let facts = try await workshop.run(order)

      #expect(facts.response?.status == 503)
    }
  }

  @Test(arguments: ["POST", "PUT"])
  func `an upload that was carried out is not sent again when the way to its page is cut`(method: String) async throws {
    try await withWorkshop { workshop, server in
      let film = Disk.write([1, 2, 3], to: "\(workshop.folder)/film")
      server.play("/films", .answer(status: 303, headers: ["Location": "/page"]))
      server.play("/page", .hangUp, .redirect(to: "/moved"))
      server.play("/moved", .answer(status: 201, body: "film 1"))
      var order = TransferOrder.upload(film, to: server.url("/films")) { $0.method = method }

      let cut = try await workshop.run(order)
      (order.attempt, order.resume) = (2, cut.checkpoints.last)
      let facts = try await workshop.run(order)

      #expect(cut.failure?.code == .connectionLost)
      #expect(facts.response?.status == 201)
      #expect(Disk.read(workshop.reply()) == Array("film 1".utf8))
      #expect(server.requests("/films").count == 1)
      #expect(server.requests("/page").map(\.method) == ["GET", "GET"])
      #expect(facts.checkpoints.last?.upload?.url == server.url("/moved"))
    }
  }
}
