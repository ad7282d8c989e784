import Crypto
import Foundation
import Patience
import Testing
import VideoFarmServer

/// Uploads that go on after a cut (draft-ietf-httpbis-resumable-upload).
@Suite(.timeLimit(.minutes(2)))
struct ResumableUploadTests {
  private let movie = movieBytes(700_001)

  /// Sends the first `count` bytes of the movie and cuts the line; the path of the upload, as the 104 has told it.
  private func begin(
    _ farm: FarmUnderTest, _ page: String, count: Int, version: String = "8"
  ) async throws -> String {
    let (port, movie) = (farm.port, movie)
    let head = try await onOwnThread { () throws -> String in
      let (connection, head) = try Self.startUpload(of: movie, to: page, port: port, count, version)
      connection.endSending()
      _ = try connection.receive(1 << 20)  // Ends when the server has let go.
      return head
    }
    return try path(head)
  }

  private func path(_ head: String) throws -> String {
    #expect(head.hasPrefix("HTTP/1.1 104 "))
    return try #require(head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("location: ") })
      .replacing(#/^.*: /#, with: "")
  }

  /// Sends the first `count` bytes of an upload once the 104 has come; the head of the 104.
  private static func startUpload(
    of movie: [UInt8], to page: String, port: Int, _ count: Int, _ version: String = "8"
  ) throws -> (RawConnection, String) {
    let connection = try RawConnection(port: port)
    let fields = [
      "Host: x", "Content-Length: \(movie.count)", "Upload-Draft-Interop-Version: \(version)", "Upload-Complete: ?1",
    ]
    try connection.send("PUT \(page)/movie HTTP/1.1\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n".utf8)
    var head = ""
    while !head.hasSuffix("\r\n\r\n") {
      let next = try connection.receive(1)
      guard !next.isEmpty else { break }
      head += String(decoding: next, as: UTF8.self)
    }
    try connection.send(movie.prefix(count))
    return (connection, head)
  }

  private func inquire(_ farm: FarmUnderTest, _ upload: String) async throws -> CurlAnswer {
    try await farm.curl(upload, "--head", "--header", "Upload-Draft-Interop-Version: 8")
  }

  private func append(
    _ farm: FarmUnderTest, _ upload: String, _ bytes: [UInt8], at offset: Int, isLast: Bool = true
  ) async throws -> CurlAnswer {
    let file = farm.folder + "/part-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(filePath: file))
    return try await farm.curl(
      upload, "--upload-file", file, "--request", "PATCH", "--header", "Expect:",
      "--header", "Upload-Draft-Interop-Version: 8", "--header", "Upload-Offset: \(offset)",
      "--header", "Upload-Complete: ?\(isLast ? 1 : 0)", "--header", "Content-Type: application/partial-upload")
  }

  private func sha256(_ bytes: [UInt8]) -> String {
    SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
  }

  @Test(arguments: [0, 1, 300_000], ["6", "8"])
  func `a cut upload goes on with its next byte`(count: Int, version: String) async throws {
    try await withFarm { farm in
      let page = try await farm.prepare("A video")
      let upload = try await begin(farm, page, count: count, version: version)
      let known = try await inquire(farm, upload)
      let offset = try #require(Int(try known.header("upload-offset")))

      let answer = try await append(farm, upload, Array(movie.dropFirst(offset)), at: offset)

      #expect(known.status == 204)
      #expect(offset == count)
      #expect(try known.header("upload-complete") == "?0")
      #expect(try known.header("upload-length") == "\(movie.count)")
      #expect(answer.status == 201)
      #expect(try answer.json["sha256"] as? String == sha256(movie))
      #expect(try await farm.curl(page + "/movie").body == movie)
      #expect(try farm.files("incoming") == [])
    }
  }

  @Test func `a request that lost an upload to a later one has paused where the later one went on`() async throws {
    try await withFarm { farm in
      let page = try await farm.prepare("A video")
      let (port, movie) = (farm.port, movie)
      let (connection, head) = try await onOwnThread { try Self.startUpload(of: movie, to: page, port: port, 1000) }
      let upload = try path(head)
      let known = try await eventually("the farm has noted the upload, of which its 104 came before") {
        let known = try await inquire(farm, upload)
        return known.status == 404 ? nil : known
      }
      let offset = try #require(Int(try known.header("upload-offset")))
      _ = try await append(farm, upload, Array(movie[offset..<5000]), at: offset, isLast: false)

      try await onOwnThread { try connection.send(movie[1000..<1001]) }

      let paused = await farm.event { if case .paused = $0 { true } else { false } }
      #expect(paused == .paused(String(page.dropFirst("/videos/".count)), at: offset))
    }
  }

  @Test func `a whole upload whose answer was lost is not asked for again`() async throws {
    try await withFarm { farm in
      let page = try await farm.prepare("A video")
      let upload = try await begin(farm, page, count: movie.count)

      let known = try await inquire(farm, upload)
      let more = try await append(farm, upload, [1], at: movie.count)

      #expect(try known.header("upload-complete") == "?1")
      #expect(try known.header("upload-offset") == "\(movie.count)")
      #expect(more.status == 400)
      #expect(try await farm.curl(page + "/movie").body == movie)
    }
  }

  @Test func `a part at another offset is refused with the right one`() async throws {
    try await withFarm { farm in
      let upload = try await begin(farm, try await farm.prepare("A video"), count: 1000)

      let answer = try await append(farm, upload, [1, 2, 3], at: 999)

      #expect(answer.status == 409)
      #expect(try answer.header("upload-offset") == "1000")
    }
  }

  @Test func `more than was announced is refused`() async throws {
    try await withFarm { farm in
      let upload = try await begin(farm, try await farm.prepare("A video"), count: 1000)

      let answer = try await append(farm, upload, movie, at: 1000)

      #expect(answer.status == 400)
      #expect(try answer.refusal.code == "inconsistent-length")
    }
  }

  @Test func `parts follow one another`() async throws {
    try await withFarm { farm in
      let page = try await farm.prepare("A video")
      let upload = try await begin(farm, page, count: 1000)

      let part = try await append(farm, upload, Array(movie[1000..<5000]), at: 1000, isLast: false)
      let last = try await append(farm, upload, Array(movie[5000...]), at: 5000)

      #expect(part.status == 204)
      #expect(try part.header("upload-complete") == "?0")
      #expect(last.status == 201)
      #expect(try await farm.curl(page + "/movie").body == movie)
    }
  }

  @Test func `a cancelled upload is forgotten`() async throws {
    try await withFarm { farm in
      let upload = try await begin(farm, try await farm.prepare("A video"), count: 1000)

      let answer = try await farm.curl(upload, "--request", "DELETE")

      #expect(answer.status == 204)
      #expect(try await inquire(farm, upload).status == 404)
      #expect(try farm.files("incoming") == [])
    }
  }

  @Test(arguments: ["/uploads/1", "/uploads/" + String(repeating: "a", count: 32)])
  func `nobody guesses an upload`(path: String) async throws {
    try await withFarm { farm in
      let answer = try await inquire(farm, path)

      #expect(answer.status == 404)
    }
  }

  @Test func `a client's own token is no token`() async throws {
    try await withFarm { farm in
      let page = try await farm.prepare("A video")
      let token = String(repeating: "a", count: 32)

      let answer = try await farm.put(movie, on: page, "--header", "X-VideoFarm-Upload: \(token)")

      #expect(answer.status == 201)
      #expect(try await inquire(farm, "/uploads/\(token)").status == 404)
    }
  }

  @Test func `what came before a restart of the farm is there after it`() async throws {
    try await withFolder { folder in
      let keep = { (settings: inout FarmSettings) in settings.data = folder + "/kept" }
      var (page, upload) = ("", "")
      try await withFarm(keep) { farm in
        page = try await farm.prepare("A video")
        upload = try await begin(farm, page, count: 300_000)
        #expect(try await inquire(farm, upload).header("upload-offset") == "300000")
      }

      try await withFarm(keep) { farm in
        #expect(try await inquire(farm, upload).header("upload-offset") == "300000")
        let answer = try await append(farm, upload, Array(movie.dropFirst(300_000)), at: 300_000)
        #expect(answer.status == 201)
        #expect(try await farm.curl(page + "/movie").body == movie)
      }
    }
  }
}
