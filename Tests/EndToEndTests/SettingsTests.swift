import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// What the daemon reads from its configuration file.
  @Suite struct SettingsTests {
    @Test func `the file's proxies are used, with their password and but for the exceptions`() async throws {
      let post = Guard(.digest(algorithm: "SHA-256")).beforeProxy
      let proxy = try await HTTPTestServer.start()
      proxy.play("http://files.example/x", .guarded(post, then: .answer(status: 200, body: "through")))
      try await withHome(.impatient) { home in
        let url = "http://anna:open%20sesame@127.0.0.1:\(proxy.port)"
        let file = #"{"nightjar": {"proxy": {"http": "\#(url)", "exceptions": "*.local, direct.invalid"}}}"#
        try Files.write(file.utf8, to: home.path + "/state/nightjard.json")
        try await home.start()
        _ = try await home.call(ControlInterface.SetDevice.self, .init(network: .unmetered))

        try await home.run(["download", "http://files.example/x", "-o", home.folder + "/x"])
        try await home.run(["download", "http://direct.invalid/x", "-o", home.folder + "/y", "--no-wait"])
        try await eventually("the exception has been tried, and once more") {
          try await home.transfer(2)?.attempts ?? 0 >= 2
        }

        #expect(Files.bytes(home.folder + "/x") == Data("through".utf8))
        #expect(proxy.requests("http://direct.invalid/x").isEmpty)
        #expect(!home.log.contains("sesame"))
      }
      try await proxy.stop()
    }

    @Test func `who looks after the machine can forbid background refresh, and everybody is told so`() async throws {
      try await withHome(["NIGHTJAR_BACKGROUND_REFRESH_RESTRICTED": "yes"]) { home in
        let probe = Probe(home: home, modes: ["fetch"])
        try probe.instruct(.init(fetchInterval: 0))
        try await home.start()
        try await probe.install()
        try await probe.launch()

        let settings = try await home.run(["settings", "background-refresh=on"])
        let why = try await home.run(["why", Probe.id])

        #expect(settings.contains("Whoever looks after this machine forbids it all the same."))
        #expect(why.contains("Whoever looks after this machine forbids Background App Refresh"), "it said: \(why)")
      }
    }

    @Test func `a file's proxy takes the place of the environment's, and an empty one means none`() async throws {
      let (first, second) = (try await HTTPTestServer.start(), try await HTTPTestServer.start())
      first.play("http://files.example/x", .answer(status: 200, body: "first"))
      second.play("http://files.example/x", .answer(status: 200, body: "second"))
      try await withHome(["http_proxy": "http://127.0.0.1:\(first.port)"]) { home in
        let file = #"{"nightjar": {"proxy": {"http": "http://127.0.0.1:\#(second.port)", "https": ""}}}"#
        try Files.write(file.utf8, to: home.path + "/state/nightjard.json")
        try await home.start()
        _ = try await home.call(ControlInterface.SetDevice.self, .init(network: .unmetered))

        try await home.run(["download", "http://files.example/x", "-o", home.folder + "/x"])

        #expect(Files.bytes(home.folder + "/x") == Data("second".utf8))
        #expect(first.requests("http://files.example/x").isEmpty)
      }
      try await first.stop()
      try await second.stop()
    }
  }
}
