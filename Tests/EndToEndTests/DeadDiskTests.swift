import Foundation
import NightjarWire
import Patience
import ScriptedServer
import Testing

extension EndToEndTests {
  /// File systems that do not answer any more, as one whose server is gone.
  @Suite(.enabled(if: DeadDisk.isPossible, "only root may mount, and only where the kernel has FUSE"))
  struct DeadDiskTests {
    @Test func `a dead file system holds up nobody but those who use it, until it is gone`() async throws {
      let film = Content(seed: 6, size: 100_000)
      let server = try await HTTPTestServer.start()
      server.play("/film", .serve(Serving(film).with { $0.speed = 50_000 }))
      try await withHome(.impatient) { home in
        let folder = home.folder + "/far"
        try Files.folder(folder)
        try Files.write([1, 2, 3], to: folder + "/source")
        try await home.start()
        try await home.run(["download", server.url("/film"), "--output", folder + "/film", "--no-wait"])
        let disk = try DeadDisk(over: folder)
        defer { disk.unmount() }
        try await eventually("the film has come") { try await home.transfer(1)?.state == .delivering }

        let others = try (1...6).map { number in
          let place = home.folder + "/near-\(number)"
          return try home.command(["download", server.url("/file/\(number)/1000"), "--output", place])
        }
        let refusal = await #expect(throws: (any Error).self) {
          try await home.call(ControlInterface.Upload.self, upload(folder + "/source", to: server.url("/taken")))
        }
        for other in others { #expect(try await other.ended() == 0, "it said: \(other.text)") }
        let meanwhile = try await home.transfer(1)?.state
        disk.unmount()

        let words = refusal.map { "\($0)" } ?? "nothing"
        #expect(words.contains("does not answer"), "it said: \(words)")
        #expect(meanwhile == .delivering)
        try await eventually("the film is delivered") { Files.bytes(folder + "/film") == Data(film.bytes) }
        #expect(try await home.stop() == 0)
      }
      try await server.stop()
    }

    private func upload(_ file: String, to url: String) -> ControlInterface.Upload.Parameters {
      .init(key: String(repeating: "a", count: 32), url: url, method: "PUT", headers: [], file: file)
    }
  }
}
