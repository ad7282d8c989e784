import Foundation
import NightjarWire
import Patience
import ScriptedServer
import Testing

extension EndToEndTests {
  /// Uploads whose bytes are in no file of the app's.
  @Suite struct SpoolTests {
    @Test(arguments: ["data", "stream"])
    func `an upload from memory outlives the app and the daemon, and leaves nothing behind`(source: String) async throws
    {
      let film = Content(seed: 6, size: 3_000_000)
      let server = try await HTTPTestServer.start()
      server.play("/upload/film", .silence, .take())
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        let original = home.folder + "/original"
        try Files.write(film.bytes, to: original)
        let upload = Instructions.Transfer(
          name: "film", url: server.url("/upload/film"), file: original, source: source)
        try probe.instruct(.init(transfers: [upload]))
        try await home.start()
        try await probe.install()

        try await probe.launch()
        try await eventually("the upload is under way") { !server.requests("/upload/film").isEmpty }
        try FileManager.default.removeItem(atPath: original)
        home.crash()
        home.endApps()
        try await home.start()
        try await probe.launch()
        try await eventually("the app is told and acknowledges") { try await probe.hasSettled(["film"]) }

        #expect(server.requests("/upload/film").last?.bodyDigest == film.sha256)
        #expect(probe.heard.contains { $0.call == "needNewBodyStream" } == (source == "stream"))
        try await eventually("the copy is gone") { Files.names(probe.spool).isEmpty }
      }
      try await server.stop()
    }
  }
}
