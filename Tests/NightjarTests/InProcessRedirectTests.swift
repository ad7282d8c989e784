import Foundation
import Patience
import ScriptedServer
import Synchronization
import Testing

import class FoundationNetworking.HTTPURLResponse
import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// Redirects that tasks in this process are slow to follow, or cannot.
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
          request.timeoutInterval = 4
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
