import Foundation
import NightjarModel
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// What a person asks of a download beside where it goes, from the command line to the engine.
  @Suite struct WishTests {
    private let film = Content(seed: 1, size: 300_000)

    @Test func `a file is delivered with the checksum that was given, and not with another`() async throws {
      let server = try await HTTPTestServer.start()
      server.play("/film", .serve(Serving(film)))
      try await withHome { home in
        try await home.start()
        let wrong = "sha256:" + String(repeating: "0", count: 64)
        let download = ["download", server.url("/film"), "--checksum"]

        try await home.run(download + ["sha256:\(film.sha256)", "--output", home.folder + "/right"])
        let refused = try home.command(download + [wrong, "--output", home.folder + "/wrong"])

        #expect(try await refused.ended() != 0)
        #expect(refused.text.contains(film.sha256), "it said: \(refused.text)")
        #expect(Files.bytes(home.folder + "/right") == Data(film.bytes))
        #expect(!Files.exists(home.folder + "/wrong"))
        #expect(server.requests("/film").count == 3)
        #expect(try await home.transfer(2)?.failure?.code == TransferFailure.Code.checksumMismatch.rawValue)
      }
      try await server.stop()
    }

    @Test func `the proxy of the daemon's environment is used, and that of a download before it`() async throws {
      let (common, own) = try await (HTTPTestServer.start(), HTTPTestServer.start())
      common.play("http://files.example/film", .serve(Serving(film)))
      own.play("http://files.example/film", .serve(Serving(Content(seed: 2, size: 1000))))
      try await withHome(["http_proxy": "127.0.0.1:\(common.port)"]) { home in
        try await home.start()
        let download = ["download", "http://files.example/film", "--output"]

        try await home.run(download + [home.folder + "/common"])
        try await home.run(download + [home.folder + "/own", "--proxy", "http://ann:secret@127.0.0.1:\(own.port)"])

        #expect(Files.bytes(home.folder + "/common") == Data(film.bytes))
        #expect(Files.bytes(home.folder + "/own") == Data(Content(seed: 2, size: 1000).bytes))
        #expect(own.requests("http://files.example/film").first?.headers["proxy-authorization"] != nil)
        #expect(!home.log.contains("secret"))
      }
      try await common.stop()
      try await own.stop()
    }

    @Test func `a bound on all transfers is kept by the daemon`() async throws {
      let server = try await HTTPTestServer.start()
      server.play("/film", .serve(Serving(film)))
      try await withHome(["NIGHTJAR_TRANSFER_BYTES_PER_SECOND_MAX": "200000"]) { home in
        try await home.start()
        let start = ContinuousClock.now

        try await home.run(["download", server.url("/film"), "--output", home.folder + "/film"])

        #expect(ContinuousClock.now - start > .milliseconds(900))
        #expect(Files.bytes(home.folder + "/film") == Data(film.bytes))
      }
      try await server.stop()
    }
  }
}
