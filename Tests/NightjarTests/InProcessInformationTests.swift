import Foundation
import ScriptedServer
import Testing

import class FoundationNetworking.HTTPURLResponse

@testable import Nightjar

/// What servers say to tasks in this process before they answer.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InProcessInformationTests: LoopbackSuite {
  @Test func `what a server says before its answer is told apart from it`() async throws {
    try await withServer { server in
      server.play("/early", .inform(status: 103, times: 2, then: .answer(status: 200, body: "open")))
      server.play("/feed", .inform(status: 103, times: 1, then: .answer(status: 200, body: "open")))
      let listener = Listener()
      let session = session(listener)

      session.dataTask(with: url("/early", server)).resume()
      let heard = try await listener.whole()
      let (bytes, response) = try await session.bytes(from: url("/feed", server))
      var fed = Data()
      for try await byte in bytes { fed.append(byte) }

      #expect(heard == ["1 created", "informed 103", "informed 103", "response 200", "data", "metrics", "done"])
      #expect(listener.data == Data("open".utf8) && fed == listener.data)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
  }

  @Test func `a server that says something and then goes away has not answered`() async throws {
    try await withServer { server in
      server.play("/early", .raw("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"))
      let listener = Listener()
      let task = session(listener).dataTask(with: url("/early", server))

      task.resume()
      let heard = try await listener.whole()

      #expect(heard.dropFirst().first == "informed 103" && heard.last?.hasPrefix("failed") == true)
      #expect(task.response == nil && !heard.contains { $0.hasPrefix("response") })
    }
  }

  @Test func `a redirect is followed and refused as ever after a server has said something before it`() async throws {
    try await withServer { server in
      let moved = Script.answer(status: 302, headers: ["Location": "/film"], body: "moved")
      let script = Script.inform(status: 103, times: 1, then: moved)
      server.play("/early", script, script)
      let (follower, stayer) = (Listener(), Listener(answers: .init(toRedirect: { _ in nil })))
      let refused = session(stayer).dataTask(with: url("/early", server))

      session(follower).dataTask(with: url("/early", server)).resume()
      let followed = try await follower.whole()
      refused.resume()
      let stayed = try await stayer.whole()

      #expect(followed == ["1 created", "informed 103", "302 to /film", "response 200", "data", "metrics", "done"])
      #expect(stayed == ["1 created", "informed 103", "302 to /film", "response 302", "data", "metrics", "done"])
      #expect(stayer.data == Data("moved".utf8))
      #expect((refused.response as? HTTPURLResponse)?.statusCode == 302 && server.requests("/early").count == 2)
    }
  }
}
