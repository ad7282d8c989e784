import Crypto
import Foundation
import Testing
import VideoFarmServer

@Suite(.timeLimit(.minutes(2)))
struct UploadTests {
  @Test func `an uploaded movie comes back byte for byte, under its hash`() async throws {
    try await withFarm { farm in
      let page = try await farm.prepare("A video")
      let bytes = movieBytes(1_000_003)

      let answer = try await farm.put(bytes, on: page)

      #expect(answer.status == 201)
      #expect(try answer.json["sha256"] as? String == sha256(bytes))
      #expect(try await farm.curl(page + "/movie").body == bytes)
    }
  }

  @Test func `a movie replaces another as a whole`() async throws {
    try await withFarm { farm in
      let page = try await farm.store(movieBytes(70_000, seed: 1))

      let answer = try await farm.put(movieBytes(50_000, seed: 2), on: page)

      #expect(answer.status == 200)
      #expect(try await farm.curl(page + "/movie").body == movieBytes(50_000, seed: 2))
      #expect(try farm.files("movies").count == 2)  // The movie and its thumbnail; nothing of the first.
    }
  }

  @Test func `an empty movie is a movie`() async throws {
    try await withFarm { farm in
      let page = try await farm.store([])

      let answer = try await farm.curl(page + "/movie")

      #expect(answer.status == 200)
      #expect(answer.body.isEmpty)
    }
  }

  enum Cut: CaseIterable { case aborted, ended, chunkedAborted, chunkedEnded }

  @Test(arguments: Cut.allCases)
  func `a cut upload leaves nothing, and what was there before stays`(cut: Cut) async throws {
    try await withFarm { farm in
      let page = try await farm.store(movieBytes(1000))
      let before = try farm.files("movies")
      let isChunked = cut == .chunkedAborted || cut == .chunkedEnded

      let connection = try RawConnection(port: farm.port)
      let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 900000"
      try connection.send("PUT \(page)/movie HTTP/1.1\r\nHost: x\r\n\(length)\r\n\r\n".utf8)
      try connection.send((isChunked ? Array("493e0\r\n".utf8) : []) + movieBytes(300_000, seed: 3))
      if cut == .ended || cut == .chunkedEnded { connection.endSending() } else { connection.abort() }

      let event = await farm.event { if case .cut = $0 { true } else { false } }
      guard case .cut? = event else { return #expect(Bool(false), "no upload was cut") }
      #expect(try farm.files("incoming") == [])
      #expect(try farm.files("movies") == before)
      #expect(try await farm.curl(page + "/movie").body == movieBytes(1000))
    }
  }

  @Test func `a movie may be replaced only under the condition that the client sets`() async throws {
    try await withFarm { farm in
      let page = try await farm.prepare("A video")
      #expect(try await farm.put([1], on: page, "--header", "If-Match: *").status == 412)
      #expect(try await farm.put([1], on: page, "--header", "If-None-Match: *").status == 201)
      #expect(try await farm.put([2], on: page, "--header", "If-None-Match: *").status == 412)
      #expect(try await farm.put([2], on: page, "--header", "If-Match: \"\(sha256([1]))\"").status == 200)
      #expect(try await farm.put([3], on: page, "--header", "If-Match: \"\(sha256([1]))\"").status == 412)

      #expect(try await farm.curl(page + "/movie").body == [2])
    }
  }

  @Test func `a movie for a video that nobody announced is refused`() async throws {
    try await withFarm { farm in
      let answer = try await farm.put(movieBytes(200_000), on: "/videos/0123456789abcdef")

      #expect(answer.status == 404)
      #expect(try answer.refusal.code == "no-such-video")
      #expect(try farm.files("incoming") == [])
    }
  }

  @Test func `a movie beyond the limit is refused before it is sent`() async throws {
    try await withFarm { farm in
      let page = try await farm.prepare("A video")
      let answer = try await farm.curl(
        page + "/movie", "--request", "PUT", "--head", "--header", "Content-Length: 99999999999999")

      #expect(answer.status == 413)
    }
  }

  @Test func `a farm that is opened again has what it had, and nothing that a crash left`() async throws {
    try await withFolder { folder in
      var settings = FarmSettings(data: folder + "/data")
      settings.seeds = 2
      settings.seedSize = 5000
      _ = try await Farm(settings, logger: quiet) { _ in }
      let movies = try FileManager.default.contentsOfDirectory(atPath: folder + "/data/movies").sorted()
      for left in ["/data/incoming/half", "/data/movies/unnamed"] {
        try Data([1]).write(to: URL(filePath: folder + left))
      }

      _ = try await Farm(settings, logger: quiet) { event in #expect(Bool(false), "made again: \(event)") }

      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/data/movies").sorted() == movies)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/data/incoming") == [])
    }
  }

  private func sha256(_ bytes: [UInt8]) -> String {
    SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
  }
}
