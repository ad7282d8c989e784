import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// An app's road: it queues, it goes, it is woken and told.
  @Suite struct AppTests {
    static let means = [
      ["NIGHTJAR_IDENTITY": "pidfdInfo"], ["NIGHTJAR_IDENTITY": "procCgroup"], ["NIGHTJAR_IDENTITY": "launchTable"],
      ["NIGHTJAR_CGROUPS": "never"],
    ]

    @Test(arguments: means)
    func `an app that was ended is launched into the background and told, whatever names it`(
      means: [String: String]
    ) async throws {
      let film = Content(seed: 3, size: 200_000)
      let server = try await HTTPTestServer.start()
      try await withHome(means.merging(.impatient) { $1 }) { home in
        let probe = Probe(home: home)
        try await probe.download(film, from: server)
        try await probe.terminate()
        server.release("/film")
        try await eventually("the app is told and acknowledges") {
          try await probe.hasSettled(["film"])
        }
        try await eventually("the app is suspended") { try await probe.state() == .suspended }

        let lives = Dictionary(grouping: probe.heard, by: \.pid)
        let second = probe.heard.last { $0.call == "didComplete" }.flatMap { lives[$0.pid] } ?? []
        #expect(probe.file("film") == Data(film.bytes))
        #expect(lives.count == 2)
        #expect(second.map(\.call).starts(with: ["didFinishLaunching", "didEnterBackground"]))
        #expect(second.contains { $0.call == "handleEvents" } && second.contains { $0.call == "handlerCalled" })
        #expect(!second.contains { $0.call == "didBecomeActive" })
      }
      try await server.stop()
    }

    @Test func `an event that has crashed the app three times is parked until a person launches it`() async throws {
      let server = try await HTTPTestServer.start()
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        let film = Instructions.Transfer(name: "film", url: server.url("/file/9/1000"))
        try probe.instruct(.init(transfers: [film], diesIn: ["didFinishDownloadingTo"]))
        try await home.start()
        try await probe.install()

        try await probe.launch()
        let words = try await eventually("the event is parked") {
          let words = try? await home.call(ControlInterface.Why.self, .init(id: 1)).sentences.joined(separator: " ")
          return words?.contains("launch the app to try again") == true ? words : nil
        }
        let crashes = probe.heard.filter { $0.call == "didFinishDownloadingTo" }
        try probe.instruct(.init(transfers: [film]))
        let state = try await probe.state()
        try await probe.launch()
        try await eventually("the app is told after all") {
          try await probe.hasSettled(["film"])
        }

        #expect(words.contains("crashed it 3 times"), "it said: \(words)")
        #expect(crashes.count == 3 && Set(crashes.map(\.pid)).count == 3)
        #expect(state == .notRunning)
        #expect(probe.file("film") == Data(Content(seed: 9, size: 1000).bytes))
      }
      try await server.stop()
    }

    @Test func `an upgrade ends the app and keeps its files and transfers`() async throws {
      let film = Content(seed: 4, size: 200_000)
      let server = try await HTTPTestServer.start()
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        let pid = try await probe.download(film, from: server)

        let upgraded = try await probe.install(version: 2)
        try await eventually("the old version ends") { !home.apps.contains(pid) }
        server.release("/film")
        try await eventually("the new version is told") {
          try await probe.hasSettled(["film"])
        }

        #expect(upgraded.name == "Probe 2")
        #expect(probe.file("film") == Data(film.bytes))
        #expect(server.requests("/film").count == 1, "the download went on")
        #expect(probe.heard.contains { $0.call == "willTerminate" && $0.pid == pid })
      }
      try await server.stop()
    }

    @Test func `an uninstall ends the app, cancels its transfers and leaves nothing of it`() async throws {
      let server = try await HTTPTestServer.start()
      server.play("/film", .serve(Serving(Content(seed: 5, size: 10_000_000)).with { $0.speed = 100_000 }))
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        try probe.instruct(.init(transfers: [.init(name: "film", url: server.url("/film"))]))
        try await home.start()
        try await probe.install()
        try await probe.launch()
        try await eventually("bytes are staged") { !Files.names(home.staging).isEmpty }

        _ = try await home.call(ControlInterface.Uninstall.self, .init(app: Probe.id))

        try await eventually("nothing is left") {
          let count = try await home.call(ControlInterface.Status.self).transfers
          return count == 0 && home.apps.isEmpty && Files.names(home.staging).isEmpty && !Files.exists(probe.container)
            && Files.names(home.path + "/data/apps").isEmpty
        }
        #expect(try await home.call(ControlInterface.ListApps.self).apps.isEmpty)
      }
      try await server.stop()
    }
  }
}
