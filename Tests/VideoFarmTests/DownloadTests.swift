import Testing
import VideoFarmServer

@Suite(.timeLimit(.minutes(2)))
struct DownloadTests {
  @Test func `a HEAD tells of the movie what a GET would`() async throws {
    try await withFarm { farm in
      let page = try await farm.store(movieBytes(1234))

      let head = try await farm.curl(page + "/movie", "--head")
      let get = try await farm.curl(page + "/movie")

      #expect(head.status == 200)
      for name in ["content-length", "etag", "last-modified", "accept-ranges", "content-type"] {
        #expect(try head.header(name) == get.header(name))
      }
      #expect(try head.header("content-length") == "1234")
      #expect(try head.header("accept-ranges") == "bytes")
    }
  }

  @Test(arguments: [
    ("0-0", 0..<1), ("100-199", 100..<200), ("900-", 900..<1000), ("-10", 990..<1000), ("5-9999", 5..<1000),
  ])
  func `a byte range is answered with those bytes`(range: String, bytes: Range<Int>) async throws {
    try await withFarm { farm in
      let page = try await farm.store(movieBytes(1000))

      let answer = try await farm.curl(page + "/movie", "--range", range)

      #expect(answer.status == 206)
      #expect(try answer.header("content-range") == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/1000")
      #expect(answer.body == Array(movieBytes(1000)[bytes]))
    }
  }

  @Test func `which bytes of a movie are sent is told`() async throws {
    try await withFarm { farm in
      let page = try await farm.store(movieBytes(1000))
      let id = String(page.split(separator: "/").last ?? "")

      _ = try await farm.curl(page + "/movie", "--range", "600-")

      let first = await farm.event { $0 == .serving(id, from: 600, to: 1000) }
      let last = await farm.event { $0 == .served(id, from: 600, bytes: 400) }
      #expect(first != nil && last != nil)
    }
  }

  @Test(arguments: ["1000-", "2000-3000", "-0"])
  func `a range beyond the end is refused with the size`(range: String) async throws {
    try await withFarm { farm in
      let page = try await farm.store(movieBytes(1000))

      let answer = try await farm.curl(page + "/movie", "--range", range)

      #expect(answer.status == 416)
      #expect(try answer.header("content-range") == "bytes */1000")
    }
  }

  @Test func `a range goes on under If-Range only while the movie is the same`() async throws {
    try await withFarm { farm in
      let page = try await farm.store(movieBytes(1000, seed: 1))
      let first = try await farm.curl(page + "/movie", "--head")
      for known in [try first.header("etag"), try first.header("last-modified")] {
        let answer = try await farm.curl(page + "/movie", "--range", "500-", "--header", "If-Range: \(known)")
        #expect(answer.status == 206)
        #expect(answer.body == Array(movieBytes(1000, seed: 1)[500...]))
      }

      try await farm.put(movieBytes(1000, seed: 2), on: page)

      let etag = try first.header("etag")
      let answer = try await farm.curl(page + "/movie", "--range", "500-", "--header", "If-Range: \(etag)")
      #expect(answer.status == 200)
      #expect(answer.body == movieBytes(1000, seed: 2))
      let weak = try await farm.curl(
        page + "/movie", "--range", "5-", "--header", "If-Range: W/\(answer.header("etag"))")
      #expect(weak.status == 200)
    }
  }

  @Test func `a range is refused under If-Match once the movie is another`() async throws {
    try await withFarm { farm in
      let page = try await farm.store(movieBytes(1000, seed: 1))
      let etag = try await farm.curl(page + "/movie", "--head").header("etag")
      #expect(try await farm.curl(page + "/movie", "--range", "5-", "--header", "If-Match: \(etag)").status == 206)

      try await farm.put(movieBytes(1000, seed: 2), on: page)

      #expect(try await farm.curl(page + "/movie", "--range", "5-", "--header", "If-Match: \(etag)").status == 412)
    }
  }

  @Test func `what the client has is not sent again`() async throws {
    try await withFarm { farm in
      let page = try await farm.store(movieBytes(1000))
      for part in ["/movie", "/thumbnail"] {
        let head = try await farm.curl(page + part, "--head")
        let (etag, moment) = (try head.header("etag"), try head.header("last-modified"))

        let byTag = try await farm.curl(page + part, "--header", "If-None-Match: \"x\", W/\(etag)")
        let byMoment = try await farm.curl(page + part, "--header", "If-Modified-Since: \(moment)")
        let other = try await farm.curl(page + part, "--header", "If-None-Match: \"x\"")

        #expect(byTag.status == 304)
        #expect(byTag.body.isEmpty)
        #expect(byMoment.status == 304)
        #expect(other.status == 200)
      }
    }
  }

  @Test func `the same bytes have the same tag in every farm, and other bytes another`() async throws {
    var tags: [String] = []
    for seed in [UInt8(1), 1, 2] {
      try await withFarm { farm in
        let page = try await farm.store(movieBytes(1000, seed: seed))
        tags.append(try await farm.curl(page + "/movie", "--head").header("etag"))
      }
    }

    #expect(tags[0] == tags[1])
    #expect(tags[0] != tags[2])
    #expect(!tags[0].hasPrefix("W/"))
  }

  @Test func `the thumbnail is a picture that follows from the movie`() async throws {
    try await withFarm { farm in
      let pages = [
        try await farm.store(movieBytes(10, seed: 1)), try await farm.store(movieBytes(10, seed: 1)),
        try await farm.store(movieBytes(10, seed: 2)),
      ]
      var pictures: [[UInt8]] = []
      for page in pages {
        let answer = try await farm.curl(page + "/thumbnail")
        #expect(try answer.header("content-type") == "image/png")
        #expect(try answer.header("content-length") == "\(answer.body.count)")
        pictures.append(answer.body)
      }

      #expect(pictures[0].starts(with: [0x89, 0x50, 0x4E, 0x47]))
      #expect(pictures[0] == pictures[1])
      #expect(pictures[0] != pictures[2])
    }
  }

  @Test func `a download keeps to its movie while another replaces it`() async throws {
    try await withFarm { farm in
      let movie = Array(repeating: UInt8(7), count: 20_000_000)  // More than the sockets hold, so the farm waits.
      let page = try await farm.store(movie)
      let connection = try RawConnection(port: farm.port)
      let start = try await onOwnThread {
        try connection.send("GET \(page)/movie HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8)
        return try connection.receive(1000)
      }

      let replaced = try await farm.put(Array(repeating: 8, count: 20_000_000), on: page)

      #expect(replaced.status == 200)
      let answer = try await start + onOwnThread { try connection.receive(30_000_000) }
      #expect(answer.suffix(movie.count) == movie[...])
    }
  }
}
