import Foundation
import NightjarModel
import NightjarWire
import Patience
import ScriptedServer
import TestThreads
import Testing

import class FoundationNetworking.HTTPURLResponse
import class FoundationNetworking.URLAuthenticationChallenge
import class FoundationNetworking.URLCredential
import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// Resume data of downloads in this process.
@Suite(.blocking, .serialized, .timeLimit(.minutes(5))) struct InProcessResumeTests: LoopbackSuite {
  private static let modified = "Mon, 06 Nov 2023 08:49:37 GMT"

  private func serving(_ change: (inout Serving) -> Void = { _ in }) -> Serving { Serving(film).with(change) }

  private func failing(after count: Int64) -> Serving { serving { ($0.mishap, $0.mishapAfter) = (.cut, count) } }

  /// The resume data of a download that a server breaks off.
  private func leftover(_ serving: Serving, _ server: HTTPTestServer, path: String = "/film") async throws -> Data? {
    server.play(path, .serve(serving))
    let end = await Result { try await URLSession(configuration: .ephemeral).download(from: url(path, server)) }
    return try #require(throws: URLError.self) { try end.get() }.downloadTaskResumeData
  }

  /// What resume data of this process says.
  private func read(_ data: Data) throws -> ResumeData { try ResumeData(Link.shared.seal.opened(data) ?? Data()) }

  private let filesBefore = Self.files

  /// What lies in the folder for temporary files, which others may use, too.
  private static var files: Set<String> {
    let names = try? FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())
    return Set(names ?? []).filter(LocalRemnant.owns)
  }

  private var leftFiles: Set<String> { Self.files.subtracting(filesBefore) }

  @Test(arguments: [true, false])
  func `a cancelled download goes on at its byte, on an entity tag or a date`(isTagged: Bool) async throws {
    try await withServer { server in
      let serving = serving { if !isTagged { ($0.tag, $0.modified) = (nil, Self.modified) } }
      server.play("/film", .serve(serving.with { ($0.mishap, $0.mishapAfter) = (.stall, 300_000) }))
      let first = session(Listener()).downloadTask(with: url("/film", server))
      first.resume()
      try await eventually("bytes have come") { first.countOfBytesReceived == 300_000 }
      let data = try #require(await first.cancelByProducingResumeData())
      server.play("/film", .serve(serving))
      let listener = Listener()

      let task = session(listener).downloadTask(withResumeData: data)
      task.resume()
      let heard = try await listener.whole()

      let offset = try #require(read(data).point?.offset)
      #expect(heard == ["1 created", "resumed at \(offset) of \(film.size)", "file", "metrics", "done"])
      #expect(listener.file == Data(film.bytes) && task.countOfBytesReceived == film.size)
      #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
      let rest = try #require(server.requests("/film").last?.headers)
      #expect(rest["range"] == "bytes=\(offset)-" && rest["if-range"] == (isTagged ? serving.tag : Self.modified))
      #expect(leftFiles.isEmpty)
    }
  }

  @Test func `the error of a failed download has resume data, which is used once`() async throws {
    try await withServer { server in
      let data = try #require(try await leftover(failing(after: 300_000), server))
      server.play("/film", .serve(serving()))
      let session = URLSession(configuration: .ephemeral)

      let (file, _) = try await session.download(resumeFrom: data)
      let (again, _) = try await session.download(resumeFrom: data)

      #expect(try Data(contentsOf: file) == Data(film.bytes) && Data(contentsOf: again) == Data(film.bytes))
      #expect(server.requests("/film").map { $0.headers["range"] } == [nil, "bytes=300000-", nil])
      for left in [file, again] { try FileManager.default.removeItem(at: left) }
    }
  }

  @Test func `a download that takes too long has resume data`() async throws {
    try await withServer { server in
      server.play("/film", .serve(serving { ($0.mishap, $0.mishapAfter) = (.stall, 300_000) }))
      let listener = Listener()
      let session = session(listener)
      let task = session.downloadTask(with: url("/film", server))
      task.resume()
      try await eventually("bytes have come") { task.countOfBytesReceived == 300_000 }

      try #require(session.carrier as? LocalCarrier).timeOut(task.taskIdentifier)
      _ = try await listener.whole()
      let data = try #require(listener.error?.downloadTaskResumeData)
      server.play("/film", .serve(serving()))
      let (file, _) = try await session.download(resumeFrom: data)

      #expect(listener.error?.code == .timedOut)
      #expect(try Data(contentsOf: file) == Data(film.bytes) && server.requests("/film").count == 2)
      try FileManager.default.removeItem(at: file)
    }
  }

  @Test func `a completion handler gets the whole file`() async throws {
    try await withServer { server in
      let data = try #require(try await leftover(failing(after: 300_000), server))
      server.play("/film", .serve(serving()))

      let bytes = await withCheckedContinuation { told in
        let session = URLSession(configuration: .ephemeral)
        session.downloadTask(withResumeData: data) { file, _, _ in
          told.resume(returning: file.flatMap { try? Data(contentsOf: $0) })
        }.resume()
      }

      #expect(bytes == Data(film.bytes) && server.requests("/film").count == 2)
    }
  }

  @Test func `a download that fails once more has resume data once more`() async throws {
    try await withServer { server in
      var data = try #require(try await leftover(failing(after: 100_000), server))
      let session = URLSession(configuration: .ephemeral)

      for offset in [200_000, 300_000] as [Int64] {
        let end = await Result { try await session.download(resumeFrom: data) }
        data = try #require(try #require(throws: URLError.self) { try end.get() }.downloadTaskResumeData)
        #expect(try read(data).point?.offset == offset)
      }
      server.play("/film", .serve(serving()))
      let (file, _) = try await session.download(resumeFrom: data)

      #expect(try Data(contentsOf: file) == Data(film.bytes))
      try FileManager.default.removeItem(at: file)
    }
  }

  private static let whole = Serving(Content(seed: 11, size: 700_000))

  private static func changed(to size: Int64) -> Serving {
    Serving(Content(seed: 12, size: size)).with { $0.tag = "\"new\"" }
  }

  private static let others = [
    changed(to: 500_000), changed(to: 700_000).with { $0.heedsIfRange = false },
    changed(to: 200_000).with { $0.heedsIfRange = false },
    whole.with { $0.announcedRange = "bytes 299999-699998/700000" }, whole.with { $0.hasRanges = false },
    whole.with { $0.mishandlesIfRange = true },
  ]

  @Test(arguments: others)
  func `no wrong byte comes of a server that answers otherwise`(now: Serving) async throws {
    try await withServer { server in
      let data = try #require(try await leftover(failing(after: 300_000), server))
      server.play("/film", .serve(now))

      let (file, response) = try await URLSession(configuration: .ephemeral).download(resumeFrom: data)

      #expect(try Data(contentsOf: file) == Data(now.content.bytes))
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      try FileManager.default.removeItem(at: file)
    }
  }

  @Test func `a file that had come whole ends with its last byte`() async throws {
    try await withServer { server in
      let cut = serving { ($0.mishap, $0.mishapAfter) = (.stall, film.size) }
      server.play("/film", .serve(cut.with { $0.announcedLength = film.size + 1 }))
      let first = session(Listener()).downloadTask(with: url("/film", server))
      first.resume()
      try await eventually("all has come") { first.countOfBytesReceived == film.size }
      let data = try #require(await first.cancelByProducingResumeData())
      server.play("/film", .serve(serving()))

      let (file, _) = try await URLSession(configuration: .ephemeral).download(resumeFrom: data)

      #expect(try Data(contentsOf: file) == Data(film.bytes))
      try FileManager.default.removeItem(at: file)
    }
  }

  @Test(arguments: [nil, "W/\"1\""])
  func `a download of no version that could be compared leaves nothing`(tag: String?) async throws {
    try await withServer { server in
      let data = try await leftover(failing(after: 300_000).with { $0.tag = tag }, server)

      #expect(data == nil)
      #expect(leftFiles.isEmpty)
    }
  }

  @Test func `a download that a redirect has made a GET of leaves nothing, since it would be asked for otherwise`()
    async throws
  {
    try await withServer { server in
      server.play("/order", .redirect(status: 303, to: "/film"))
      server.play("/film", .serve(failing(after: 300_000)))
      let order = URLRequest.post(url("/order", server))

      let end = await Result { try await URLSession(configuration: .ephemeral).download(for: order) }

      let error = try #require(throws: URLError.self) { try end.get() }
      #expect(error.downloadTaskResumeData == nil)
      #expect(leftFiles.isEmpty)
    }
  }

  @Test func `a body that came coded leaves nothing, since its ranges are not the file's`() async throws {
    try await withServer { server in
      let headers = ["Content-Encoding": "gzip", "ETag": "\"1\""]
      server.play("/zip", .bytes(Zip.gzip(film.bytes), headers: headers, announcing: 900_000))
      let listener = Listener()
      let task = session(listener).downloadTask(with: url("/zip", server))

      task.resume()
      _ = try await listener.whole()

      #expect(task.countOfBytesReceived > 0)
      #expect(listener.error != nil && listener.error?.downloadTaskResumeData == nil)
    }
  }

  @Test func `cancelled without a wish for resume data, a download leaves nothing`() async throws {
    try await withServer { server in
      server.play("/film", .serve(serving { ($0.mishap, $0.mishapAfter) = (.stall, 300_000) }))
      let listener = Listener()
      let task = session(listener).downloadTask(with: url("/film", server))
      task.resume()
      try await eventually("bytes have come") { task.countOfBytesReceived == 300_000 }

      task.cancel()
      _ = try await listener.whole()

      #expect(listener.error?.code == .cancelled && listener.error?.downloadTaskResumeData == nil)
      #expect(await task.cancelByProducingResumeData() == nil)
      #expect(leftFiles.isEmpty)
    }
  }

  @Test(arguments: [Guard(.basic), Guard(.digest(algorithm: "SHA-256"))])
  func `a password that the rest asks for keeps the beginning`(post: Guard) async throws {
    try await withServer { server in
      let data = try #require(try await leftover(failing(after: 300_000), server))
      server.play("/film", .guarded(post, then: .serve(serving())))

      let refused = await Result { try await URLSession(configuration: .ephemeral).download(resumeFrom: data) }
      let error = try #require(throws: URLError.self) { try refused.get() }
      let next = try #require(error.downloadTaskResumeData)
      let (file, _) = try await URLSession(configuration: .ephemeral).download(resumeFrom: next, delegate: Anna())

      #expect(error.code == .userAuthenticationRequired)
      #expect(try Data(contentsOf: file) == Data(film.bytes))
      #expect(server.requests("/film").last?.headers["range"] == "bytes=300000-")
      try FileManager.default.removeItem(at: file)
    }
  }

  @Test func `the data of a background session begins at the first byte, and the other way round`() async throws {
    try await withServer { server in
      let local = try #require(try await leftover(failing(after: 300_000), server))
      server.play("/film", .serve(serving()))
      let token = String(repeating: "ab", count: 16)
      let foreign =
        ResumeData.of(.init(token: token, offset: 7), request: URLRequest(url: url("/film", server))) ?? Data()
      let (world, seal) = (World(), Link.shared.seal)
      let moved = world.seal.sealed(try #require(seal.opened(local)))

      let (file, _) = try await URLSession(configuration: .ephemeral).download(resumeFrom: seal.sealed(foreign))
      world.session(of: world.newLife(), Recorder()).downloadTask(withResumeData: moved).resume()
      world.daemon.waitForCalls { $0.isEnqueue }

      #expect(try Data(contentsOf: file) == Data(film.bytes))
      #expect(world.daemon.enqueued.map(\.remnant) == [nil])
      #expect(world.daemon.enqueued.map(\.url) == [server.url("/film")])
      let (again, _) = try await URLSession(configuration: .ephemeral).download(resumeFrom: local)
      for left in [file, again] { try FileManager.default.removeItem(at: left) }
    }
  }

  @Test func `an upload of a background session is sent again from its first byte`() async throws {
    try await withServer { server in
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try Data(film.bytes).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      let remnant = AppInterface.Remnant(token: String(repeating: "ab", count: 16), offset: 7)
      let unsealed = ResumeData.of(remnant, request: .post(url("/upload/film", server)), file: file.path) ?? Data()
      let data = Link.shared.seal.sealed(unsealed)

      let (_, response) = try await URLSession(configuration: .ephemeral).upload(resumeFrom: data)
      try FileManager.default.removeItem(at: file)
      let gone = await Result { try await URLSession(configuration: .ephemeral).upload(resumeFrom: data) }

      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect(server.requests("/upload/film").map(\.bodyDigest) == [film.sha256])
      #expect(try #require(throws: URLError.self) { try gone.get() }.code == .fileDoesNotExist)
    }
  }

  @Test(arguments: [Data("not a property list".utf8), Data()])
  func `what was never given out fails with the reason`(data: Data) async throws {
    let download = await Result { try await URLSession(configuration: .ephemeral).download(resumeFrom: data) }
    let upload = await Result { try await URLSession(configuration: .ephemeral).upload(resumeFrom: data) }

    #expect(try #require(throws: URLError.self) { try download.get() }.code == .cannotDecodeRawData)
    #expect(try #require(throws: URLError.self) { try upload.get() }.code == .cannotDecodeRawData)
  }

  @Test(arguments: [nil, Provenance(text: "a.example/v1/film")])
  func `resume data says where its bytes have come from`(provenance: Provenance?) throws {
    var point = ResumePoint(offset: 7, validator: .entityTag("\"1\""), length: 10)
    point.provenance = provenance
    let remnant = LocalRemnant(token: String(repeating: "ab", count: 16), point: point)

    let data = try #require(ResumeData.of(remnant, request: URLRequest(url: World.film)))

    #expect(try ResumeData(data).point == point)
  }

  @Test(
    arguments: [
      ("../../etc", "\"1\"", 7), (String(repeating: "ab", count: 16), "\"1\"\r\nX: y", 7),
      (String(repeating: "ab", count: 16), "\"1\"", 0), (String(repeating: "ab", count: 16), "\"1\"", 10),
      (String(repeating: "AB", count: 16), "\"1\"", 7),
    ] as [(String, String, Int64)])
  func `what was forged is refused`(token: String, tag: String, offset: Int64) {
    let point = ResumePoint(offset: offset, validator: .entityTag(tag), length: 10)
    let data = ResumeData.of(LocalRemnant(token: token, point: point), request: URLRequest(url: World.film))

    #expect(throws: SessionFailure.self) { try ResumeData(#require(data)) }
  }
}

/// Knows the password.
private final class Anna: NSObject, URLSessionTaskDelegate, Sendable {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
    (.useCredential, URLCredential(user: "anna", password: "open sesame", persistence: .none))
  }
}
