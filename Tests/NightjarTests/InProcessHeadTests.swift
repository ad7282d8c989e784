import Foundation
import ScriptedServer
import Testing

import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// No method and no header field of a task in this process becomes two, wherever it comes from. `setValue` itself drops
/// a value with a line break; `allHTTPHeaderFields` takes it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InProcessHeadTests: LoopbackSuite {
  private static let smuggled = [
    "1\r\nX-Smuggled: 1", "1\nX-Smuggled: 1", "1\r\n\r\nGET /film HTTP/1.1\r\n\r\n", "1\rX-Smuggled: 1", "1\0",
  ]

  /// The error of a load, whose server has a film.
  private func refusal(
    _ configuration: URLSessionConfiguration = .ephemeral, _ request: (HTTPTestServer) -> URLRequest
  ) async throws -> URLError {
    var error: URLError?
    try await withServer { server in
      let end = await Result { try await URLSession(configuration: configuration).data(for: request(server)) }
      error = try #require(throws: URLError.self) { try end.get() }
      #expect(server.requests("/film").isEmpty)
    }
    return try #require(error)
  }

  @Test(arguments: smuggled) func `a field's value with a line break or a NUL is not sent`(value: String) async throws {
    let error = try await refusal { server in
      var request = URLRequest(url: url("/film", server))
      request.allHTTPHeaderFields = ["X-Name": value]
      return request
    }

    #expect(error.code == .badURL && error.failingURL?.path == "/film")
    #expect(error.localizedDescription.contains("'X-Name' is not a header field that can be sent"))
  }

  @Test(arguments: ["X-Name: 1\r\nX-Smuggled", "X Name", "X-Name:"])
  func `a field's name that is none is not sent`(name: String) async throws {
    let error = try await refusal { server in
      var request = URLRequest(url: url("/film", server))
      request.setValue("1", forHTTPHeaderField: name)
      return request
    }

    #expect(error.code == .badURL)
  }

  @Test(arguments: ["GET /other HTTP/1.1\r\nX-Smuggled: 1\r\n\r\nGET", "GE T", "TRACE"])
  func `a method that is none, or transfers nothing, is not sent`(method: String) async throws {
    let error = try await refusal { server in
      var request = URLRequest(url: url("/film", server))
      request.httpMethod = method
      return request
    }

    #expect(error.code == .badURL)
  }

  @Test func `a session's field with a line break is left out`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Name": Self.smuggled[0], "X-Other": "2"]

    try await withServer { server in
      _ = try await URLSession(configuration: configuration).data(from: url("/film", server))

      let headers = try #require(server.requests("/film").first?.headers)
      #expect(headers["x-other"] == "2" && headers["x-name"] == nil && headers["x-smuggled"] == nil)
    }
  }

  @Test func `a field with a line break that a delegate gives the request after a redirect is not sent`() async throws {
    try await withServer { server in
      let listener = Listener(
        answers: .init(toRedirect: { next in
          var next = next
          next.allHTTPHeaderFields = ["X-Name": Self.smuggled[0]]
          return next
        }))

      session(listener).dataTask(with: url("/redirect/film", server)).resume()
      let heard = try await listener.whole()

      #expect(heard == ["1 created", "302 to /film", "metrics", "failed \(URLError.Code.badURL.rawValue)"])
      #expect(server.requests("/film").isEmpty)
    }
  }

  @Test func `a field of tabs and of other alphabets is sent`() async throws {
    try await withServer { server in
      var request = URLRequest(url: url("/film", server))
      request.setValue("a\tb é", forHTTPHeaderField: "X-Name")

      _ = try await URLSession(configuration: .ephemeral).data(for: request)

      #expect(server.requests("/film").first?.headers["x-name"] == "a\tb é")
    }
  }
}
