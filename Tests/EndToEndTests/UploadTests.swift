import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// `nightjar upload`, and what the server says to it.
  @Suite struct UploadTests {
    @Test func `what a server says to an upload that it refuses can be read`() async throws {
      let server = try await HTTPTestServer.start()
      server.play("/film", .answer(status: 413, body: "films have 1 MiB at most\n"))
      try await withHome { home in
        let file = home.folder + "/film"
        try Files.write(Data("film".utf8), to: file)
        try await home.start()

        let command = try home.command(["upload", file, server.url("/film")])

        #expect(try await command.ended() == 1)
        let transfer = try #require(try await home.transfer(1))
        #expect(transfer.state == .failed && transfer.status == 413)
        #expect(command.text.contains("so it did not take the file (badServerResponse); what the server sent is in"))
        #expect(transfer.answer.flatMap { Files.bytes($0) } == Data("films have 1 MiB at most\n".utf8))
      }
      try await server.stop()
    }
  }
}
