import Testing

@Suite(.timeLimit(.minutes(2)))
struct PrepareTests {
  @Test func `a new video is answered by 303 with the place of its page`() async throws {
    try await withFarm { farm in
      let answer = try await farm.curl("/videos", "--data", #"{"title": "  Summer  "}"#)

      #expect(answer.status == 303)
      let page = try await farm.curl(try answer.header("location"))
      #expect(page.status == 200)
      #expect(try page.json["title"] as? String == "Summer")
      #expect(try page.json["state"] as? String == "prepared")
    }
  }

  @Test func `a client that follows redirections lands on the page by a GET`() async throws {
    try await withFarm { farm in
      let answer = try await farm.curl("/videos", "--location", "--data", #"{"title": "Summer"}"#)

      #expect(answer.status == 200)
      let links = try answer.json["links"] as? [String: String]
      #expect(links?["movie"]?.hasSuffix("/movie") == true)
      #expect(links?["thumbnail"] == nil)
    }
  }

  @Test func `the list shows every video with what is known of it`() async throws {
    try await withFarm { farm in
      _ = try await farm.prepare("Waits")
      _ = try await farm.store(movieBytes(10), as: "Is there")

      let videos = try await farm.curl("/videos").json["videos"] as? [[String: Any]] ?? []

      #expect(videos.count == 2)
      let stored = videos.first { $0["state"] as? String == "stored" }
      #expect(stored?["title"] as? String == "Is there")
      #expect(stored?["size"] as? Int == 10)
      #expect((stored?["sha256"] as? String)?.count == 64)
    }
  }

  @Test(arguments: [
    (#"{"title": "   "}"#, "title-empty"),
    (#"{"title": "two\nlines"}"#, "title-control"),
    (#"{"title": "\#(String(repeating: "x", count: 201))"}"#, "title-long"),
    (#"{"name": "no title"}"#, "description-unreadable"),
    ("not JSON", "description-unreadable"),
  ])
  func `a bad description is refused with a sentence`(body: String, code: String) async throws {
    try await withFarm { farm in
      let answer = try await farm.curl("/videos", "--data", body)

      #expect(answer.status == 400)
      #expect(try answer.refusal.code == code)
      #expect(try answer.refusal.message.hasSuffix("."))
      #expect(try await farm.curl("/videos").json["videos"] as? [String] == [])
    }
  }

  @Test func `an endless description is refused`() async throws {
    try await withFarm { farm in
      let body = #"{"title": "\#(String(repeating: "x", count: 70_000))"}"#

      let answer = try await farm.curl("/videos", "--data", body)

      #expect(answer.status == 413)
    }
  }

  @Test(arguments: [
    ("/videos/..%2F..%2Fcatalog", 400), ("/videos/0123456789ABCDEF", 400), ("/videos/0123456789abcdef", 404),
    ("/videos/0123456789abcdef/movie", 404), ("/elsewhere", 404),
  ])
  func `what is not here is refused with a sentence`(path: String, status: Int) async throws {
    try await withFarm { farm in
      let answer = try await farm.curl(path)

      #expect(answer.status == status)
      #expect(try answer.refusal.message.hasSuffix("."))
    }
  }
}
