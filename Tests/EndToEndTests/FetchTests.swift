import Foundation
import NightjarClient
import NightjarWire
import Patience
import ScriptedServer
import Testing

extension EndToEndTests {
  /// Background fetches: through a real daemon to the delegate of a real app, and back.
  @Suite struct FetchTests {
    @Test func `an app that does not run is launched into the background to fetch, and suspended with a new snapshot`()
      async throws
    {
      try await withFetcher(.init(fetch: .init(result: "newData"), shows: true)) { home, probe in
        try await probe.launch()
        try await eventually("it is active") { probe.calls.contains("didBecomeActive") }
        try await probe.terminate()
        try await eventually("it has ended") { try await probe.state() == .notRunning }

        let outcome = try await probe.fetchNow()
        try await eventually("it is suspended") { try await probe.state() == .suspended }
        let snapshot = try await home.run(["view", "--snapshot", Probe.id])

        #expect(outcome == .newData)
        let pid = probe.heard.last?.pid
        let life = probe.heard.filter { $0.pid == pid && $0.call != "shouldRestore" }.map(\.call)
        #expect(life == ["didFinishLaunching", "didEnterBackground", "performFetch", "fetched"])
        #expect(probe.places == ["background"] && Set(probe.heard.map(\.pid)).count == 2)
        #expect(snapshot.contains("fetched 1"), "it showed: \(snapshot)")
      }
    }

    @Test func `a suspended app is thawed, fetches where it was, and is suspended again`() async throws {
      try await withFetcher(.init(fetch: .init(result: "noData", elsewhere: true))) { home, probe in
        let pid = pid_t(try await probe.launch())
        try await eventually("it is active") { probe.calls.contains("didBecomeActive") }
        try await home.run(["leave"])
        try await eventually("it stands still") { home.isFrozen(pid) }

        let outcome = try await probe.fetchNow()
        try await eventually("it stands still again") { home.isFrozen(pid) }

        #expect(outcome == .noData)
        #expect(probe.calls.suffix(3) == ["didEnterBackground", "performFetch", "fetched"])
        #expect(probe.places == ["background"] && Set(probe.heard.map(\.pid)) == [pid])
      }
    }

    @Test func `an app in the foreground fetches there, and stays`() async throws {
      try await withFetcher(.init(fetch: .init(result: "failed"))) { _, probe in
        try await probe.launch()
        try await eventually("it is active") { probe.calls.contains("didBecomeActive") }

        let outcome = try await probe.fetchNow()

        #expect(outcome == .failed && probe.places == ["active"])
        #expect(try await probe.state() == .foreground)
      }
    }

    @Test func `a completion handler that is called twice is heard once, and its app's log says so`() async throws {
      try await withFetcher(.init(fetch: .init(result: "newData", twice: true))) { home, probe in
        let outcomes = [try await probe.fetchNow(), try await probe.fetchNow()]
        let log = try await home.run(["log", Probe.id])

        #expect(outcomes == [.newData, .newData])
        #expect(log.contains("the completion handler was called again, with .failed"), "it said: \(log)")
      }
    }

    @Test func `a fetch that takes too long ends with the app suspended, and its late result is taken`() async throws {
      let fetch = Instructions.Fetch(result: "newData", waitsWhile: "busy")
      try await withFetcher(.init(fetch: fetch), ["NIGHTJAR_FETCH_TIMEOUT": "1"]) { home, probe in
        try Files.write([], to: probe.documents + "/busy")

        let outcome = try await probe.fetchNow()
        try await eventually("it is suspended") { try await probe.state() == .suspended }
        let early = probe.calls
        try FileManager.default.removeItem(atPath: probe.documents + "/busy")
        try await probe.launch()
        try await eventually("it has come to its end") { probe.calls.contains("fetched") }
        try await eventually("the log tells of it") {
          try await home.run(["log", Probe.id]).contains("newData")
        }
        let log = try await home.run(["log", Probe.id])

        #expect(outcome == .late && !early.contains("fetched"))
        #expect(log.contains("did not end its fetch within 1 s"), "it said: \(log)")
        #expect(Set(probe.heard.map(\.pid)).count == 1)
      }
    }

    @Test func `a completion handler that is never called costs nothing but the time`() async throws {
      try await withFetcher(.init(fetch: .init()), ["NIGHTJAR_FETCH_TIMEOUT": "1"]) { home, probe in
        let outcomes = [try await probe.fetchNow(), try await probe.fetchNow()]
        try await eventually("it is suspended") { try await probe.state() == .suspended }
        try await probe.launch()
        try await eventually("it has heard of both") { probe.places.count == 2 }

        #expect(outcomes == [.late, .late] && probe.places == ["background", "background"])
        #expect(Set(probe.heard.map(\.pid)).count == 1)
      }
    }

