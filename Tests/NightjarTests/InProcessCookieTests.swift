import Foundation
import ScriptedServer
import Testing

import class FoundationNetworking.HTTPCookie
import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// Cookies and the session's own header fields in this process. Which cookies fit is tested in ``CookieRuleTests``.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InProcessCookieTests: LoopbackSuite {
  private func cookies(_ path: String, _ server: HTTPTestServer) -> [String?] {
    server.requests(path).map { $0.headers["cookie"] }
  }

  @Test func `cookies of one ephemeral session are not another's`() async throws {
    try await withServer { server in
      let first = URLSession(configuration: .ephemeral)
      server.play("/set", .answer(status: 200, headers: ["Set-Cookie": "seen=1; Path=/"]))
      _ = try await first.data(from: url("/set", server))

      _ = try await first.data(from: url("/film", server))
      _ = try await URLSession(configuration: .ephemeral).data(from: url("/film", server))

      #expect(cookies("/film", server) == ["seen=1", nil])
    }
  }

  @Test func `a cookie goes where its server wants it, and nowhere in the clear that is secure`() async throws {
    try await withServer { server in
      let set = [
        "a=1; Path=/; Expires=Wed, 01 Jan 2098 00:00:00 GMT", "b=2; Path=/private", "c=3; Path=/; Secure",
        "d=4; Path=/; Domain=com", "e=5; Path=/; Expires=Wed, 01 Jan 2020 00:00:00 GMT",
      ]
      let fields = set.map { "Set-Cookie: \($0)\r\n" }.joined()
      server.play("/set", .raw("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n"))
      let session = URLSession(configuration: .ephemeral)

      for path in ["/set", "/film", "/private/film"] { _ = try await session.data(from: url(path, server)) }

      #expect(cookies("/film", server) == ["a=1"])
      #expect(cookies("/private/film", server) == ["b=2; a=1"])
    }
  }

  @Test(arguments: [("torn\u{1}", "1"), ("torn", "1\u{7F}"), ("torn", "1\r\nX-Other: 1")])
  func `a cookie that no request can carry is left out, and the others are sent`(name: String, value: String)
    async throws
  {
    try await withServer { server in
      let configuration = URLSessionConfiguration.ephemeral
      let storage = try #require(configuration.httpCookieStorage)
      let host = try #require(url("/film", server).host)
      for (name, value) in [(name, value), ("seen", "1")] {
        let cookie = HTTPCookie(properties: [.name: name, .value: value, .domain: host, .path: "/"])
        storage.setCookie(try #require(cookie))
      }

      _ = try await URLSession(configuration: configuration).data(from: url("/film", server))

      #expect(storage.cookies?.count == 2 && cookies("/film", server) == ["seen=1"])
    }
  }

  @Test func `a cookie without any time left is forgotten`() async throws {
    try await withServer { server in
      server.play("/set", .answer(status: 200, headers: ["Set-Cookie": "seen=1; Path=/; Max-Age=1000"]))
      server.play("/unset", .answer(status: 200, headers: ["Set-Cookie": "seen=; Path=/; Max-Age=0"]))
      let session = URLSession(configuration: .ephemeral)

      for path in ["/set", "/film", "/unset", "/film"] { _ = try await session.data(from: url(path, server)) }

      #expect(cookies("/film", server) == ["seen=1", nil])
    }
  }

  @Test(arguments: [("/film", "/film"), ("/here", "/film"), ("/redirect/film", "/film")])
  func `a cookie that a redirect sets reaches its target`(location: String, target: String) async throws {
    try await withServer { server in
      server.play("/login", .answer(status: 302, headers: ["Set-Cookie": "seen=2; Path=/", "Location": location]))
      server.play("/here", .redirect(to: "/film"))
      server.play("/set", .answer(status: 200, headers: ["Set-Cookie": "seen=1; Path=/"]))
      let session = URLSession(configuration: .ephemeral)
      var own = URLRequest(url: url("/login", server))
      own.setValue("mine=1", forHTTPHeaderField: "Cookie")

      _ = try await session.data(from: url("/set", server))
      _ = try await session.data(from: url("/login", server))
      _ = try await session.data(for: own)

      #expect(cookies("/login", server) == ["seen=1", "mine=1"])
      #expect(cookies(target, server) == ["seen=2", "mine=1"])
    }
  }

  @Test func `a request that does not handle cookies neither sends nor sets any`() async throws {
    try await withServer { server in
      server.play("/set", .answer(status: 200, headers: ["Set-Cookie": "seen=1; Path=/"]))
      server.play("/again", .answer(status: 200, headers: ["Set-Cookie": "seen=2; Path=/"]))
      let session = URLSession(configuration: .ephemeral)
      var request = URLRequest(url: url("/again", server))
      request.httpShouldHandleCookies = false

      _ = try await session.data(from: url("/set", server))
      _ = try await session.data(for: request)
      _ = try await session.data(from: url("/film", server))

      #expect(cookies("/again", server) == [nil] && cookies("/film", server) == ["seen=1"])
    }
  }

  @Test(arguments: [(HTTPCookie.AcceptPolicy.always, true), (.never, false), (.onlyFromMainDocumentDomain, false)])
  func `a stranger's cookie is kept by the policy`(policy: HTTPCookie.AcceptPolicy, isKept: Bool) async throws {
    try await withServer { server in
      server.play("/set", .answer(status: 200, headers: ["Set-Cookie": "seen=1; Path=/"]))
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieAcceptPolicy = policy
      let session = URLSession(configuration: configuration)
      var request = URLRequest(url: url("/set", server))
      request.mainDocumentURL = World.film

      _ = try await session.data(for: request)
      _ = try await session.data(from: url("/film", server))

      #expect(cookies("/film", server) == [isKept ? "seen=1" : nil])
    }
  }

  @Test func `header fields of a session are sent as text, and what names the person to the first server alone`()
    async throws
  {
    try await withServer { server in
      try await withServer { other in
        server.play("/away", .redirect(to: other.url("/film")))
        server.play("/moved", .redirect(to: "/film"))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Device": 7, "x-name": "lamp", "Authorization": "Bearer me"]
        let session = URLSession(configuration: configuration)

        for path in ["/away", "/moved"] {
          var request = URLRequest(url: url(path, server))
          request.setValue("mine", forHTTPHeaderField: "X-Name")
          _ = try await session.data(for: request)
        }

        let (first, stranger) = (server.requests("/film").first?.headers, other.requests("/film").first?.headers)
        #expect([first, stranger].map { $0?["x-device"] } == ["7", "7"])
        #expect([first, stranger].map { $0?["x-name"] } == ["mine", "mine"])
        #expect([first, stranger].map { $0?["authorization"] } == ["Bearer me", nil])
      }
    }
  }
}
