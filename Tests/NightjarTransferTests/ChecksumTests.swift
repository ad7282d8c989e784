import NightjarModel
import NightjarTransfer
import ScriptedServer
import Testing

@Suite(.timeLimit(.minutes(2))) struct ChecksumTests {
  private static let content = Content(seed: 3, size: 200_000)

  private func order(_ url: String, resume: ResumePoint? = nil, _ checksum: Checksum?) -> TransferOrder {
    .download(url, resume: resume) { $0.options.checksum = checksum }
  }

  private func checksum(_ content: Content) -> Checksum? { Checksum(.sha256, digits: content.sha256) }

  /// The hashes of "abc", as FIPS 180-4 and RFC 1321 give them.
  @Test(arguments: [
    "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    "sha1:A9993E364706816ABA3E25717850C26C9CD0D89D", "md5:900150983cd24fb0d6963f7d28e17f72",
  ])
  func `a file with the right hash is finished`(text: String) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 200, body: "abc"))

      let facts = try await workshop.run(order(server.url("/x"), Checksum(text)))

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(server.requests("/x").count == 1)
    }
  }

  @Test func `a file with another hash is fetched once more, and then is a failure`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(Serving(Self.content)))

      let facts = try await workshop.run(order(server.url("/x"), checksum(Content(seed: 4, size: 200_000))))

      #expect(facts.failure?.code == .checksumMismatch)
      #expect(facts.failure?.detail.contains(Self.content.sha256) == true)
      #expect(server.requests("/x").count == 2)
      #expect(facts.checkpoints.last?.offset ?? 0 == 0)
    }
  }

  @Test func `a file with another hash is not fetched again by what must not be done twice`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(Serving(Self.content)))
      var order = order(server.url("/x"), checksum(Content(seed: 4, size: 200_000)))
      order.request.method = "POST"

      let facts = try await workshop.run(order)

      #expect(facts.failure?.code == .checksumMismatch && facts.failure?.detail.contains("twice") == false)
      #expect(server.requests("/x").count == 1)
    }
  }

  @Test func `what an earlier attempt left is verified too, and fetched again if it is wrong`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(Serving(Self.content)))
      Disk.write([UInt8](repeating: 0xEE, count: 120_000), to: workshop.part())
      let resume = ResumePoint(offset: 120_000, validator: .entityTag("\"3-200000\""), length: 200_000)

      let facts = try await workshop.run(order(server.url("/x"), resume: resume, checksum(Self.content)))

      #expect(facts.response?.status == 200)
      #expect(server.requests("/x").map { $0.headers["range"] } == ["bytes=120000-", nil])
      #expect(Disk.read(workshop.part()) == Self.content.bytes)
    }
  }

  @Test func `a small file that is fetched once more is verified as it is then`() async throws {
    try await withWorkshop { workshop, server in
      let right = Checksum("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")

      for id in 1...20 as ClosedRange<Int64> {
        server.play("/\(id)", .answer(status: 200, body: "damaged on the way"), .answer(status: 200, body: "abc"))
        let facts = try await workshop.run(
          .download(server.url("/\(id)"), id: id) { $0.options.checksum = right })

        #expect(facts.response?.status == 200, "\(facts)")
        #expect(Disk.read(workshop.part(id)) == Array("abc".utf8))
      }
    }
  }

  @Test func `a decoded file is verified as it is on the disk`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .bytes(Zip.gzip(Self.content.bytes), headers: ["Content-Encoding": "gzip"]))

      let facts = try await workshop.run(order(server.url("/x"), checksum(Self.content)))

      #expect(facts.response?.status == 200, "\(facts)")
    }
  }

  @Test func `an answer that is no success is told as it came`() async throws {
    try await withWorkshop { workshop, server in
      let facts = try await workshop.run(order(server.url("/nowhere"), checksum(Self.content)))

      #expect(facts.response?.status == 404)
    }
  }

  /// Verified in sixteen steps, and ordered to stop when it has told the third time that all is there: the first two
  /// may be from the last byte and from the end of the body.
  @Test func `a download that was ordered to stop stops while it is verified`() async throws {
    try await withWorkshop(settings: { ($0.progressInterval, $0.verifyingStep) = (.seconds(3600), 64 << 10) }) {
      workshop, server in
      let (path, size) = ("/file/3/1048576", Int64(1 << 20))
      let whole = TransferFact.progressed(count: size, expected: size)
      workshop.log.hook { [engine = workshop.engine, log = workshop.log] entry in
        let earlier = log.facts(of: entry.id, attempt: entry.attempt).filter { $0 == whole }
        if entry.fact == whole, earlier.count == 2 { engine.stop(entry.id, attempt: entry.attempt) }
      }

      let facts = try await workshop.run(order(server.url(path), checksum(Self.content)))

      #expect(facts.last == .stopped)
      #expect(facts.filter { $0 == whole }.count == 3)
      #expect(server.requests(path).count == 1)
    }
  }
}
