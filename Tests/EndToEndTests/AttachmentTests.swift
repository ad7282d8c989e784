import Foundation
import NightjarWire
import Patience
import ScriptedServer
import Testing
import Varlink

extension EndToEndTests {
  /// Programs that come and go faster than the daemon looks.
  @Suite struct AttachmentTests {
    private static let id = "org.example.hasty"
    private static let attach = """
      {"method":"dev.nightjar.App.Attach","parameters":{"program":{"name":"\(id)"}},"more":true}\0
      """
    private static let open = """
      {"method":"dev.nightjar.App.OpenSession","parameters":{"session":"films"}}\0
      """

    @Test func `whoever has gone before its attachment is read does not stay attached`() async throws {
      try await withHome { home in
        let listener = try home.listen()
        defer { close(listener) }
        try say(Self.attach, to: home)

        try await home.start(under: ActivationTests.activated)

        try await eventually("it has come and gone") {
          try await home.call(ControlInterface.ListApps.self).apps.map(\.state) == [.notRunning]
        }
      }
    }

    @Test func `what an app has queued just before it died is downloaded, however late it is read`() async throws {
      let server = try await HTTPTestServer.start()
      let film = Content(seed: 5, size: 300_000)
      server.play("/film", .serve(Serving(film)))
      try await withHome(.impatient) { home in
        let (probe, asked) = (Probe(home: home), Instructions.Transfer(name: "film", url: server.url("/film")))
        try await home.start()
        try await probe.install()
        let daemon = try #require(home.daemon)
        try probe.instruct(.init(transfers: [asked], diesIn: ["queued"], halts: daemon.pid))

        let launch = try home.command(["launch", probe.app])  // Its answer may be among what waits for the daemon.
        try await eventually("the app is dead, and the daemon knows of nothing") {
          probe.heard.contains { $0.call == "queued" } && home.apps.isEmpty
        }
        try probe.instruct(.init(transfers: []))
        daemon.send(SIGCONT)
        #expect(try await launch.ended() == 0)

        try await eventually("the app is launched and told") { try await probe.hasSettled(["film"]) }
        #expect(probe.file("film") == Data(film.bytes))
      }
      try await server.stop()
    }

    @Test func `a process that is attached twice keeps its name when one of the attachments ends`() async throws {
      try await withHome { home in
        try await home.start()
        let (first, calls) = (try RawLine(to: home.socket), try RawLine(to: home.socket))
        var second: RawLine? = try RawLine(to: home.socket)
        for line in [first, second!] {
          #expect(try await answer(to: Self.attach, over: line).contains("\"attached\""))
        }

        second = nil

        #expect(try await answer(to: Self.open, over: calls).contains("nextTask"))
      }
    }

    /// Says something, and hangs up.
    private func say(_ text: String, to home: Home) throws {
      let line = try RawLine(to: home.socket)
      #expect(line.offer(text.utf8) == text.utf8.count)
    }

    private func answer(to text: String, over line: RawLine) async throws -> String {
      #expect(line.offer(text.utf8) == text.utf8.count)
      var said: [UInt8] = []
      try await eventually("an answer") {
        said += line.take() ?? []
        return said.contains(0)
      }
      return String(decoding: said, as: UTF8.self)
    }
  }
}
