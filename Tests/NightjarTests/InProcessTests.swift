import Patience
import Foundation
import ScriptedServer
import Synchronization
import Testing

import class FoundationNetworking.HTTPURLResponse
import class FoundationNetworking.URLProtocol
import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// Sessions of a default or ephemeral configuration, against a server on the loopback interface.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InProcessTests: LoopbackSuite {
  @Test func `an answer is awaited in memory and in a file`() async throws {
    try await withServer { server in
      let session = URLSession(configuration: .ephemeral)

      let (data, response) = try await session.data(from: url("/film", server))
      let (file, _) = try await session.download(from: url("/film", server))

      #expect(data == Data(film.bytes) && (response as? HTTPURLResponse)?.statusCode == 200)
      #expect(try Data(contentsOf: file) == Data(film.bytes))
      try FileManager.default.removeItem(at: file)
    }
  }

  @Test func `bodies are sent from memory, from a file and from a stream`() async throws {
    try await withServer { server in
      let body = Data(film.bytes)
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try body.write(to: file)
      let listener = Listener(answers: .init(stream: { InputStream(data: body) }))
      let session = session(listener)

      _ = try await session.upload(for: .post(url("/upload/data", server)), from: body)
      _ = try await session.upload(for: .post(url("/upload/file", server)), fromFile: file)
      session.uploadTask(withStreamedRequest: .post(url("/upload/stream", server))).resume()
      let heard = try await listener.whole()

      for name in ["data", "file", "stream"] {
        #expect(server.requests("/upload/\(name)").first?.bodyDigest == film.sha256, "\(name)")
      }
      #expect(heard.contains("stream") && heard.last == "done")
      try FileManager.default.removeItem(at: file)
    }
  }

  @Test func `an upload of a folder fails before anything is sent`() async throws {
    let address = try #require(URL(string: "http://127.0.0.1:1/film"))  // A port that nobody is given by chance.
    let folder = FileManager.default.temporaryDirectory

    let end = await Result {
      try await URLSession(configuration: .ephemeral).upload(for: .post(address), fromFile: folder)
    }

    let error = try #require(throws: URLError.self) { try end.get() }
    #expect(error.code == .cannotOpenFile && error.failingURL == address)
    #expect(error.localizedDescription.contains("is not a regular file"))
  }

  @Test(arguments: ["file:///nothing/here", "file:///dev/null/here", "http://films.example/etc/hostname"])
  func `an upload of a file that is not there fails, however it is made, and the process goes on`(
    address: String
  ) async throws {
    let (file, listener) = (try #require(URL(string: address)), Listener())
    let nobody = try #require(URL(string: "http://127.0.0.1:1/film"))  // A port that nobody is given by chance.

    let awaited = await Result {
      try await URLSession(configuration: .ephemeral).upload(for: .post(nobody), fromFile: file)
    }
    let handed = await withCheckedContinuation { told in
      session(Listener()).uploadTask(with: .post(nobody), fromFile: file) { told.resume(returning: $2) }.resume()
    }
    session(listener).uploadTask(with: .post(nobody), fromFile: file).resume()
    _ = try await listener.whole()

    let errors = [try #require(throws: URLError.self) { try awaited.get() }, handed as? URLError, listener.error]
    #expect(errors.map { $0?.code } == [URLError.Code?](repeating: .fileDoesNotExist, count: 3))
    #expect(errors.allSatisfy { $0?.failingURL == nobody && $0?.localizedDescription.contains(file.path) == true })
  }

  @Test func `a scheme in capital letters is loaded, whether the app or a server has named it`() async throws {
    try await withServer { server in
      server.play("/away", .redirect(to: "HTTP" + server.url("/film").dropFirst(4)))
      let address = try #require(URL(string: "Http" + server.url("/away").dropFirst(4)))

      let (data, response) = try await URLSession(configuration: .ephemeral).data(from: address)

      #expect(data == Data(film.bytes) && response.url == url("/film", server))
    }
  }

  @Test func `the delegate hears of a data task in order, on its queue`() async throws {
    try await withServer { server in
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      let listener = Listener(queue: queue)
      let task = session(listener).dataTask(with: url("/redirect/film", server))

      task.resume()
      let heard = try await listener.whole()

      #expect(heard == ["1 created", "302 to /film", "response 200", "data", "metrics", "done"])
      #expect(listener.data == Data(film.bytes))
      #expect(task.originalRequest?.url?.path == "/redirect/film" && task.currentRequest?.url?.path == "/film")
      #expect(task.countOfBytesReceived == film.size && task.progress.fractionCompleted == 1)
      #expect(task.state == .completed && (task.response as? HTTPURLResponse)?.statusCode == 200)
    }
  }

  @Test func `metrics count redirects and name every request`() async throws {
    try await withServer { server in
      let listener = Listener()
      session(listener).downloadTask(with: url("/redirect/film", server)).resume()
      _ = try await listener.whole()

      let metrics = try #require(listener.metrics)
      #expect(metrics.redirectCount == 1 && metrics.transactionMetrics.count == 2)
      #expect(metrics.transactionMetrics.map { $0.request.url?.path } == ["/redirect/film", "/film"])
      #expect(metrics.transactionMetrics.last?.countOfResponseBodyBytesAfterDecoding == film.size)
    }
  }

  @Test func `metrics name a redirect once that the delegate does not want followed`() async throws {
    try await withServer { server in
      let listener = Listener(answers: .init(toRedirect: { _ in nil }))
      session(listener).dataTask(with: url("/redirect/film", server)).resume()
      _ = try await listener.whole()

      let metrics = try #require(listener.metrics)
      #expect(metrics.redirectCount == 0)
      #expect(metrics.transactionMetrics.map { $0.request.url?.path } == ["/redirect/film"])
    }
  }

  @Test func `nothing is told while the delegate makes up its mind about an answer`() async throws {
    try await withServer { server in
      let answer = Kept<@Sendable (URLSession.ResponseDisposition) -> Void>()
      let listener = Listener(answers: .init(toResponse: { answer.value = $0 }))
      let session = session(listener)
      let task = session.dataTask(with: url("/film", server))
      task.resume()
      let local = try #require(session.carrier as? LocalCarrier)
      try await eventually("everything has come") {
        local.state.withLock { state in
          state.tasks[1]?.inbox.elements.contains { if case .ended = $0 { true } else { false } } == true
        }
      }
      try await eventually("the delegate is asked") { answer.value != nil }
      let meanwhile = listener.heard

      answer.value?(.allow)
      let heard = try await listener.whole()

      #expect(meanwhile == ["1 created", "response 200"])
      #expect(heard == meanwhile + ["data", "metrics", "done"] && listener.data == Data(film.bytes))
    }
  }

  @Test func `an answer that is not wanted ends the task`() async throws {
    try await withServer { server in
      let listener = Listener(answers: .init(toResponse: { $0(.cancel) }))

      session(listener).dataTask(with: url("/slow/1/1000000/1000", server)).resume()
      let heard = try await listener.whole()

      #expect(heard.last == "failed -999" && !heard.contains("done"))
    }
  }

  @Test func `a data task becomes a download with every byte`() async throws {
    try await withServer { server in
      let listener = Listener(answers: .init(toResponse: { $0(.becomeDownload) }))

      session(listener).dataTask(with: url("/film", server)).resume()
      let heard = try await listener.whole()

      #expect(heard == ["1 created", "response 200", "1 became 1", "file", "metrics", "done"])
      #expect(listener.file == Data(film.bytes) && listener.data.isEmpty)
    }
  }

  @Test func `a redirect that is refused is the answer`() async throws {
    try await withServer { server in
      let listener = Listener(answers: .init(toRedirect: { _ in nil }))
      let task = session(listener).downloadTask(with: url("/redirect/film", server))

      task.resume()
      let heard = try await listener.whole()

      #expect((task.response as? HTTPURLResponse)?.statusCode == 302)
      #expect(heard.suffix(3) == ["file", "metrics", "done"] && server.requests("/film").isEmpty)
    }
  }

  @Test func `a redirect to another host takes no credentials along`() async throws {
    try await withServer { other in
      try await withServer { server in
        server.play("/away", .redirect(to: other.url("/film")))
        var request = URLRequest(url: url("/away", server))
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        request.setValue("kept", forHTTPHeaderField: "X-Kept")

        _ = try await URLSession(configuration: .ephemeral).data(for: request)

        let seen = try #require(other.requests("/film").first)
        #expect(server.requests("/away").first?.headers["authorization"] == "Bearer secret")
        #expect(seen.headers["authorization"] == nil && seen.headers["x-kept"] == "kept")
      }
    }
  }

  @Test func `bytes come one by one and as lines`() async throws {
    try await withServer { server in
      server.play("/lines", .answer(status: 200, body: "one\r\ntwo\n\nthree"))
      let session = URLSession(configuration: .ephemeral)

      let (bytes, _) = try await session.bytes(from: url("/film", server))
      var count = 0
      for try await _ in bytes { count += 1 }
      var lines: [String] = []
      for try await line in try await session.bytes(from: url("/lines", server)).0.lines { lines.append(line) }

      #expect(Int64(count) == film.size && lines == ["one", "two", "three"])
    }
  }

  @Test func `bytes that nobody wants any more are no longer loaded`() async throws {
    try await withServer { server in
      server.play("/film", .serve(Serving(film).with { ($0.mishap, $0.mishapAfter) = (.stall, 300_000) }))

      let task = try await URLSession(configuration: .ephemeral).bytes(from: url("/film", server)).0.task
      try await eventually("the load ends") { task.state == .completed }

      #expect((task.error as? URLError)?.code == .cancelled)
    }
  }

  @Test func `a feed that nobody reads keeps nothing`() async throws {
    let feed = ByteFeed()
    feed.received(Data("before".utf8))

    feed.close()
    feed.received(Data("after".utf8))
    feed.ended(nil)

    #expect(try await feed.next() == nil)
  }

  @Test func `the delegate of an async call hears of its task's making, or hands that on`() async throws {
    final class Silent: NSObject, URLSessionTaskDelegate, Sendable {}
    try await withServer { server in
      let (general, own) = (Listener(), Listener(name: "own "))
      let session = session(general)

      _ = try await session.data(from: url("/film", server), delegate: own)
      _ = try await session.bytes(from: url("/film", server), delegate: own)
      let meanwhile = general.heard
      _ = try await session.data(from: url("/film", server), delegate: Silent())

      #expect(own.heard.filter { $0.hasSuffix("created") } == ["own 1 created", "own 2 created"])
      #expect(meanwhile.isEmpty && general.heard == ["3 created", "metrics"])
    }
  }

  @Test func `a task's own delegate hears first, and hands on what it leaves out`() async throws {
    final class Own: NSObject, URLSessionTaskDelegate, Sendable {
      let listener: Listener
      init(_ listener: Listener) { self.listener = listener }
      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        listener.urlSession(session, task: task, didCompleteWithError: error)
      }
    }
    try await withServer { server in
      let (general, own) = (Listener(), Listener(name: "own "))
      let task = session(general).dataTask(with: url("/redirect/film", server))
      task.delegate = Own(own)

      task.resume()
      _ = try await own.whole()

      #expect(own.heard == ["own done"])
      #expect(general.heard == ["1 created", "302 to /film", "response 200", "data", "metrics"])
      try await eventually("the delegate is let go") { task.delegate == nil }
    }
  }

  @Test func `what a task's own delegate leaves out is asked on the delegate queue, and the first answer counts`()
    async throws
  {
    final class Own: NSObject, URLSessionDataDelegate, Sendable {}
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let general = Listener(queue: queue, answers: .init(toResponse: { for _ in 1...2 { $0(.allow) } }))
    try await withServer { server in
      let task = session(general).dataTask(with: url("/redirect/film", server))
      task.delegate = Own()

      task.resume()

      let heard = try await general.whole()

      #expect(heard == ["1 created", "302 to /film", "response 200", "data", "metrics", "done"])
    }
  }

  @Test func `a server that is not there is an error with its URL`() async throws {
    let address = try #require(URL(string: "http://127.0.0.1:1/film"))  // A port that nobody is given by chance.

    let end = await Result { try await URLSession.shared.data(from: address) }

    let error = try #require(throws: URLError.self) { try end.get() }
    #expect(error.code == .cannotConnectToHost && error.failingURL == address)
  }

  @Test func `a protocol handler of the configuration answers data tasks and downloads`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [MadeUpAnswers.self]
    let session = URLSession(configuration: configuration)

    let (data, response) = try await session.data(from: World.film)
    let (file, _) = try await session.download(from: World.film)

    #expect(data == Data("made up".utf8) && (response as? HTTPURLResponse)?.statusCode == 203)
    #expect(try String(contentsOf: file, encoding: .utf8) == "made up")
    try FileManager.default.removeItem(at: file)
  }
}

/// A protocol handler as apps' tests have it.
final class MadeUpAnswers: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url,
      let response = HTTPURLResponse(url: url, statusCode: 203, httpVersion: "HTTP/1.1", headerFields: [:])
    else { return }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data("made up".utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}
