import Patience
import Foundation
import NightjarClient
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

    @Test func `a daemon whose socket cannot be made says so`() async throws {
      try await withHome { home in
        try Files.write("no socket".utf8, to: home.socket)

        let daemon = try home.spawnDaemon()

        #expect(try await daemon.ended() == 1)
        #expect(daemon.text.contains(home.socket), "it said: \(daemon.text)")
      }
    }

    @Test func `the daemon has as many descriptors as it may, and outlives its terminal and its log's reader`()
      async throws
    {
      try await withHome { home in
        try await home.start(under: ["sh", "-c", "ulimit -Sn 256; exec \"$0\" \"$@\""])

        let process = "/proc/\(home.daemon!.pid)"
        let files = words(process + "/limits", after: "Max open files")
        let ignored = words(process + "/status", after: "SigIgn:").first.flatMap { UInt64($0, radix: 16) } ?? 0
        #expect(files.count == 3 && files[0] == files[1])
        #expect(ignored & 1 << UInt64(SIGHUP - 1) != 0 && ignored & 1 << UInt64(SIGPIPE - 1) != 0)
      }
    }

    @Test(arguments: ["--settings", "--help", "--version"], [">/dev/full", ">&-"])
    func `what the daemon's program was asked for and could not write is a failure`(flag: String, output: String)
      async throws
    {
      try await withHome { home in
        let asked = try home.spawnDaemon(under: ["sh", "-c", "exec \"$0\" \(flag) \(output)"])

        #expect(try await asked.ended() == 1)
        #expect(asked.text.contains("cannot write to the standard output"), "it said: \(asked.text)")
      }
    }

    @Test func `a daemon that was started without its standard descriptors opens none of its own in their place`()
      async throws
    {
      try await withHome { home in
        let daemon = try home.spawnDaemon(under: ["sh", "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-"])
        try await eventually("it serves") { (try? await home.call(ControlInterface.Status.self)) != nil }

        let places = (0..<3).map {
          try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(daemon.pid)/fd/\($0)")
        }

        #expect(places == ["/dev/null", "/dev/null", "/dev/null"])
      }
    }

    /// The words that follow these in a line of a file.
    private func words(_ file: String, after beginning: String) -> [Substring] {
      let line = Files.text(file).split(separator: "\n").first { $0.hasPrefix(beginning) } ?? ""
      return line.dropFirst(beginning.count).split(whereSeparator: \.isWhitespace)
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
        try Files.write(Data("half a film".utf8), to: home.staging + "/7.part")

        try await home.start()

        let told = try await home.run(["status"])
        #expect(told.contains("was set aside as \(home.database).damaged-1"), "it said: \(told)")
        #expect(Files.bytes(home.database + ".damaged-1") == damaged)
        #expect(told.contains("\(home.staging).damaged-1"), "it said: \(told)")
        #expect(Files.text(home.staging + ".damaged-1/7.part") == "half a film")
        #expect(Files.names(home.staging).isEmpty)
      }
    }

    @Test func `what was set aside is told even by a daemon that cannot start after all`() async throws {
      try await withHome { home in
        try await home.start()
        #expect(try await home.stop() == 0)
        try Files.write(Data(repeating: 0x5A, count: 100_000), to: home.database)
        try Files.write("no socket".utf8, to: home.socket)

        let refused = try home.spawnDaemon()

        #expect(try await refused.ended() == 1)
        #expect(refused.text.contains("was set aside as \(home.database).damaged-1"), "it said: \(refused.text)")
      }
    }

    @Test func `a daemon whose socket is removed with its folder is found again, and keeps its clients`() async throws {
      try await withHome { home in
        try await home.start()
        let before = try DaemonConnection(to: home.socket)

        try FileManager.default.removeItem(atPath: home.path + "/run")
        try await eventually("it is found again") {
          (try? await DaemonConnection(to: home.socket).call(ControlInterface.Status.self)) != nil
        }

        #expect(try await before.call(ControlInterface.Status.self).pid == Int64(home.daemon!.pid))
        #expect(home.log.contains("was removed, and is bound anew"))
        #expect(try await home.stop() == 0)
        #expect(Files.names(home.path + "/run").isEmpty)
      }
    }

    @Test func `a daemon that may open too few files says so`() async throws {
      try await withHome { home in
        let refused = try home.spawnDaemon(under: ["sh", "-c", "ulimit -n 20; exec \"$0\" \"$@\""])

        #expect(try await refused.ended() == 1)
        #expect(refused.text.contains("raise the limit (ulimit -n"), "it said: \(refused.text)")
      }
    }

    @Test func `a database that was moved away takes nothing that would be lost, and goes on once it is back`()
      async throws
    {
      let download = ["download", "--no-wait", "http://127.0.0.1:1/film"]
      try await withHome { home in
        try await home.start()
        try await home.run(["status"])  // What it commits at its start is committed by then.
        try #require(rename(home.database, home.database + ".away") == 0)

        let asked = try home.command(download)
        let status = try await asked.ended()
        let refused = try home.command(download)
        #expect(try await refused.ended() != 0)
        rename(home.database + ".away", home.database)

        #expect(status != 0)
        for command in [asked, refused] {
          #expect(command.text.contains("was removed or replaced while it was in use"), "it said: \(command.text)")
        }
        try await eventually("what was asked first is taken in") {
          (try? await home.run(["transfers"]))?.split(separator: "\n").count { $0.contains("film") } == 1
        }
      }
    }

    @Test func `a database that has lost its log says what is forgotten`() async throws {
      try await withHome { home in
        try await home.start()
        try await home.run(["download", "--no-wait", "http://127.0.0.1:1/film"])
        home.crash()
        unlink(home.database + "-wal")

        try await home.start()

        let told = try await home.run(["status"])
        #expect(told.contains("holds nothing, though this home was in use before"), "it said: \(told)")
      }
    }

    @Test func `a database that has lost its log since its last checkpoint says what may be missing`() async throws {
      try await withHome { home in
        try await home.start()
        try await home.run(["download", "--no-wait", "http://127.0.0.1:1/early"])
        #expect(try await home.stop() == 0)
        try await home.start()
        try await home.run(["download", "--no-wait", "http://127.0.0.1:1/late"])
        home.crash()
        unlink(home.database + "-wal")

        try await home.start()

        let told = try await home.run(["status"])
        let list = try await home.run(["transfers"])
        #expect(told.contains("may be missing"), "it said: \(told)")
        #expect(list.contains("early") && !list.contains("late"), "it said: \(list)")
      }
    }

    @Test func `without its data folder, as when that is not mounted, the daemon refuses to start and forgets nothing`()
      async throws
    {
      let away = "/data-away"
      try await withHome { home in
        try await home.start()
        try await Probe(home: home).install()
        #expect(try await home.stop() == 0)
        rename(home.path + "/data", home.path + away)
        try Files.folder(home.path + "/data")

        let refused = try home.spawnDaemon()

        #expect(try await refused.ended() != 0)
        #expect(refused.text.contains("perhaps its disk is not mounted"), "it said: \(refused.text)")
        #expect(Files.names(home.path + "/data").isEmpty)
        try FileManager.default.removeItem(atPath: home.path + "/data")
        rename(home.path + away, home.path + "/data")
        try await home.start()
        #expect(try await home.call(ControlInterface.ListApps.self).apps.map(\.id).contains(Probe.id))
      }
    }

    @Test func `the last app may be removed by hand, and then it is gone`() async throws {
      try await withHome { home in
        try await home.start()
        try await Probe(home: home).install()
        #expect(try await home.stop() == 0)
        try FileManager.default.removeItem(atPath: home.path + "/data/apps/" + Probe.id)

        try await home.start()

        // The daemon answers from its first moment on, and settles what it has found once it knows the device's
        // conditions.
        try await eventually("the app is gone") { try await home.call(ControlInterface.ListApps.self).apps.isEmpty }
      }
    }

    @Test func `who knows a stopped daemon by its socket alone is told that it is stopped`() async throws {
      try await withHome { home in
        try await home.start()
        let daemon = home.daemon!.pid
        let environment = home.environment.filter { $0.key != "NIGHTJAR_HOME" }
        let wait = try Spawned(
          [Home.programs + "/nightjar", "download", "http://127.0.0.1:9/film", "--output", home.folder + "/film"],
          environment: environment.merging(["NIGHTJAR_SOCKET": home.socket]) { $1 }, output: home.folder + "/wait.log")
        try await eventually("the download is queued") { wait.text.contains("Transfer 1: downloading") }

        kill(daemon, SIGSTOP)
        try await eventually("the daemon is stopped") { Files.text("/proc/\(daemon)/stat").contains(") T ") }
        wait.send(SIGINT)

        #expect(try await wait.ended() == 130)
        #expect(wait.text.contains("after `kill -CONT \(daemon)` goes on with: 1"), "it said: \(wait.text)")
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
