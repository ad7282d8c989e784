import Foundation
import NightjarClient
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
      server.play("/film", .serve(Serving(film).with { ($0.mishap, $0.mishapAfter) = (.hold, 50_000) }))
      try await withHome(.impatient) { home in
        let folder = home.folder + "/far"
        try Files.folder(folder)
        try Files.write([1, 2, 3], to: folder + "/source")
        try await home.start()
        try await home.run(["download", server.url("/film"), "--output", folder + "/film", "--no-wait"])
        let disk = try DeadDisk(over: folder)
        defer { disk.unmount() }
        server.release("/film")
        try await eventually("the film has come") { try await home.transfer(1)?.state == .delivering }

        let others = try (1...6).map { number in
          let place = home.folder + "/near-\(number)"
          return try home.command(["download", server.url("/file/\(number)/1000"), "--output", place])
        }
        let refusal = await #expect(throws: (any Error).self) {
          try await home.call(ControlInterface.Upload.self, upload(folder + "/source", to: server.url("/taken")))
        }
        let late = await #expect(throws: (any Error).self) {
          try await home.call(
            ControlInterface.Download.self,
            .init(
              key: String(repeating: "c", count: 32), url: server.url("/file/1/1000"), headers: [],
              destination: folder + "/late", overwrite: false))
        }
        for other in others { #expect(try await other.ended() == 0, "it said: \(other.text)") }
        let meanwhile = try await home.transfer(1)?.state
        disk.unmount()

        for error in [refusal, late] {
          let words = error.map { "\($0)" } ?? "nothing"
          #expect(words.contains("does not answer"), "it said: \(words)")
        }
        #expect(meanwhile == .delivering)
        try await eventually("the film is delivered") { Files.bytes(folder + "/film") == Data(film.bytes) }
        #expect(try await home.stop() == 0)
      }
      try await server.stop()
    }

    @Test func `a program on a dead file system is waited for by nobody but its own process`() async throws {
      let server = try await HTTPTestServer.start()
      server.play("/film", .serve(Serving(Content(seed: 7, size: 20_000)).with { $0.mishap = .hold }))
      let patience = ["NIGHTJAR_ATTACH_TIMEOUT": "600"]  // It is seen to be launched, however slow this machine is.
      try await withHome(patience.merging(.impatient) { $1 }) { home in
        let folder = home.folder + "/far"
        try Files.write("#!/bin/sh\n".utf8, to: folder + "/program")
        let probe = Probe(home: home)
        try probe.instruct(.init())
        try await home.start()
        try await probe.install()
        try await register(folder + "/program", in: home, downloading: server.url("/film"))
        try await eventually("the download is under way") { !server.requests("/film").isEmpty }
        let disk = try DeadDisk(over: folder)
        defer { disk.unmount() }
        server.release("/film")
        try await eventually("the program is launched") {
          try await state(of: Self.program, in: home) == .launching
        }

        let launch = try home.command(["launch", Probe.id])

        #expect(try await launch.ended() == 0, "it said: \(launch.text)")
        #expect(try await state(of: Self.program, in: home) != .notRunning)
        #expect(try await home.stop() == 0)
      }
      try await server.stop()
    }

    @Test func `who installs from a dead file system holds up nobody who installs from elsewhere`() async throws {
      try await withHome(.impatient) { home in
        let folder = home.folder + "/far"
        try Files.write([1, 2, 3], to: folder + "/source")
        try await home.start()
        let disk = try DeadDisk(over: folder)
        defer { disk.unmount() }
        let far = ControlInterface.Install.Parameters(path: folder + "/Far.app")
        let stuck = try DaemonConnection(to: home.socket).replies(to: ControlInterface.Install.self, far)
        _ = try await home.call(ControlInterface.ListApps.self)  // The daemon has read that by now.

        let near = try home.command(["install", try Probe(home: home).bundle()])
        #expect(try await near.ended() == 0, "it said: \(near.text)")
        // Once an upload was refused, the file system has been silent for long enough.
        await #expect(throws: (any Error).self) {
          try await home.call(
            ControlInterface.Upload.self, upload(folder + "/source", to: "http://localhost/nowhere"))
        }
        let refusal = await #expect(throws: (any Error).self) {
          try await home.call(ControlInterface.Install.self, far)
        }

        let words = refusal.map { "\($0)" } ?? "nothing"
        #expect(words.contains("does not answer"), "it said: \(words)")
        #expect(try await home.stop() == 0)
        await #expect(throws: (any Error).self) { for try await _ in stuck {} }
      }
    }

    private static let program = "org.example.far"

    /// Does what the program would: says how it is launched again, asks for a download, and is gone.
    private func register(_ program: String, in home: Home, downloading url: String) async throws {
      let (listening, asking) = (try DaemonConnection(to: home.socket), try DaemonConnection(to: home.socket))
      defer { for connection in [listening, asking] { connection.close() } }
      let itself = AppInterface.Program(name: Self.program, relaunch: [program])
      for try await _ in try listening.replies(to: AppInterface.Attach.self, .init(program: itself)) {
        let session = try await asking.call(AppInterface.OpenSession.self, .init(session: "far"))
        let task = AppInterface.NewTask(
          key: String(repeating: "b", count: 32), task: session.nextTask, direction: .download, method: "GET", url: url,
          headers: [])
        _ = try await asking.call(AppInterface.Enqueue.self, .init(session: "far", task: task))
        return
      }
    }

    private func state(of app: String, in home: Home) async throws -> ControlInterface.App.State? {
      try await home.call(ControlInterface.ListApps.self).apps.first { $0.id == app }?.state
    }

    private func upload(_ file: String, to url: String) -> ControlInterface.Upload.Parameters {
      .init(key: String(repeating: "a", count: 32), url: url, method: "PUT", headers: [], file: file)
    }
  }
}
