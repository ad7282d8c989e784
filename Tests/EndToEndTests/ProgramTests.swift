import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

/// A Python that has PyPI's varlink.
private let python = ProcessInfo.processInfo.environment["NIGHTJAR_PYTHON"]

extension EndToEndTests {
  /// A program that is no bundle: the example in Python, over PyPI's varlink.
  @Suite(.enabled(if: python != nil, "NIGHTJAR_PYTHON names no Python with varlink"))
  struct ProgramTests {
    private static let id = "org.example.fetch"
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Examples/Python/fetch.py").path()

    private func start(_ home: Home, _ url: String, _ target: String) throws -> Spawned {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      return try Spawned(
        [python ?? "python3", Self.script, url, target],
        environment: ["NIGHTJAR_SOCKET": home.socket, "PATH": path, "HOME": home.folder],
        output: home.folder + "/program.log")
    }

    @Test func `a program in Python is told of its download while it waits`() async throws {
      let server = try await HTTPTestServer.start()
      try await withHome(.impatient) { home in
        try await home.start()
        let target = home.folder + "/film"

        let program = try start(home, server.url("/file/3/70000"), target)

        #expect(try await program.ended() == 0, "it said: \(program.text)")
        #expect(program.text == "attached as \(Self.id)\ntold: \(target)\n")
        #expect(Files.bytes(target) == Data(Content(seed: 3, size: 70_000).bytes))
        #expect(try await home.call(ControlInterface.Status.self).transfers == 0)
      }
      try await server.stop()
    }

    @Test func `a program in Python is told why there is no file`() async throws {
      let server = try await HTTPTestServer.start()
      server.play("/film", .answer(status: 404, body: "no such film"))
      try await withHome(.impatient) { home in
        try await home.start()
        let target = home.folder + "/film"

        let program = try start(home, server.url("/film"), target)

        #expect(try await program.ended() == 0, "it said: \(program.text)")
        #expect(program.text.hasSuffix("told: the server answered 404, which is not the file\n"))
        #expect(!Files.names(home.folder).contains("film"))
        #expect(try await home.call(ControlInterface.Status.self).transfers == 0)
      }
      try await server.stop()
    }

    @Test func `started by a person without a URL it says how it is used, and waits for nothing`() async throws {
      try await withHome(.impatient) { home in
        try await home.start()
        let program = try Spawned(
          [python ?? "python3", Self.script], environment: ["NIGHTJAR_SOCKET": home.socket],
          output: home.folder + "/program.log")

        #expect(try await program.ended() == 1)
        #expect(program.text.contains("fetch.py URL TARGET"))
        #expect(try await home.call(ControlInterface.ListApps.self).apps.isEmpty)
      }
    }

    @Test func `killed meanwhile, it is relaunched by its own command and told`() async throws {
      let film = Content(seed: 4, size: 200_000)
      let server = try await HTTPTestServer.start()
      // Under way for as long as the three commands take that look.
      server.play("/film", .serve(Serving(film).with { ($0.mishap, $0.mishapAfter) = (.hold, 100_000) }))
      try await withHome(.impatient) { home in
        try await home.start()
        let target = home.folder + "/film"
        let program = try start(home, server.url("/film"), target)
        try await eventually("the download is under way") { !server.requests("/film").isEmpty }
        #expect(try await home.run(["apps"]).contains("\(Self.id)  \(Self.id)  attached"))

        program.crash()
        try await eventually("the daemon has seen it go") { try await home.run(["apps"]).contains("notRunning") }
        let why = try await home.run(["why", "1"])
        server.release("/film")
        try await eventually("the relaunched program has put the file in its place") {
          Files.bytes(target) == Data(film.bytes)
        }

        #expect(why.hasPrefix("It is under way."), "it said: \(why)")
        #expect(server.requests("/film").count == 1)
        try await eventually("it has ended") { try await home.run(["log", Self.id]).contains("exited 0") }
        #expect(try await home.run(["log", Self.id]).contains("attached as \(Self.id)\ntold: \(target)\n"))
      }
      try await server.stop()
    }

    /// Attaches, and ends while a child holds the connection open; says the child's process id.
    private static let forking = """
      import os, time, varlink
      line = varlink.Client("unix:" + os.environ["NIGHTJAR_SOCKET"]).open("dev.nightjar.App")
      next(line.Attach({"name": "org.example.fork", "relaunch": ["/bin/true"]}, _more=True))
      if child := os.fork():
          print(child, flush=True)
          os._exit(0)
      time.sleep(600)
      """

    @Test func `a program that has ended is gone, though a child of it holds its connection open`() async throws {
      try await withHome(.impatient) { home in
        try await home.start()
        let program = try Spawned(
          [python ?? "python3", "-c", Self.forking], environment: ["NIGHTJAR_SOCKET": home.socket],
          output: home.folder + "/program.log")
        #expect(try await program.ended() == 0, "it said: \(program.text)")
        let child = try #require(Int32(program.text.trimmingCharacters(in: .whitespacesAndNewlines)))
        defer { kill(child, SIGKILL) }

        try await eventually("the daemon has seen it go") { try await home.run(["apps"]).contains("notRunning") }

        #expect(kill(child, 0) == 0)
      }
    }

    @Test func `a program is forgotten with its transfers, and is not left waiting`() async throws {
      let server = try await HTTPTestServer.start()
      server.play("/film", .serve(Serving(Content(seed: 5, size: 10_000_000)).with { $0.speed = 100_000 }))
      try await withHome(.impatient) { home in
        try await home.start()
        let program = try start(home, server.url("/film"), home.folder + "/film")
        try await eventually("the download is under way") { !server.requests("/film").isEmpty }

        try await home.run(["uninstall", Self.id])

        #expect(try await home.run(["apps"]) == "No apps.\n")
        #expect(try await home.call(ControlInterface.Status.self).transfers == 0)
        #expect(try await program.ended() == 1)
        #expect(program.text.contains("Disconnected"), "it said: \(program.text)")
      }
      try await server.stop()
    }
  }
}
