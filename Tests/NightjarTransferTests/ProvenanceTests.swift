import NightjarModel
import ScriptedServer
import Testing

@Suite(.timeLimit(.minutes(2))) struct ProvenanceTests {
  @Test(
    arguments: [
      ("https://h/a/f", "https://h/a/f", true), ("https://h/a/f?t=1", "https://H:443/a/f?t=2#x", true),
      ("http://h/a/f", "https://mirror/a/f", true), ("https://m1/pub/f", "https://m2/debian/pub/f", true),
      ("https://h/v1/f", "https://h/v2/f", false), ("https://h/v1/f", "https://h:8443/v2/f", false),
      ("https://h/a", "https://h/b", false), ("https://m1/a", "https://m2/b", false),
      ("https://m1/a/", "https://m2/b/", false), ("https://h", "https://h/?x", true),
      ("http://[::1]/v1/f", "http://[::1]:80/v2/f", false), ("http://[::1]/v1/f", "http://[::2]/v2/f", true),
    ] as [(String, String, Bool)])
  func `the rest is of the same file at the same path, and on another host under the same name`(
    before: String, now: String, isSame: Bool
  ) throws {
    let (first, second) = (try #require(Provenance(url: before)), try #require(Provenance(url: now)))

    #expect(first.isOfSameFile(as: second) == isSame && second.isOfSameFile(as: first) == isSame)
  }

  @Test func `a query is not kept: it may hold secrets`() {
    #expect(Provenance(url: "https://u:p@Files.Example:8443/a/f?key=secret#x")?.text == "files.example/a/f")
    #expect(Provenance(url: "no URL") == nil)
  }

  @Test func `a page and a file do not take each other's place in a resume point`() {
    let page = UploadResource(url: "http://h/u", version: nil)
    var point = ResumePoint(offset: 1, validator: .entityTag("\"a\""), length: nil)

    point.provenance = Provenance(text: "h/f")
    point.heritage = TransferID(7)
    point.upload = nil
    #expect(point.provenance?.text == "h/f" && point.heritage == TransferID(7))
    point.heritage = nil
    #expect(point.provenance?.text == "h/f" && point.heritage == nil)
    point.upload = page
    point.provenance = nil
    #expect(point.upload == page)
  }

  /// Two files of one length, which a server has given one tag.
  private static let old = Serving(Content(seed: 3, size: 200_000)).with { $0.tag = "\"same\"" }
  private static let new = Serving(Content(seed: 4, size: 200_000)).with { $0.tag = "\"same\"" }

  /// With `If-Range` and without: the whole of the same version is asked for the rest once more.
  @Test(arguments: [false, true])
  func `a file that a redirect has come to lead to is fetched whole, whatever its tag says`(
    mishandlesIfRange: Bool
  ) async throws {
    try await withWorkshop { workshop, server in
      server.play("/latest", .redirect(to: "/v1/f"), .redirect(to: "/v2/f"))
      server.play("/v1/f", .serve(Self.old.with { ($0.mishap, $0.mishapAfter) = (.cut, 90_000) }))
      server.play("/v2/f", .serve(Self.new.with { $0.mishandlesIfRange = mishandlesIfRange }))

      let cut = try await workshop.run(.download(server.url("/latest")))
      let whole = try await workshop.run(
        .download(server.url("/latest"), attempt: 2, resume: cut.checkpoints.last))

      #expect(cut.checkpoints.last?.offset == 90_000, "\(cut)")
      #expect(whole.response?.status == 200, "\(whole)")
      #expect(Disk.read(workshop.part()) == Self.new.content.bytes)
    }
  }

  @Test func `a file that is complete on the disk is not taken for another one`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/latest", .redirect(to: "/v2/f"))
      server.play("/v2/f", .serve(Self.new))
      Disk.write(Self.old.content.bytes, to: workshop.part())
      var point = ResumePoint(offset: 200_000, validator: .entityTag("\"same\""), length: 200_000)
      point.provenance = Provenance(url: server.url("/v1/f"))

      let facts = try await workshop.run(.download(server.url("/latest"), resume: point))

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(Disk.read(workshop.part()) == Self.new.content.bytes)
    }
  }

  @Test func `another signature of the same URL goes on`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/latest", .redirect(to: "/v1/f?t=1"), .redirect(to: "/v1/f?t=2"))
      server.play("/v1/f?t=1", .serve(Self.old.with { ($0.mishap, $0.mishapAfter) = (.cut, 90_000) }))
      server.play("/v1/f?t=2", .serve(Self.old))

      let cut = try await workshop.run(.download(server.url("/latest")))
      try await workshop.run(.download(server.url("/latest"), attempt: 2, resume: cut.checkpoints.last))

      #expect(server.requests("/v1/f?t=2").map { $0.headers["range"] } == ["bytes=90000-"])
      #expect(Disk.read(workshop.part()) == Self.old.content.bytes)
    }
  }
}
