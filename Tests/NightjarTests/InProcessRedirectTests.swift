import Foundation
import Patience
import ScriptedServer
import Synchronization
import Testing

import class FoundationNetworking.HTTPURLResponse
import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// Redirects that tasks in this process follow, are slow to follow, or cannot.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InProcessRedirectTests: LoopbackSuite {
  @Test func `a task that is suspended while a redirect is unanswered asks again when it goes on`() async {
    await #expect(processExitsWith: .success) {
      let suite = InProcessRedirectTests()
      try await suite.withServer { server in
        let (listener, hesitant) = (Listener(), Hesitant())
        let task = suite.session(listener).dataTask(with: suite.url("/redirect/film", server))
        task.delegate = hesitant
        task.resume()
        let first = try await hesitant.question()

        task.suspend()
        first.answer(first.request)
        task.resume()
        let second = try await hesitant.question()
        second.answer(second.request)
        _ = try await listener.whole()

        #expect(listener.data == Data(suite.film.bytes))
      }
    }
  }

  @Test func `a redirect that was not told yet is forgotten when the task is suspended`() throws {
    let task = URLSession(configuration: .ephemeral).dataTask(with: World.film)
    let response = try #require(HTTPURLResponse(url: World.film, statusCode: 302, httpVersion: nil, headerFields: nil))
    var record = LocalTask(task, .request, .delegate, .fresh)
    record.note(.redirected(response, URLRequest(url: World.film)) { _ in })

    _ = record.part()

    #expect(record.inbox.isEmpty)
  }

  @Test func `a redirect may be answered after its request has timed out`() async {
    await #expect(processExitsWith: .success) {
      let suite = InProcessRedirectTests()
      try await suite.withServer { server in
        for isFollowed in [true, false] {
          let (listener, hesitant) = (Listener(), Hesitant())
          let session = suite.session(listener)
          var request = URLRequest(url: suite.url("/redirect/film", server))
          request.timeoutInterval = 15  // Within which a busy machine has asked, too.
          let task = session.dataTask(with: request)
          task.delegate = hesitant
          task.resume()
          let question = try await hesitant.question()
          let local = try #require(session.carrier as? LocalCarrier)
          try await eventually("the request times out") {
            local.state.withLock { $0.tasks[1]?.foreign?.response != nil }
          }

          var next = question.request
          next.timeoutInterval = 60
          question.answer(isFollowed ? next : nil)
          let heard = try await listener.whole()

          let told = isFollowed ? ["response 200", "data"] : ["response 302"]
          #expect(heard == ["1 created"] + told + ["metrics", "done"])
        }
      }
    }
  }

  @Test(arguments: [
    ("POST", 307), ("POST", 308), ("PUT", 301), ("PUT", 302), ("PUT", 307), ("PATCH", 302), ("PATCH", 308),
  ])
  func `a body is sent again where a redirect keeps the method`(method: String, status: Int) async throws {
    try await withServer { server in
      server.play("/moved", .redirect(status: status, to: "/there"))
      server.play("/there", .take())
      let body = Data(film.bytes)
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try body.write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      var request = URLRequest(url: url("/moved", server))
      request.httpMethod = method
      let session = URLSession(configuration: .ephemeral)

      _ = try await session.upload(for: request, from: body)
      _ = try await session.upload(for: request, fromFile: file)
      request.httpBody = body
      _ = try await session.data(for: request)
      let (answer, _) = try await session.download(for: request)
      try FileManager.default.removeItem(at: answer)

      let seen = server.requests("/there")
      #expect(seen.map(\.method) == Array(repeating: method, count: 4))
      #expect(seen.map(\.bodyDigest) == Array(repeating: film.sha256, count: 4))
    }
  }

  @Test func `a stream is asked for again where a redirect keeps the method`() async throws {
    try await withServer { server in
      server.play("/moved", .redirect(status: 307, to: "/there"))
      server.play("/there", .take())
      let body = Data(film.bytes)
      let (asking, own) = (Listener(answers: .init(stream: { InputStream(data: body) })), Listener())
      var request = URLRequest.post(url("/moved", server))

      session(asking).uploadTask(withStreamedRequest: request).resume()
      request.httpBodyStream = InputStream(data: body)
      session(own).dataTask(with: request).resume()

      let asked = try await asking.whole().prefix(4)
      let end = try await own.whole().last

      #expect(asked == ["1 created", "stream", "307 to /there", "stream"])
      #expect(end == "failed \(URLError.Code.requestBodyStreamExhausted.rawValue)")
      #expect(server.requests("/there").map(\.bodyDigest) == [film.sha256])
    }
  }

  @Test func `a body that the delegate puts into the next request is sent`() async throws {
    try await withServer { server in
      server.play("/moved", .redirect(to: "/there"))
      server.play("/there", .take())
      let listener = Listener(
        answers: .init(toRedirect: { next in
          var next = next
          (next.httpMethod, next.httpBody) = ("PUT", Data("a letter".utf8))
          return next
        }))

      session(listener).dataTask(with: url("/moved", server)).resume()
      _ = try await listener.whole()

      #expect(server.requests("/there").map(\.method) == ["PUT"])
      #expect(server.requests("/there").map(\.bodyLength) == [8])
    }
  }

  @Test(arguments: [
    ("/away/b", 20), ("/b", 20), ("file:///etc/passwd", 0), ("http://[/", 0), ("http://a b/", 0),
    ("http://127.0.0.1:x/", 0), ("http://%zz/", 0),
  ])
  func `redirects that never end, or lead nowhere, end the task`(location: String, count: Int) async throws {
    try await withServer { server in
      server.play("/b", .redirect(status: 307, to: location))
      server.play("/away/b", .redirect(status: 307, to: "../b"))
      let listener = Listener()
      let session = session(listener)

      session.uploadTask(with: .post(url("/b", server)), from: Data("a letter".utf8)).resume()
      let heard = try await listener.whole()
      session.finishTasksAndInvalidate()

      let code: URLError.Code = count == 0 ? .redirectToNonExistentLocation : .httpTooManyRedirects
      #expect(heard.count { $0.hasPrefix("307") } == count && heard.last == "failed \(code.rawValue)")
      #expect(server.requests("/b").count + server.requests("/away/b").count == count + 1)
      #expect(listener.error?.failingURL == url("/b", server))
      try await eventually("the session has ended") { listener.heard.last == "invalid" }
    }
  }

  @Test(arguments: [301, 302, 303, 305, 306, 307, 308])
  func `a redirect that leads nowhere is the answer`(status: Int) async throws {
    try await withServer { server in
      server.play("/nowhere", .answer(status: status, body: "lost"))
      let listener = Listener()
      let session = session(listener)

      session.dataTask(with: url("/nowhere", server)).resume()
      let heard = try await listener.whole()
      let (_, response) = try await session.bytes(from: url("/nowhere", server))

      #expect(heard == ["1 created", "response \(status)", "metrics", "done"])
      #expect((response as? HTTPURLResponse)?.statusCode == status)
    }
  }

  @Test(arguments: [300, 305, 306])
  func `what is no redirect of HTTP's is the answer, whatever location it names`(status: Int) async throws {
    try await withServer { server in
      server.play("/nowhere", .redirect(status: status, to: "/film"))
      let listener = Listener()

      session(listener).dataTask(with: url("/nowhere", server)).resume()
      let heard = try await listener.whole()

      #expect(heard.filter { $0 != "data" } == ["1 created", "response \(status)", "metrics", "done"])
      #expect(server.requests("/film").isEmpty)
    }
  }

  @Test func `a body that is sent again is counted again, and what is sent belongs to its request`() async throws {
    try await withServer { server in
      server.play("/again", .redirect(status: 307, to: "/moved"))
      server.play("/moved", .redirect(status: 303, to: "/film"))
      let teller = Teller()
      let session = URLSession(configuration: .ephemeral)

      let request = URLRequest.post(url("/again", server))
      _ = try await session.upload(for: request, from: Data(film.bytes), delegate: teller)

      #expect(teller.sent.value == 2 * film.size)
      let transactions = try #require(teller.metrics.value?.transactionMetrics)
      let words = transactions.map { "\($0.request.httpMethod ?? "") \($0.request.url?.path ?? "")" }
      #expect(words == ["POST /again", "POST /moved", "GET /film"])
      #expect(transactions.map(\.countOfRequestBodyBytesSent) == [film.size, film.size, 0])
    }
  }
}

/// Adds up what it hears of bytes that were sent.
private final class Teller: NSObject, URLSessionTaskDelegate, Sendable {
  let sent = Kept<Int64>()
  let metrics = Kept<URLSessionTaskMetrics>()

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) { sent.value = (sent.value ?? 0) + bytesSent }

  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    self.metrics.value = metrics
  }
}

/// Takes its time over redirects.
private final class Hesitant: NSObject, URLSessionTaskDelegate, Sendable {
  struct Question: Sendable {
    let request: URLRequest
    let answer: @Sendable (URLRequest?) -> Void
  }

  private let asked = Kept<Question>()

  /// Waits for the next question.
  func question() async throws -> Question {
    let question = try await eventually("the delegate is asked") { asked.value }
    asked.value = nil
    return question
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { asked.value = Question(request: request, answer: completionHandler) }
}
