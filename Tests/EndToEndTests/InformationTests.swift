import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// What servers say before they answer.
  @Suite struct InformationTests {
    @Test func `an app that runs is told what a server says before its answer, and one that is gone is not`()
      async throws
    {
      let film = Content(seed: 9, size: 300_000)
      let server = try await HTTPTestServer.start()
      let held = Script.serve(Serving(film).with { $0.mishap = .hold })
      for path in ["/one", "/two"] { server.play(path, .inform(status: 103, times: 2, then: held)) }
      try await withHome { home in
        let probe = Probe(home: home)
        try probe.instruct(.init(transfers: [.init(name: "one", url: server.url("/one"))]))
        try await home.start()
        try await probe.install()
        try await probe.launch()
        try await eventually("the app is told of both") { probe.calls.count { $0 == "informed" } == 2 }
        server.release("/one")
        try await eventually("the film is there") { try await probe.hasSettled(["one"]) }
        try await probe.terminate()
        try await eventually("the app is gone") { try await probe.state() == .notRunning }
        try probe.instruct(
          .init(transfers: [.init(name: "two", url: server.url("/two"))], diesIn: ["queued"]))
        try await probe.launch()
        try await eventually("the second film is under way") { !server.requests("/two").isEmpty }
        let lives = Set(probe.heard.map(\.pid))
        server.release("/two")
        try probe.instruct(.init(transfers: [.init(name: "two", url: server.url("/two"))]))
        try await eventually("the second film is there") { try await probe.hasSettled(["one", "two"]) }

        let (first, second) = (probe.heard.filter { $0.name == "one" }, probe.heard.filter { $0.name == "two" })
        let order = ["informed", "didFinishDownloadingTo", "didComplete"]
        #expect(
          first.map(\.call).filter { order.contains($0) } == ["informed"] + order)
        #expect(first.filter { $0.call == "informed" }.map(\.status) == [103, 103])
        #expect(lives.count == 2 && !second.contains { $0.call == "informed" })
      }
      try await server.stop()
    }
  }
}