    @Test func `a download that a fetch has resumed goes on while the app stands still, and wakes it at its end`()
      async throws
    {
      let film = Content(seed: 3, size: 300_000)
      let server = try await HTTPTestServer.start()
      server.play("/film", .serve(Serving(film).with { $0.mishap = .hold }))
      let fetch = Instructions.Fetch(
        result: "newData", queues: [.init(name: "film", url: server.url("/film"))])
      try await withFetcher(.init(fetch: fetch)) { _, probe in
        let outcome = try await probe.fetchNow()
        let early = probe.completed
        try await eventually("it is suspended") { try await probe.state() == .suspended }
        server.release("/film")
        try await eventually("the app is told and acknowledges") { try await probe.hasSettled(["film"]) }
        try await eventually("it is suspended") { try await probe.state() == .suspended }

        #expect(outcome == .newData && early == [])
        #expect(probe.file("film") == Data(film.bytes))
        #expect(probe.heard.contains { $0.call == "handleEvents" })
      }
      try await server.stop()
    }

    @Test func `an app that is killed while it fetches has failed, and fetches again when it is asked`() async throws {
      try await withFetcher(.init(fetch: .init(result: "newData", waitsWhile: "busy"))) { home, probe in
        try Files.write([], to: probe.documents + "/busy")
        let socket = home.socket
        async let first = Self.fetch(Probe.id, at: socket)
        try await eventually("it fetches") { probe.calls.contains("performFetch") }

        kill(try #require(probe.heard.last?.pid), SIGKILL)
        let end = await first
        try FileManager.default.removeItem(atPath: probe.documents + "/busy")
        let second = try await probe.fetchNow()

        #expect(end.hasPrefix("ended: "), "it ended with \(end)")
        #expect(second == .newData && Set(probe.heard.map(\.pid)).count == 2)
      }
    }

    @Test func `an app outlives a daemon that is killed while it fetches, and fetches for the next`() async throws {
      try await withFetcher(.init(fetch: .init(result: "newData", waitsWhile: "busy"))) { home, probe in
        try Files.write([], to: probe.documents + "/busy")
        let socket = home.socket
        async let first = Self.fetch(Probe.id, at: socket)
        try await eventually("it fetches") { probe.calls.contains("performFetch") }

        home.crash()
        _ = await first
        try await home.start()
        try FileManager.default.removeItem(atPath: probe.documents + "/busy")
        try await eventually("it is suspended") { try await probe.state() == .suspended }
        let second = try await probe.fetchNow()

        #expect(second == .newData)
        #expect(probe.places == ["background", "background"] && Set(probe.heard.map(\.pid)).count == 1)
      }
    }

    @Test func `what an app does not declare is refused with the command that declares it`() async throws {
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        try probe.instruct(.init(fetch: .init(result: "newData"), fetchInterval: 0))
        try await home.start()
        try await probe.install()
        try await probe.launch()
        try await eventually("it is active") { probe.calls.contains("didBecomeActive") }

        let refusal = await Self.fetch(Probe.id, at: home.socket)
        let hint = "nightjar capabilities \(Probe.id) add fetch"
        try await eventually("its log has the hint") { try await home.run(["log", Probe.id]).contains(hint) }
        try await home.run(["capabilities", Probe.id, "add", "fetch"])
        let outcome = try await probe.fetchNow()

        #expect(refusal.hasPrefix("notDeclared") && refusal.contains(hint), "it was refused with \(refusal)")
        #expect(outcome == .newData)
      }
    }

    @Test func `an interval is kept over restarts of the app and the daemon`() async throws {
      try await withFetcher(.init(fetchInterval: 3600)) { home, probe in
        try await probe.launch()
        try await eventually("it is known") { try await probe.fetches()?.interval == 3600 }
        try await probe.terminate()
        home.crash()
        try await home.start()

        let interval = try await probe.fetches()?.interval

        #expect(interval == 3600)
      }
    }

    /// What a fetch comes to in words: its outcome, or the code and the reason of the refusal.
    private static func fetch(_ app: String, at socket: String) async -> String {
      do {
        return try await DaemonConnection(to: socket).call(ControlInterface.FetchNow.self, .init(app: app)).outcome
          .rawValue
      } catch {
        let refusal = error.failure as? ControlInterface.FetchRefused
        return refusal.map { "\($0.code): \($0.reason)" } ?? "\(error)"
      }
    }
  }
}

/// Runs `body` in a home with a daemon and the probe, which declares that it fetches.
func withFetcher(
  _ instructions: Instructions, _ settings: [String: String] = [:], permitted: [String] = [],
  _ body: (Home, Probe) async throws -> Void
) async throws {
  try await withHome(settings.merging(.impatient) { $1 }) { home in
    let probe = Probe(home: home, modes: ["fetch", "processing"], permitted: permitted)
    try probe.instruct(instructions)
    try await home.start()
    try await probe.install()
    try await body(home, probe)
  }
}

extension Probe {
  /// Has the app fetch, or run a task, and waits for what comes of it.
  func fetchNow(task: String? = nil) async throws -> ControlInterface.FetchOutcome {
    try await home.call(ControlInterface.FetchNow.self, .init(app: app, request: task)).outcome
  }

  /// How it stands with its fetches.
  func fetches() async throws -> ControlInterface.AppFetches? {
    try await home.call(ControlInterface.ListFetches.self, .init(app: app)).apps.first
  }

  /// Where it was when it was told to fetch.
  fileprivate var places: [String] { heard.filter { $0.call == "performFetch" }.compactMap(\.detail) }
}
