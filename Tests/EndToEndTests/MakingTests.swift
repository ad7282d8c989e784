import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// `nightjar run`, with the template app as it was built with the tests: `swift` is a script that says where it lies.
  @Suite struct MakingTests {
    private static let id = "com.example.TemplateApp"

    private func package(_ home: Home) throws -> [String] {
      let described = "{\"products\":[{\"name\":\"TemplateApp\",\"targets\":[],\"type\":{\"executable\":null}}]}"
      try Files.write("".utf8, to: home.folder + "/Package.swift")
      try Files.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>\(Self.id)</string>
        <key>CFBundleExecutable</key><string>TemplateApp</string>
        <key>UIBackgroundModes</key><array><string>fetch</string></array>
        </dict></plist>
        """.utf8, to: home.folder + "/Bundle/Info.plist")
      try Files.write(
        """
        #!/bin/sh
        case "$*" in *describe*) echo '\(described)' ;; *) echo \(Home.programs) ;; esac
        """.utf8, to: home.folder + "/swift")
      // By another process: what this one has open for writing, others that start just then have, too.
      #expect(system("install -D -m 700 '\(home.folder)/swift' '\(home.folder)/tools/swift'") == 0)
      home.tools = home.folder + "/tools"
      return ["run", "--package-path", home.folder, "--skip-build"]
    }

    @Test func `an app is made, installed, launched and followed, and is told though it was ended meanwhile`()
      async throws
    {
      let film = Content(seed: 8, size: 200_000)
      let server = try await HTTPTestServer.start()
      server.play("/film.mp4", .serve(Serving(film).with { $0.mishap = .hold }))
      try await withHome(.impatient) { home in
        try await home.start()

        let run = try home.command(package(home) + ["--", server.url("/film.mp4")])
        try await eventually("the download is under way") { !server.requests("/film.mp4").isEmpty }
        _ = try await home.call(ControlInterface.Terminate.self, .init(app: Self.id))
        server.release("/film.mp4")
        let status = try await run.ended()
        let file = home.path + "/data/containers/\(Self.id)/Documents/film.mp4"
        try await eventually("the app has been told") { Files.bytes(file) == Data(film.bytes) }

        #expect(status == 0, "it said: \(run.text)")
        #expect(run.text.contains("\nLaunched.\nDownloading http"), "it said: \(run.text)")
        let log = home.path + "/state/logs/\(Self.id).log"
        try await eventually("the app has said so") {
          Files.text(log).contains("Launched in the background, to be told.\nDownloaded \(file).\n")
        }
      }
      try await server.stop()
    }

    @Test func `the app finds at a fetch that a file is newer, says so once, and has it downloaded once`() async throws
    {
      let (film, cut) = (Content(seed: 8, size: 200_000), Content(seed: 9, size: 300_000))
      let server = try await HTTPTestServer.start()
      server.play(
        "/film.mp4", .serve(Serving(film)), .answer(status: 200, headers: ["ETag": "\"the cut\""]),
        .serve(Serving(cut).with { $0.mishap = .hold }))
      try await withHome(.impatient) { home in
        try await home.start()
        let command = try package(home)
        let file = home.path + "/data/containers/\(Self.id)/Documents/film.mp4"

        let run = try home.command(command + ["--", server.url("/film.mp4")])
        try await eventually("the film is there") { run.text.contains("\nDownloaded ") }
        run.send(SIGINT)
        _ = try await run.ended()
        _ = try await home.call(ControlInterface.Leave.self)
        let fetch = try home.command(["fetch", "now", Self.id])

        #expect(try await fetch.ended() == 0, "it said: \(fetch.text)")
        try await eventually("the newer film is on its way") { server.requests("/film.mp4").count == 3 }
        let again = try home.command(["fetch", "now", Self.id])
        #expect(try await again.ended() == 0, "it said: \(again.text)")
        server.release("/film.mp4")
        #expect(server.requests("/film.mp4").map(\.method) == ["GET", "HEAD", "GET"])
        try await eventually("the newer film is there") { Files.bytes(file) == Data(cut.bytes) }
        let notices = try await home.call(ControlInterface.ListNotices.self).notices
        #expect(notices.map(\.body) == ["There is something newer: film.mp4"])
      }
      try await server.stop()
    }

    @Test func `Ctrl-C leaves the app running and says so, and a crash ends the watching with 1`() async throws {
      try await withHome(.impatient) { home in
        try await home.start()
        let command = try package(home)

        let first = try home.command(command)
        try await eventually("the app says something") { first.text.contains("Nothing to download") }
        first.send(SIGINT)
        #expect(try await first.ended() == 130)
        #expect(first.text.contains("\(Self.id) goes on as process"))
        let left = try #require(home.apps.first)

        let second = try home.command(command)
        try await eventually("a new life has begun in place of the old") {
          second.text.contains("runs as process") && !home.apps.contains(left) && home.apps.count == 1
        }
        for app in home.apps { kill(app, SIGKILL) }

        #expect(try await second.ended() == 1)
        #expect(second.text.contains("nightjar: \(Self.id) was killed by signal 9."))
      }
    }
  }
}
