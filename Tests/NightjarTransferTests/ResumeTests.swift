import NightjarModel
import ScriptedServer
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

@Suite(.timeLimit(.minutes(2))) struct ResumeTests {
  private let content = Content(seed: 3, size: 200_000)
  private var serving: Serving { Serving(content) }

  /// Puts the first bytes of the content into the staging area, with garbage behind, as a power cut may leave it.
  private func stage(_ workshop: Workshop, _ count: Int64 = 120_000) {
    Disk.write(content.bytes(0..<count) + [UInt8](repeating: 0xEE, count: 5_000), to: workshop.part())
  }

  private func point(_ offset: Int64 = 120_000, _ validator: Validator? = nil, length: Int64? = 200_000) -> ResumePoint
  {
    ResumePoint(offset: offset, validator: validator ?? .entityTag("\"3-200000\""), length: length)
  }

  @Test func `only the rest is fetched, and nothing beyond the checkpoint is trusted`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(serving))
      stage(workshop)

      let facts = try await workshop.run(.download(server.url("/x"), resume: point()))

      let seen = server.requests("/x").first?.headers
      #expect(seen?["range"] == "bytes=120000-")
      #expect(seen?["if-range"] == "\"3-200000\"")
      #expect(Disk.read(workshop.part()) == content.bytes)
      #expect(facts.checkpoints.allSatisfy { $0.offset >= 120_000 })
    }
  }

  @Test func `a resumed download is reported as the whole that was asked for`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(serving))
      stage(workshop)

      let response = try await workshop.run(.download(server.url("/x"), resume: point())).response

      #expect(response?.status == 200)
      #expect(response?.headers[field: "Content-Length"] == "200000")
      #expect(response?.headers[field: "Content-Range"] == nil)
    }
  }

  @Test func `a date resumes as well as a tag`() async throws {
    try await withWorkshop { workshop, server in
      let date = "Sun, 06 Nov 1994 08:49:37 GMT"
      server.play("/x", .serve(serving.with { ($0.tag, $0.modified) = (nil, date) }))
      stage(workshop)

      try await workshop.run(.download(server.url("/x"), resume: point(120_000, .lastModified(date))))

      #expect(server.requests("/x").map { $0.headers["if-range"] } == [date])
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  static let answers: [(String, Serving)] = {
    let serving = Serving(Content(seed: 3, size: 200_000))
    return [
      ("a changed resource", serving.with { $0.tag = "\"new\"" }),
      ("a server without ranges", serving.with { $0.hasRanges = false }),
      ("a part that begins elsewhere", serving.with { $0.announcedRange = "bytes 0-199999/200000" }),
      ("a part of another length", serving.with { $0.announcedRange = "bytes 120000-299999/300000" }),
      ("a part that ends early", serving.with { $0.announcedRange = "bytes 120000-150000/200000" }),
      ("a part of a changed resource", serving.with { ($0.tag, $0.heedsIfRange) = ("\"new\"", false) }),
      ("a part without a tag", serving.with { ($0.tag, $0.heedsIfRange) = (nil, false) }),
      ("a part of hardly anything", serving.with { $0.rangeMax = 1000 }),
      ("nonsense for a range", serving.with { $0.announcedRange = "octets banana" }),
    ]
  }()

  @Test(arguments: answers)
  func `an answer that does not fit begins again from the first byte`(name: String, serving: Serving) async throws {
    try await withWorkshop { workshop, server in
      // A part of something else would be seen in the bytes.
      let other = Content(seed: name.contains("changed") ? 4 : 3, size: 200_000)
      server.play("/x", .serve(serving.with { $0.content = other }))
      stage(workshop)

      let facts = try await workshop.run(.download(server.url("/x"), resume: point()))

      #expect(facts.checkpoints.first == ResumePoint(offset: 0, validator: nil, length: nil), "\(name)")
      #expect(facts.response?.status == 200, "\(name): \(facts)")
      #expect(Disk.read(workshop.part()) == other.bytes, "\(name)")
    }
  }

  @Test func `a server that sends the rest in parts of its own size is asked for one after the other`() async throws {
    try await withWorkshop { workshop, server in
      let content = Content(seed: 3, size: 200_000)
      server.play("/x", .serve(Serving(content).with { $0.rangeMax = 70_000 }))
      stage(workshop)

      let facts = try await workshop.run(.download(server.url("/x"), resume: point()))

      #expect(facts.response?.status == 200 && Disk.read(workshop.part()) == content.bytes, "\(facts)")
      #expect(server.requests("/x").map { $0.headers["range"] } == ["bytes=120000-", "bytes=190000-"])
    }
  }

  @Test func `a server that refuses the condition is asked for the whole`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 412, body: "no"), .serve(serving))
      stage(workshop)

      let facts = try await workshop.run(.download(server.url("/x"), resume: point()))

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `a part that nobody asked for is refused`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: 206, headers: ["Content-Range": "bytes 0-1/2"], body: "ab"))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.failure?.code == .badServerResponse)
    }
  }

  @Test func `a client's own range is answered as it asked`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(serving))

      let facts = try await workshop.run(
        .download(server.url("/x"), resume: point()) { $0.headers = [HTTPField("Range", "bytes=150000-")] })

      #expect(facts.response?.status == 206)
      #expect(Disk.read(workshop.part()) == content.bytes(150_000..<200_000))
    }
  }

  @Test func `a file that had come whole needs its last byte only`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(serving))
      stage(workshop, 200_000)

      try await workshop.run(.download(server.url("/x"), resume: point(200_000)))

      #expect(server.requests("/x").map { $0.headers["range"] } == ["bytes=199999-"])
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `a file of one byte that had come whole leaves nothing to a version without any`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(Serving(Content(seed: 5, size: 0))))
      stage(workshop, 1)

      let facts = try await workshop.run(.download(server.url("/x"), resume: point(1, length: 1)))

      #expect(facts.checkpoints.first?.offset == 0)
      #expect(Disk.read(workshop.part()) == [])
    }
  }

  @Test func `at the end of an unknown length a 416 completes the file`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(serving))
      stage(workshop, 200_000)

      let facts = try await workshop.run(.download(server.url("/x"), resume: point(200_000, length: nil)))

      #expect(facts.response?.status == 200)
      #expect(server.requests("/x").count == 1)
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `a 416 of another length begins again`() async throws {
    try await withWorkshop { workshop, server in
      let shorter = Content(seed: 5, size: 1000)
      server.play("/x", .serve(Serving(shorter).with { $0.heedsIfRange = false }))
      stage(workshop)

      try await workshop.run(.download(server.url("/x"), resume: point()))

      #expect(Disk.read(workshop.part()) == shorter.bytes)
    }
  }

  @Test func `a 416 does not complete a file whose length is known to be greater`() async throws {
    try await withWorkshop { workshop, server in
      let nothingLeft = ["ETag": "\"3-200000\"", "Content-Range": "bytes */120000"]
      server.play("/x", .answer(status: 416, headers: nothingLeft), .serve(serving))
      stage(workshop)

      try await workshop.run(.download(server.url("/x"), resume: point()))

      #expect(server.requests("/x").map { $0.headers["range"] } == ["bytes=120000-", nil])
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test(arguments: [202, 204, 205, 304])
  func `an answer without the rest does not empty the file`(status: Int) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .answer(status: status), .serve(serving))
      stage(workshop)

      let facts = try await workshop.run(.download(server.url("/x"), resume: point()))

      #expect(server.requests("/x").map { $0.headers["range"] } == ["bytes=120000-", nil])
      #expect(facts.response?.status == 200)
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `a staged file that is too short or gone begins again`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(serving))
      Disk.write(content.bytes(0..<119_999), to: workshop.part())

      let short = try await workshop.run(.download(server.url("/x"), resume: point()))
      let gone = try await workshop.run(.download(server.url("/x"), id: 2, resume: point()))

      #expect(short.checkpoints.first?.offset == 0)
      #expect(gone.checkpoints.first?.offset == 0)
      #expect(server.requests("/x").allSatisfy { $0.headers["range"] == nil })
      #expect(Disk.read(workshop.part(2)) == content.bytes)
    }
  }

  @Test(arguments: [("\"3-200000\"", nil), (nil, "Sun, 06 Nov 1994 08:49:37 GMT")] as [(String?, String?)])
  func `a server that sends the whole to whoever says If-Range is asked without it`(
    tag: String?, modified: String?
  ) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(serving.with { ($0.tag, $0.modified, $0.mishandlesIfRange) = (tag, modified, true) }))
      stage(workshop)
      let validator = tag.map(Validator.entityTag) ?? modified.map(Validator.lastModified)

      let facts = try await workshop.run(.download(server.url("/x"), resume: point(120_000, validator)))

      #expect(server.requests("/x").map { $0.headers["range"] } == ["bytes=120000-", "bytes=120000-"])
      #expect(server.requests("/x").map { $0.headers["if-range"] != nil } == [true, false])
      #expect(facts.checkpoints.allSatisfy { $0.offset >= 120_000 })
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `a part that came without the condition has to prove its version`() async throws {
    try await withWorkshop { workshop, server in
      let date = "Sun, 06 Nov 1994 08:49:37 GMT"
      let whole = serving.with { ($0.tag, $0.modified, $0.mishandlesIfRange) = (nil, date, true) }
      let other = Serving(Content(seed: 8, size: 200_000)).with { $0.tag = nil }
      server.play("/x", .serve(whole), .serve(other), .serve(other))
      stage(workshop)

      try await workshop.run(.download(server.url("/x"), resume: point(120_000, .lastModified(date))))

      #expect(server.requests("/x").map { $0.headers["range"] != nil } == [true, true, false])
      #expect(Disk.read(workshop.part()) == other.content.bytes)
    }
  }

  @Test func `several parts instead of one are not taken`() async throws {
    try await withWorkshop { workshop, server in
      let parts = serving.with { $0.headers = ["Content-Type": "multipart/byteranges; boundary=x"] }
      server.play("/x", .serve(parts), .serve(serving))
      stage(workshop)

      try await workshop.run(.download(server.url("/x"), resume: point()))

      #expect(server.requests("/x").map { $0.headers["range"] != nil } == [true, false])
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test(arguments: ["W/\"weak\"", nil])
  func `without a strong validator an interruption keeps nothing`(tag: String?) async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(serving.with { ($0.tag, $0.mishap, $0.mishapAfter) = (tag, .cut, 100_000) }))

      let facts = try await workshop.run(.download(server.url("/x")))

      #expect(facts.failure?.code == .connectionLost)
      #expect(facts.checkpoints.allSatisfy { $0.validator == nil })
    }
  }

  @Test func `a coded body begins again rather than go on`() async throws {
    try await withWorkshop { workshop, server in
      let coded = Zip.gzip(content.bytes)
      let headers = ["Content-Encoding": "gzip", "ETag": "\"a\""]
      server.play(
        "/x", .bytes(Array(coded[..<100_000]), headers: headers, announcing: coded.count),
        .bytes(coded, headers: headers))

      let cut = try await workshop.run(.download(server.url("/x")))
      let whole = try await workshop.run(.download(server.url("/x"), attempt: 2, resume: cut.checkpoints.last))

      #expect(cut.failure?.code == .connectionLost)
      #expect(cut.checkpoints.allSatisfy { $0.validator == nil })
      #expect(server.requests("/x").allSatisfy { $0.headers["range"] == nil })
      #expect(whole.response?.status == 200)
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `bytes of another version are never taken for the prefix, whatever the checkpoint says`() async throws {
    try await withWorkshop { workshop, server in
      // Version B has overwritten the file; the daemon crashed before it learned so; then version A is back.
      let other = Serving(Content(seed: 9, size: 200_000)).with { $0.tag = "\"B\"" }
      server.play("/x", .serve(other.with { ($0.mishap, $0.mishapAfter) = (.cut, 150_000) }), .serve(serving))
      stage(workshop)
      try await workshop.run(.download(server.url("/x"), resume: point()))

      try await workshop.run(.download(server.url("/x"), attempt: 2, resume: point()))

      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `the next attempt goes on where a cut connection ended`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .serve(serving.with { ($0.mishap, $0.mishapAfter) = (.cut, 90_000) }), .serve(serving))

      let first = try await workshop.run(.download(server.url("/x")))
      let resume = first.checkpoints.last
      try await workshop.run(.download(server.url("/x"), attempt: 2, resume: resume))

      #expect(first.failure?.code == .connectionLost)
      var expected = point(90_000)
      expected.provenance = Provenance(url: server.url("/x"))
      #expect(resume == expected)
      #expect(server.requests("/x").last?.headers["range"] == "bytes=90000-")
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }
}
