import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// The daemon as a process: its home, its database, its end.
  @Suite struct DaemonTests {
    @Test func `a second daemon of a home says who serves it, and leaves the first alone`() async throws {
      try await withHome { home in
        try await home.start()

        let second = try home.spawnDaemon()

        #expect(try await second.ended() != 0)
        #expect(second.text.contains("the daemon with process id \(home.daemon!.pid) already serves this home"))
        #expect(try await home.call(ControlInterface.Status.self).pid == Int64(home.daemon!.pid))
      }
    }

    @Test func `a database of a newer version is refused in words and left as it is`() async throws {
      try await withHome { home in
        try await home.start()
        #expect(try await home.stop() == 0)
        // The name of a step that a newer version would have made, as long as the name that stands there.
        let bytes = Files.bytes(home.database).replacing(Data("1-memory".utf8), with: Data("9-future".utf8))
        try Files.write(bytes, to: home.database)

        let refused = try home.spawnDaemon()

        #expect(try await refused.ended() != 0)
        #expect(refused.text.contains("was changed by a newer version of Nightjar"), "it said: \(refused.text)")
        #expect(Files.bytes(home.database) == bytes)
      }
    }

    @Test func `a damaged database is set aside, and the status says so`() async throws {
      try await withHome { home in
        try await home.start()
        #expect(try await home.stop() == 0)
        let damaged = Data(repeating: 0x5A, count: 100_000)
        try Files.write(damaged, to: home.database)

        try await home.start()

        let told = try await home.run(["status"])
        #expect(told.contains("was set aside as \(home.database).damaged-1"), "it said: \(told)")
        #expect(Files.bytes(home.database + ".damaged-1") == damaged)
      }
    }

    @Test func `a daemon that is asked to stop keeps every byte, and its successor goes on there`() async throws {
      let server = try await HTTPTestServer.start()
      let film = Content(seed: 1, size: 300_000)
      let halfway = Serving(film).with { ($0.speed, $0.mishap, $0.mishapAfter) = (250_000, .stall, 250_000) }
      server.play("/film", .serve(halfway), .serve(Serving(film)))
      try await withHome { home in
        try await home.start()
        let wait = try home.command(["download", server.url("/film"), "--output", home.folder + "/film"])
        try await eventually("much has come") { try await home.transfer(1)?.count ?? 0 >= 100_000 }

        #expect(try await home.stop() == 0)
        try await home.start()

        #expect(try await wait.ended() == 0)
        #expect(Files.bytes(home.folder + "/film") == Data(film.bytes))
        let range = server.requests("/film").last?.headers["range"] ?? "none"
        #expect(Int(range.dropFirst("bytes=".count).prefix(while: \.isNumber)) ?? 0 >= 100_000, "asked for '\(range)'")
      }
      try await server.stop()
    }
  }
}
