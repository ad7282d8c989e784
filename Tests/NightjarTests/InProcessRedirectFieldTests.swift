import Foundation
import ScriptedServer
import Testing

import struct FoundationNetworking.URLRequest

@testable import Nightjar

/// Which header fields of tasks in this process follow a redirect. To which servers is tested in
/// ``RedirectTrustTests``.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InProcessRedirectFieldTests: LoopbackSuite {
  /// Two servers, of which one sends to itself and to the other.
  private func withServers(_ body: (HTTPTestServer, HTTPTestServer) async throws -> Void) async throws {
    try await withServer { other in
      try await withServer { server in
        server.play("/moved", .redirect(to: "/film"))
        server.play("/away", .redirect(to: other.url("/film")))
        try await body(server, other)
      }
    }
  }

  @Test func `a name and a password in a URL follow to the same server and to no other`() async throws {
    try await withServers { server, other in
      for path in ["/moved", "/away"] {
        var parts = try #require(URLComponents(url: url(path, server), resolvingAgainstBaseURL: true))
        (parts.user, parts.password) = ("anna", "se cret")
        _ = try await URLSession(configuration: .ephemeral).data(from: try #require(parts.url))
      }

      let field = "Basic YW5uYTpzZSBjcmV0"
      for path in ["/moved", "/away", "/film"] {
        #expect(server.requests(path).map { $0.headers["authorization"] } == [field])
      }
      #expect(other.requests("/film").map { $0.headers["authorization"] } == [nil])
    }
  }

  @Test func `a request that a delegate makes instead has the session's fields, and at a stranger's no credentials`()
    async throws
  {
    try await withServers { server, other in
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpAdditionalHeaders = ["X-Device": "lamp", "X-Api-Key": "key", "Authorization": "Bearer me"]

      for path in ["/moved", "/away"] {
        let listener = Listener(answers: .init(toRedirect: { $0.url.map { URLRequest(url: $0) } }))
        session(listener, configuration).dataTask(with: url(path, server)).resume()
        _ = try await listener.whole()
      }

      let names = ["x-device", "x-api-key", "authorization"]
      let seen = try [server, other].map { try #require($0.requests("/film").first).headers }
      #expect(names.map { seen[0][$0] } == ["lamp", "key", "Bearer me"])
      #expect(names.map { seen[1][$0] } == ["lamp", nil, nil])
    }
  }

  @Test func `credentials do not come back once a stranger has been asked`() throws {
    let home = try #require(URL(string: "https://h.example/"))
    let stranger = try #require(URL(string: "https://other.example/"))
    let fields: [AnyHashable: Any] = ["X-Device": "lamp", "Authorization": "Bearer me"]
    let following = URLRequest(url: stranger).adding(["X-Device": "lamp"])

    let next = URLRequest(url: home).adding(fields, insteadOf: following)

    #expect(next.allHTTPHeaderFields == ["X-Device": "lamp"])
  }
}
