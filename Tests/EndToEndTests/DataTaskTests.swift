import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// A data task of a background session, whose app decides by the head of the answer whether it becomes a download.
  @Suite struct DataTaskTests {
    static let film = Content(seed: 9, size: 3_000_000)

    @Test func `a data task becomes a download when its app has seen the answer's head`() async throws {
      try await withDataTask("becomeDownload") { probe, server in
        try await eventually("the film is there") { try await probe.hasSettled(["one"]) }

        let order = ["didReceiveResponse", "didBecome", "didFinishDownloadingTo", "didComplete"]
        #expect(probe.calls.filter { order.contains($0) } == order)
        #expect(probe.heard.first { $0.call == "didReceiveResponse" }?.count == Self.film.size)
        #expect(probe.heard.first { $0.call == "didReceiveResponse" }?.status == 200)
        #expect(probe.file("one") == Data(Self.film.bytes))
        #expect(!probe.calls.contains("didReceiveData"))
      }
    }

    @Test(arguments: ["queued", "didReceiveResponse", "didBecome"])
    func `an app that dies is launched and asked, and its answer brings the file`(death: String) async throws {
      try await withDataTask("becomeDownload", diesIn: death) { probe, server in
        try await eventually("the app is dead") { probe.heard.contains { $0.call == death } }
        let first = probe.heard.first?.pid
        try await eventually("it was launched to be asked") {
          probe.heard.contains { $0.call == "didReceiveResponse" && $0.pid != first }
        }
        try probe.instruct(.init(transfers: [Self.transfer("becomeDownload", server)]))
        try await eventually("the film is there") { try await probe.hasSettled(["one"]) }

        #expect(probe.file("one") == Data(Self.film.bytes))
        #expect(probe.heard.filter { $0.call == "didFinishDownloadingTo" }.count == 1)
      }
    }

    @Test(arguments: ["allow", "cancel"])
    func `a data task that does not become a download is cancelled`(decision: String) async throws {
      try await withDataTask(decision) { probe, server in
        let end = try await eventually("the app is told") { probe.end(of: "one") }
        try await eventually("it is acknowledged") { try await probe.transfers().isEmpty }
        let log = try await probe.home.run(["log", Probe.id])

        #expect(end.error == URLError.Code.cancelled.rawValue, "\(end)")
        #expect(log.contains("Data tasks are not supported in background sessions.") == (decision == "allow"))
        #expect(server.requests("/one").count == 1)
      }
    }

    private static func transfer(_ decision: String, _ server: HTTPTestServer) -> Instructions.Transfer {
      .init(name: "one", url: server.url("/one"), onAnswer: decision)
    }

    private func withDataTask(
      _ decision: String, diesIn death: String? = nil, _ body: (Probe, HTTPTestServer) async throws -> Void
    ) async throws {
      let server = try await HTTPTestServer.start()
      server.play("/one", .serve(Serving(Self.film)))
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        let one = Self.transfer(decision, server)
        try probe.instruct(.init(transfers: [one], diesIn: death.map { [$0] }))
        try await home.start()
        try await probe.install()
        try await probe.launch()
        try await body(probe, server)
      }
      try await server.stop()
    }
  }
}
