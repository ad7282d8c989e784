import Foundation
import Patience
import ScriptedServer
import Testing

import class FoundationNetworking.HTTPURLResponse
import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// How tasks and sessions of a default or ephemeral configuration pause and end.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InProcessEndTests: LoopbackSuite {
  @Test func `cancelling the surrounding task cancels the transfer`() async throws {
    try await withServer { server in
      let session = URLSession(configuration: .ephemeral)
      let address = url("/slow/1/1000000/1000", server)
      let waiting = Task { try await session.data(from: address) }
      try await eventually("the request has come") { !server.requests("/slow/1/1000000/1000").isEmpty }

      waiting.cancel()
      let end = await waiting.result

      let error = try #require(throws: URLError.self) { try end.get() }
      #expect(error.code == .cancelled)
    }
  }

  @Test func `a cancelled task says so in words, and of which URL it was`() async throws {
    let listener = Listener()
    let task = session(listener).dataTask(with: World.film)

    task.cancel()
    _ = try await listener.whole()

    #expect(listener.error?.localizedDescription == "cancelled" && listener.error?.failingURL == World.film)
    #expect(listener.error?.userInfo[NSLocalizedDescriptionKey] as? String == "cancelled")
  }

  @Test(arguments: [
    (URLError.Code.timedOut, "The request timed out."), (.cannotConnectToHost, "Could not connect to the server."),
    (.dnsLookupFailed, "The operation could not be completed. (NSURLErrorDomain error -1006.)"),
  ])
  func `an error without words is given Apple's, or else Foundation's`(code: URLError.Code, words: String) {
    let error = URLError(code).telling(World.film)

    #expect(error.userInfo[NSLocalizedDescriptionKey] as? String == words && error.failingURL == World.film)
    #expect(error.localizedDescription == words)
  }

  @Test func `an error keeps the words that it has`() {
    let error = URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "no answer in time"]).telling(World.film)

    #expect(error.localizedDescription == "no answer in time")
  }

  @Test func `a session that is finished ends after its tasks, and keeps its delegate no longer`() async throws {
    try await withServer { server in
      let listener = Listener()
      let session = session(listener)
      session.downloadTask(with: url("/film", server)).resume()

      session.finishTasksAndInvalidate()
      try await eventually("the session ends") { listener.heard.last == "invalid" }

      #expect(listener.heard == ["1 created", "file", "metrics", "done", "invalid"])
      try await eventually("the delegate is let go") { session.delegate == nil }
    }
  }

  @Test(arguments: ["/film", "/slow/1/1000000/1000"])
  func `a task that is cancelled while its delegate makes up its mind ends without the answer`(
    path: String
  ) async throws {
    try await withServer { server in
      let answer = Kept<@Sendable (URLSession.ResponseDisposition) -> Void>()
      let listener = Listener(answers: .init(toResponse: { answer.value = $0 }))
      let session = session(listener)
      let task = session.dataTask(with: url(path, server))
      task.resume()
      try await eventually("the delegate is asked") { answer.value != nil }

      task.cancel()
      let heard = try await listener.whole()
      session.finishTasksAndInvalidate()
      try await eventually("the session ends") { listener.heard.last == "invalid" }
      answer.value?(.becomeDownload)
      await session.flush()

      #expect(heard == ["1 created", "response 200", "metrics", "failed -999"])
      #expect(listener.heard == heard + ["invalid"])
    }
  }

  @Test func `a task that is cancelled when it was to become a download ends as what it was`() async throws {
    try await withServer { server in
      let begun = Kept<URLSessionTask>()
      let listener = Listener(
        answers: .init(toResponse: {
          $0(.becomeDownload)
          begun.value?.cancel()
        }))
      let task = session(listener).dataTask(with: url("/film", server))
      begun.value = task

      task.resume()
      let heard = try await listener.whole()
      await task.session.flush()

      #expect(heard == ["1 created", "response 200", "metrics", "failed -999"])
      #expect(listener.heard == heard && task.state == .completed)
    }
  }

  @Test func `a task that is suspended before it begins waits for as many resumes`() async throws {
    try await withServer { server in
      let listener = Listener()
      let task = session(listener).downloadTask(with: url("/film", server))

      task.suspend()
      task.resume()
      #expect(task.state == .suspended && server.requests("/film").isEmpty)
      task.resume()
      _ = try await listener.whole()

      #expect(listener.file == Data(film.bytes))
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `a task that is suspended halfway goes on with the right bytes`(isDownload: Bool, hasRanges: Bool) async throws {
    try await withServer { server in
      let serving = Serving(film).with { $0.hasRanges = hasRanges }
      server.play("/slow", .serve(serving.with { ($0.mishap, $0.mishapAfter) = (.stall, 300_000) }), .serve(serving))
      let listener = Listener()

      let heard = try await load("/slow", of: server, isDownload: isDownload, pausingAt: 300_000, listener)

      #expect((isDownload ? listener.file : listener.data) == Data(film.bytes), "heard \(heard)")
      #expect(server.requests("/slow").count == 2)
    }
  }

  @Test func `a task that is suspended before its first byte is told of its answer once`() async throws {
    try await withServer { server in
      let serving = Serving(film)
      server.play("/slow", .serve(serving.with { ($0.mishap, $0.mishapAfter) = (.stall, 0) }), .serve(serving))
      let listener = Listener()
      let task = session(listener).dataTask(with: url("/slow", server))
      task.resume()
      try await eventually("the answer has come") { listener.heard.last == "response 200" }

      task.suspend()
      task.resume()
      let heard = try await listener.whole()

      #expect(heard == ["1 created", "response 200", "data", "metrics", "done"])
      #expect(listener.data == Data(film.bytes) && server.requests("/slow").count == 2)
    }
  }

  @Test(arguments: [
    (200, ["ETag": "\"1\""], LocalParting.Reading.goOn), (200, ["ETag": "\"2\""], .lost), (200, [:], .lost),
    (404, ["ETag": "\"1\""], .lost),
  ])
  func `before its first byte a task goes on with the answer that its delegate knows, and with no other`(
    status: Int, fields: [String: String], reading: LocalParting.Reading
  ) throws {
    var parting = LocalParting()
    let first = try #require(Self.head(200, ["ETag": "\"1\""]))

    _ = parting.request(URLRequest(url: World.film))
    let told = parting.read(first, hasFile: false)
    _ = parting.request(URLRequest(url: World.film))
    let later = parting.read(try #require(Self.head(status, fields)), hasFile: false)

    #expect(told == .tell && later == reading)
  }

  @Test func `an answer of no known version can go on only before its first byte`() throws {
    var parting = LocalParting()
    let head = try #require(Self.head(200, [:]))

    let readings = [0, 0, 1].map { count in
      _ = parting.request(URLRequest(url: World.film))
      defer { _ = parting.take(Data(count: count)) }
      return parting.read(head, hasFile: false)
    }
    let last = parting.read(head, hasFile: false)

    #expect(readings == [.tell, .goOn, .goOn] && last == .lost)
  }

  @Test(arguments: [
    ("https://a.example/v1/film", LocalParting.Reading.goOn), ("https://a.example/v1/film?sign=2", .goOn),
    ("https://b.example/mirror/film", .goOn), ("https://a.example/v2/film", .askForWhole),
  ])
  func `the rest is taken only from where a redirect led before`(url: String, reading: LocalParting.Reading) throws {
    var parting = try partedHalfway(from: "https://a.example/v1/film?sign=1", hasFile: true)
    _ = parting.request(URLRequest(url: World.film))

    let found = parting.read(try #require(Self.head(206, Self.rest, from: url)), hasFile: true)

    #expect(found == reading)
  }

  @Test func `data goes on with the whole of the same version where a redirect leads to another path each time`() throws
  {
    var parting = try partedHalfway(from: "https://cdn.example/one/film", hasFile: false)
    let film = URLRequest(url: World.film)

    let asked = parting.request(film)
    let refused = parting.read(
      try #require(Self.head(206, Self.rest, from: "https://cdn.example/two/film")), hasFile: false)
    let askedAgain = parting.request(film)
    let taken = parting.read(
      try #require(Self.head(200, Self.whole, from: "https://cdn.example/three/film")), hasFile: false)

    #expect([asked, askedAgain].map { $0.value(forHTTPHeaderField: "Range") } == ["bytes=60-", nil])
    #expect(refused == .askForWhole && taken == .goOn)
    #expect(parting.take(Data(count: 100)).count == 40)
  }

  /// A load of which 60 bytes of 100 have come from a place.
  private func partedHalfway(from url: String = World.film.absoluteString, hasFile: Bool) throws -> LocalParting {
    var parting = LocalParting()
    _ = parting.request(URLRequest(url: World.film))
    _ = parting.read(try #require(Self.head(200, Self.whole, from: url)), hasFile: hasFile)
    _ = parting.take(Data(count: 60))
    return parting
  }

  private static let whole = ["ETag": "\"1\"", "Content-Length": "100"]
  private static let rest = ["ETag": "\"1\"", "Content-Length": "40", "Content-Range": "bytes 60-99/100"]

  private static func head(
    _ status: Int, _ fields: [String: String], from url: String = World.film.absoluteString
  ) -> HTTPURLResponse? {
    URL(string: url).flatMap {
      HTTPURLResponse(url: $0, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
    }
  }

  @Test(arguments: ["Basic realm=\"x\"", "Bearer", nil])
  func `a password that the server refuses is not kept, whatever it says of what it wants`(challenge: String?) throws {
    var credentials = LocalCredentials()
    let first = try #require(Self.head(401, ["WWW-Authenticate": "Basic realm=\"x\""]))
    let second = try #require(Self.head(401, challenge.map { ["WWW-Authenticate": $0] } ?? [:]))
    let offer = try #require(credentials.read(first)?.offers.first)
    credentials.show(URLCredential(user: "u", password: "no", persistence: .forSession), for: offer, with: nil)
    _ = credentials.signed(URLRequest(url: World.film))

    _ = credentials.read(second)

    #expect(credentials.takeKept() == nil)
  }

  @Test func `nothing of an answer is left out for an earlier one that was broken off`() throws {
    var parting = LocalParting()
    let (film, version) = (URLRequest(url: World.film), ["ETag": "\"1\"", "Content-Length": "300000"])
    _ = parting.request(film)
    _ = parting.read(try #require(Self.head(200, version)), hasFile: true)
    _ = parting.take(Data(count: 200_000))
    _ = parting.request(film)
    let again = parting.read(try #require(Self.head(200, version)), hasFile: true)
    let known = parting.take(Data(count: 10))
    _ = parting.request(film)

    let other = parting.read(try #require(Self.head(200, ["ETag": "\"2\""])), hasFile: true)

    #expect(again == .goOn && known.isEmpty && other == .beginAnew)
    #expect(parting.take(Data(count: 100)).count == 100)
  }

  @Test func `data begins with its first index, whatever was left out of it`() throws {
    var parting = try partedHalfway(hasFile: false)
    _ = parting.request(URLRequest(url: World.film))
    _ = parting.read(try #require(Self.head(200, Self.whole)), hasFile: false)

    let new = parting.take(Data(count: 80))

    #expect(new.startIndex == 0 && new.count == 20)
  }

  @Test func `what a process that was killed has left half downloaded goes after a day, and nothing else`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (writing, left, fresh) = (FileSink(in: folder), FileSink.freshPath(in: folder), FileSink.freshPath(in: folder))
    let other = folder + "/film.tmp"
    for path in [left, fresh, other] { try Data("film".utf8).write(to: URL(fileURLWithPath: path)) }
    let date = timespec(tv_sec: time(nil) - 100_000, tv_nsec: 0)
    for path in [writing.path, left, other] { utimensat(AT_FDCWD, path, [date, date], 0) }

    FileSink.sweep(folder)

    let names = try FileManager.default.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
    #expect(Set(names) == [writing.path, fresh, other])
  }

  @Test func `what a request does is done once, though its task is suspended halfway`() async throws {
    try await withServer { server in
      server.play("/order", .serve(Serving(film).with { ($0.mishap, $0.mishapAfter) = (.hold, 300_000) }))
      let listener = Listener()
      let task = session(listener).dataTask(with: .post(url("/order", server)))
      task.resume()
      try await eventually("bytes have come") { task.countOfBytesReceived == 300_000 }

      task.suspend()
      task.resume()
      server.release("/order")
      let heard = try await listener.whole()

      #expect(listener.data == Data(film.bytes), "heard \(heard)")
      #expect(server.requests("/order").map(\.method) == ["POST"])
    }
  }

  @Test(arguments: [
    Script.serve(Serving(Content(seed: 11, size: 1000)).with { ($0.mishap, $0.mishapAfter) = (.cut, 500) }),
    .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), .hangUp,
  ])
  func `a server that goes away before its answer has ended is a lost connection`(script: Script) async throws {
    try await withServer { server in
      server.play("/film", script)

      let end = await Result { try await URLSession(configuration: .ephemeral).data(from: url("/film", server)) }

      let error = try #require(throws: URLError.self) { try end.get() }
      #expect(error.code == .networkConnectionLost)
    }
  }

  @Test func `a task that was never begun is cancelled`() async throws {
    let listener = Listener()
    let task = session(listener).dataTask(with: World.film)

    task.cancel()

    #expect(try await listener.whole() == ["1 created", "failed -999"] && listener.error?.failingURL == World.film)
  }
}
