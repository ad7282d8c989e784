import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// A task that was put off asks its app, which has to be launched for it, when its time has come.
  @Suite struct DelayedRequestTests {
    static let (film, other) = (Content(seed: 7, size: 200_000), Content(seed: 8, size: 100_000))

    @Test func `an app is launched when a task's time has come, and lets it go on`() async throws {
      try await withDelayed { probe, server in
        try await eventually("it is asked and told") { try await probe.hasSettled(["one"]) }

        #expect(probe.file("one") == Data(Self.film.bytes))
        #expect(server.requests("/film").count == 1)
      }
    }

    @Test func `an app is launched when a task's time has come, and sends another request in its place`()
      async throws
    {
      try await withDelayed("replace") { probe, server in
        try await eventually("it is asked and told") { try await probe.hasSettled(["one"]) }

        #expect(probe.file("one") == Data(Self.other.bytes))
        #expect(server.requests("/film").isEmpty && server.requests("/other").count == 1)
      }
    }

    @Test func `an app is launched when a task's time has come, and cancels it`() async throws {
      try await withDelayed("cancel") { probe, server in
        let end = try await eventually("it is asked and told") { probe.end(of: "one") }
        try await eventually("it is acknowledged") { try await probe.transfers().isEmpty }

        #expect(end.error == URLError.Code.cancelled.rawValue, "\(end)")
        #expect(server.connections == 0)
      }
    }

    private static let delay = 1.0

    /// An app has put a download off, and died; `body` waits until it has ended. It was asked once, in the background.
    private func withDelayed(_ decision: String? = nil, _ body: (Probe, HTTPTestServer) async throws -> Void)
      async throws
    {
      let server = try await HTTPTestServer.start()
      server.play("/film", .serve(Serving(Self.film)))
      server.play("/other", .serve(Serving(Self.other)))
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        let film = Instructions.Transfer(
          name: "one", url: server.url("/film"), after: Self.delay, delayed: decision, instead: server.url("/other"))
        try probe.instruct(.init(transfers: [film], diesIn: ["queued"]))
        try await home.start()
        try await probe.install()
        try await probe.launch()

        try await body(probe, server)

        #expect(probe.calls.filter { $0 == "willBeginDelayedRequest" }.count == 1)
        probe.expectLaunchedInBackground(for: "willBeginDelayedRequest")
      }
      try await server.stop()
    }
  }
}
