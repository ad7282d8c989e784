import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

@Suite struct `A download that shows its app the answer` {
  @Test func `ends its attempt with the head, after redirects, and waits for nothing of the body`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .redirect(to: "/y"))
      server.play("/y", .serve(Serving(Content(seed: 7, size: 5_000_000)).with { $0.mishap = .hold }))
      var order = TransferOrder.download(server.url("/x"))
      order.request.options.showsAnswer = true

      let facts = try await workshop.run(order)
      server.release("/y")
      let next = try await workshop.run(.download(server.url("/x"), attempt: 2))

      guard case .asked(.answer(let response))? = facts.last else { Issue.record("\(facts)"); return }
      #expect(response.status == 200 && response.url == server.url("/y"))
      #expect(response.headers[field: "Content-Length"] == "5000000")
      #expect(next.response?.status == 200 && Disk.read(workshop.part())?.count == 5_000_000)
    }
  }

  @Test func `has a busy server's passing refusal behind it`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 503, headers: [:], body: "later"))
      var order = TransferOrder.download(server.url("/x"))
      order.request.options.showsAnswer = true

      let facts = try await workshop.run(order)

      #expect(facts.failure?.code == .serverBusy)
    }
  }
}
