import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// A question's road: from a server to an app that has to be launched for it, and back.
  @Suite struct QuestionTests {
    static let film = Content(seed: 5, size: 300_000)
    static let password = "open sesame"

    @Test func `a challenge launches an app that was killed, and its answer brings the file`() async throws {
      let server = try await Self.guardedServer(Guard(.digest(algorithm: "SHA-256")))
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        let film = Instructions.Transfer(name: "one", url: server.url("/one"))
        try probe.instruct(.init(transfers: [film], diesIn: ["queued"], password: Self.password))
        try await home.start()
        try await probe.install()

        try await probe.launch()
        try await eventually("the app has queued the first and is dead") {
          let state = try await probe.state()
          return state != .foreground && probe.heard.contains { $0.call == "queued" }
        }
        try await eventually("the app is launched, asked, answers and is told") {
          try await probe.hasSettled(["one"])
        }

        let asked = probe.heard.filter { $0.call == "didReceiveChallenge" }
        #expect(!asked.isEmpty && asked.allSatisfy { $0.pid != probe.heard.first?.pid })
        #expect(probe.file("one") == Data(Self.film.bytes))
        #expect(home.files(holding: Self.password) == [])
      }
      try await server.stop()
    }

    @Test func `a question that the daemon's death interrupted is asked again, and one answer serves the session`()
      async throws
    {
      let server = try await Self.guardedServer(Guard(.basic))
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        let films = ["one", "two", "three"].map { Instructions.Transfer(name: $0, url: server.url("/\($0)")) }
        try probe.instruct(.init(transfers: films, password: Self.password, keepsSilent: true))
        try await home.start()
        try await probe.install()
        try await probe.launch()
        try await eventually("the app is asked") { probe.heard.contains { $0.call == "didReceiveChallenge" } }
        let why = try await eventually("the first transfer has asked, too") {
          let why = try await home.call(ControlInterface.Why.self, .init(id: 1)).sentences.joined(separator: " ")
          return why.contains("name and password") ? why : nil
        }

        home.crash()
        try await home.start()
        try await eventually("the app is asked again") {
          probe.heard.filter { $0.call == "didReceiveChallenge" }.count == 2
        }
        try probe.instruct(.init(transfers: films, password: Self.password))
        try await probe.terminate()
        try await probe.launch()
        try await eventually("everything is told") { try await probe.hasSettled(["one", "two", "three"]) }

        #expect(why.contains("things"), "it said: \(why)")
        #expect(probe.heard.filter { $0.call == "didReceiveChallenge" }.count == 3)
        for film in films { #expect(probe.file(film.name) == Data(Self.film.bytes)) }
        #expect(home.files(holding: Self.password) == [])
      }
      try await server.stop()
    }

    @Test func `a proxy's challenge launches an app that was killed, and its answer brings the file`() async throws {
      let proxy = try await HTTPTestServer.start()
      let (url, post) = ("http://films.example/one", Guard(.digest(algorithm: "SHA-256"), realm: "way out").beforeProxy)
      proxy.play(url, .guarded(post, then: .serve(Serving(Self.film))))
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        let film = Instructions.Transfer(name: "one", url: url)
        try probe.instruct(
          .init(transfers: [film], diesIn: ["queued"], password: Self.password, proxyPort: proxy.port))
        try await home.start()
        _ = try await home.call(ControlInterface.SetDevice.self, .init(network: .unmetered))
        try await probe.install()

        try await probe.launch()
        try await eventually("the app is launched, asked by the proxy, answers and is told") {
          try await probe.hasSettled(["one"])
        }

        let asked = probe.heard.filter { $0.call == "didReceiveProxyChallenge" }
        #expect(!asked.isEmpty && asked.allSatisfy { $0.pid != probe.heard.first?.pid })
        #expect(probe.file("one") == Data(Self.film.bytes))
        #expect(home.files(holding: Self.password) == [])
      }
      try await proxy.stop()
    }

    private static func guardedServer(_ post: Guard) async throws -> HTTPTestServer {
      let server = try await HTTPTestServer.start()
      for path in ["/one", "/two", "/three"] { server.play(path, .guarded(post, then: .serve(Serving(film)))) }
      return server
    }
  }
}
