import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// `nightjar download --user`.
  @Suite struct CredentialTests {
    static let password = "open sesame"

    @Test(arguments: [Guard(.basic), Guard(.digest(algorithm: "SHA-256"))])
    func `a password from a file brings the file, and is shown nowhere`(post: Guard) async throws {
      let film = Content(seed: 5, size: 100_000)
      let server = try await HTTPTestServer.start()
      server.play("/film", .guarded(post, then: .serve(Serving(film))))
      try await withHome { home in
        let (secret, place) = (home.folder + "/secret", home.folder + "/film")
        try Files.write(Self.password.utf8, to: secret)
        try await home.start()

        let said = try await home.run([
          "download", server.url("/film"), "--output", place, "--user", "anna", "--password-file", secret,
        ])
        let shown = try await home.run(["transfers", "show", "1"]) + home.run(["transfers", "show", "1", "--json"])
        let why = try await home.run(["why", "1"])

        #expect(Files.bytes(place) == Data(film.bytes))
        for text in [said, shown, why, home.log] {
          #expect(!text.contains("sesame") && !text.contains("anna"), "it is shown: \(text)")
        }
      }
      try await server.stop()
    }

    @Test func `a password from the standard input brings the file`() async throws {
      let film = Content(seed: 5, size: 100_000)
      let server = try await HTTPTestServer.start()
      server.play("/film", .guarded(Guard(.basic), then: .serve(Serving(film))))
      try await withHome { home in
        let (secret, place) = (home.folder + "/secret", home.folder + "/film")
        try Files.write("\(Self.password)\nnot this".utf8, to: secret)
        try await home.start()

        let said = try await home.run(
          ["download", server.url("/film"), "--output", place, "--user", "anna", "--password-file", "-"],
          input: secret)

        #expect(Files.bytes(place) == Data(film.bytes))
        #expect(!said.contains("sesame"))
      }
      try await server.stop()
    }

    @Test func `a password among the arguments is struck out of them`() async throws {
      let server = try await HTTPTestServer.start()
      server.play("/film", .silence)
      try await withHome { home in
        try await home.start()

        let command = try home.command([
          "download", server.url("/film"), "--output", home.folder + "/film", "--user", "anna:\(Self.password)",
        ])
        try await eventually("it is queued") { command.text.contains("downloading") }
        let arguments = Files.text("/proc/\(command.pid)/cmdline")
        command.crash()

        #expect(arguments.contains("anna:x") && !arguments.contains("sesame"), "\(arguments)")
      }
      try await server.stop()
    }
  }
}
