import NightjarModel
import NightjarTransfer
import ScriptedServer
import Testing

/// What every download provider has to get right: the cases that Android's tests, and a test for each. Those about
/// conditions, back-off and the number of attempts are rules, and stand in the core's tests.
@Suite(.timeLimit(.minutes(2))) struct ProviderTests {
  private let content = Content(seed: 6, size: 400_000)
  private var serving: Serving { Serving(content) }

  /// Tries again and again, as the core does, until there is an end that is none of the connection's.
  private func persist(
    _ workshop: Workshop, _ url: String, attemptsMax: Int = 40
  ) async throws -> (facts: [TransferFact], attempts: Int) {
    var resume: ResumePoint?
    for attempt in 1...attemptsMax {
      let facts = try await workshop.run(.download(url, attempt: attempt, resume: resume))
      resume = facts.checkpoints.last ?? resume
      if facts.failure == nil { return (facts, attempt) }
    }
    return ([], attemptsMax)
  }

  @Test func `a basic request`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(serving))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.response?.status == 200)
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `an interrupted download goes on`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(serving.with { ($0.mishap, $0.mishapAfter) = (.cut, 100_000) }), .serve(serving))

      let end = try await persist(workshop, server.url("/x"))

      #expect(end.attempts == 2)
      #expect(server.requests("/x").last?.headers["range"] == "bytes=100000-")
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `many interruptions in a row lose nothing`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(serving.with { ($0.mishap, $0.mishapAfter) = (.cut, 20_000) }))

      let end = try await persist(workshop, server.url("/x"))

      #expect(end.attempts == 21 || end.attempts == 20)
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `a resource that changes between two attempts begins again`() async throws {
    try await withWorkshop { workshop, server in
      let newer = Serving(Content(seed: 60, size: 300_000))
      server.play("/x", .serve(serving.with { ($0.mishap, $0.mishapAfter) = (.cut, 100_000) }), .serve(newer))

      let end = try await persist(workshop, server.url("/x"))

      #expect(end.attempts == 2)
      #expect(Disk.read(workshop.part()) == newer.content.bytes)
    }
  }

  @Test(arguments: [nil, "W/\"weak\"", "unquoted"])
  func `without a strong tag an interrupted download begins again`(tag: String?) async throws {
    try await withWorkshop { workshop, server in
      let untagged = serving.with { $0.tag = tag }
      server.play("/x", .serve(untagged.with { ($0.mishap, $0.mishapAfter) = (.cut, 100_000) }), .serve(untagged))

      let end = try await persist(workshop, server.url("/x"))

      #expect(end.attempts == 2)
      #expect(server.requests("/x").allSatisfy { $0.headers["range"] == nil })
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `a server asks to be left alone for a while`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 503, headers: ["Retry-After": "120"]))

      let facts = try await workshop.run(.download(server.url("/x")))

      guard case .failed(let failure, .seconds(120))? = facts.last else {
        Issue.record("another end: \(facts)")
        return
      }
      #expect(failure.code == .serverBusy)
    }
  }

  @Test func `redirects that run away are given up`() async throws {
    try await withWorkshop { workshop, server in
      for step in 0..<30 { server.play("/\(step)", .redirect(to: "/\(step + 1)")) }

      let facts = try await workshop.run(.download(server.url("/0")))

      #expect(facts.failure?.code == .tooManyRedirects)
    }
  }

  @Test func `a server that is never available is told as busy each time`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 503))

      for attempt in 1...5 {
        let facts = try await workshop.run(.download(server.url("/x"), attempt: attempt))
        #expect(facts.failure?.code == .serverBusy)
      }
    }
  }

  @Test func `a file for which there is no room is refused before its first byte`() async throws {
    try await withWorkshop { workshop, server in
      let size = 1 << 60
      server.play("/x", .bytes([1, 2, 3], announcing: size))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.failure?.code == .diskFull)
      #expect(facts.failure?.detail.contains("which needs more than any disk holds") == true)
      #expect(Disk.read(workshop.part()) == [])
    }
  }

  @Test func `a length beyond 32 bits is told as it is`() async throws {
    try await withWorkshop(settings: { $0.freeSpaceMin = -(1 << 50) }) { workshop, server in
      let size = 5 << 30
      server.play("/x", .bytes([UInt8](repeating: 7, count: 1000), headers: ["ETag": "\"a\""], announcing: size))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.failure?.code == .connectionLost)
      #expect(facts.checkpoints.last?.offset == 1000 && facts.checkpoints.last?.length == Int64(size))
    }
  }

  @Test func `a part far beyond 32 bits is appended where it belongs`() async throws {
    try await withWorkshop { workshop, server in
      let (offset, size) = (Int64(6) << 30, (Int64(6) << 30) + 5)
      Disk.makeSparse(workshop.part(), size: offset)
      let range = "bytes \(offset)-\(size - 1)/\(size)"
      server.play(
        "/x",
        .raw("HTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\nContent-Range: \(range)\r\nContent-Length: 5\r\n\r\nabcde")
      )
      let resume = ResumePoint(offset: offset, validator: .entityTag("\"a\""), length: size)

      let facts = try await workshop.run(.download(server.url("/x"), resume: resume))

      #expect(facts.response?.headers[field: "Content-Length"] == "\(size)", "\(facts)")
      #expect(Disk.stamp(workshop.part()).size == size)
    }
  }

  @Test func `two downloads that race for one file name do not mix`() async throws {
    try await withWorkshop { workshop, server in
      let target = "\(workshop.folder)/target"
      for id in 1...2 as ClosedRange<Int64> {
        server.play("/\(id)", .serve(Serving(Content(seed: UInt64(id), size: 1000))))
        let facts = try await workshop.run(.download(server.url("/\(id)"), id: id))
        guard case .finished(_, let file)? = facts.last else {
          Issue.record("not finished: \(facts)")
          return
        }
        workshop.engine.deliver(
          DeliveryOrder(id: TransferID(id), attempt: 1, file: file, destination: Destination(path: target)))
      }

      let ends = [try await workshop.log.nextDelivery(), try await workshop.log.nextDelivery()]

      let refused = ends.filter {
        if case .failed(let failure) = $0 { failure.code == .destinationExists } else { false }
      }
      #expect(refused.count == 1 && ends.contains(.delivered))
      let bytes = Disk.read(target)
      #expect((1...2).contains { Content(seed: UInt64($0), size: 1000).bytes == bytes })
    }
  }

  @Test func `a download that was under way when the provider ended goes on in the next`() async throws {
    try await withWorkshop { next, server in
      server.play("/x", .serve(serving.with { ($0.mishap, $0.mishapAfter) = (.stall, 100_000) }), .serve(serving))
      let first = try Workshop(folder: next.folder)
      let order = TransferOrder.download(server.url("/x"))
      first.engine.start(order)
      try await first.log.first { if case .progressed(let count, _) = $0.fact { count > 0 } else { false } }

      try await first.close()
      let resume = first.log.facts(of: order.id, attempt: 1).checkpoints.last
      try await next.run(.download(server.url("/x"), attempt: 2, resume: resume))

      #expect(resume?.offset ?? 0 > 0)
      #expect(Disk.read(next.part()) == content.bytes)
    }
  }

  @Test(arguments: [301, 302, 303, 307])
  func `redirects of every kind lead to the file, by whole URL and by path`(status: Int) async throws {
    try await withWorkshop { workshop, server in
      server.play("/a/whole", .redirect(status: status, to: server.url("/a/path")))
      server.play("/a/path", .redirect(status: status, to: "../x?y=z"))
      server.play("/x?y=z", .serve(serving))

      let facts = try await workshop.run(.download(server.url("/a/whole")))

      #expect(facts.response?.url == server.url("/x?y=z"))
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test(arguments: [400, 401, 403, 404, 410, 501])
  func `a refusal is told as it is`(status: Int) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: status, body: "no"))
      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.response?.status == status)
    }
  }

  @Test func `a file without a length arrives, and one cut short is not taken for it`() async throws {
    try await withWorkshop { workshop, server in
      let chunked = serving.with { ($0.isChunked, $0.tag) = (true, nil) }
      server.play("/x", .serve(chunked.with { ($0.mishap, $0.mishapAfter) = (.cut, 100_000) }), .serve(chunked))

      let end = try await persist(workshop, server.url("/x"))

      #expect(end.attempts == 2)
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `a cancelled download leaves nothing behind`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(serving.with { ($0.mishap, $0.mishapAfter) = (.stall, 100_000) }))
      let order = TransferOrder.download(server.url("/x"))
      workshop.engine.start(order)
      try await workshop.log.first { if case .progressed(let count, _) = $0.fact { count > 0 } else { false } }

      workshop.engine.discard(order.id)
      try await workshop.end(of: order)
      try await workshop.run(.download(server.url("/file/6/1"), attempt: 2))

      #expect(Disk.read(workshop.part()) == Content(seed: 6, size: 1).bytes)
    }
  }

  @Test func `the client's own user agent and header fields are sent`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 200))

      try await workshop.run(
        .download(server.url("/x")) {
          $0.headers = [HTTPField("User-Agent", "mine"), HTTPField("X-A", "1"), HTTPField("X-B", "2")]
        })

      let seen = server.requests("/x").first?.headers
      #expect(seen?["user-agent"] == "mine" && seen?["x-a"] == "1" && seen?["x-b"] == "2")
    }
  }

  @Test func `a header field that is empty is sent empty`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 200))

      try await workshop.run(.download(server.url("/x")) { $0.headers = [HTTPField("X-Empty", "")] })

      #expect(server.requests("/x").first?.headers["x-empty"] == "")
    }
  }

  @Test func `a server that says not modified has the last word`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .raw("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n"))

      let facts = try await workshop.run(
        .download(server.url("/x")) { $0.headers = [HTTPField("If-None-Match", "\"a\"")] })

      #expect(facts.response?.status == 304)
    }
  }
}

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension Disk {
  /// A file of so many bytes that takes no room.
  static func makeSparse(_ path: String, size: Int64) {
    write([], to: path)
    precondition(truncate(path, off_t(size)) == 0, "cannot make \(path)")
  }
}
