import Foundation
import NightjarWire
import Patience
import ScriptedServer
import Testing

extension EndToEndTests {
  /// Apps that leave the foreground, stand still, and come back.
  @Suite struct LifeTests {
    @Test(arguments: [[:], ["NIGHTJAR_CGROUPS": "never"]])
    func `an app that a person leaves is frozen, and comes back where it was`(
      means: [String: String]
    ) async throws {
      try await withHome(means.merging(.impatient) { $1 }) { home in
        let probe = Probe(home: home)
        try probe.instruct(.init())
        try await home.start()
        try await probe.install()
        let pid = pid_t(try await probe.launch())
        try await eventually("the app is active") { probe.calls.contains("didBecomeActive") }

        let left = try await home.run(["leave"])
        try await eventually("the app is suspended") { try await probe.state() == .suspended }
        try await eventually("it stands still") { home.isFrozen(pid) }
        let again = pid_t(try await probe.launch())
        try await eventually("it is active again") { probe.calls.last == "didBecomeActive" && probe.calls.count > 4 }

        #expect(left.contains("\(Probe.id) has left the foreground"))
        #expect(again == pid && !home.isFrozen(pid))
        #expect(
          probe.calls == [
            "didFinishLaunching", "didBecomeActive", "willResignActive", "didEnterBackground", "willEnterForeground",
            "didBecomeActive",
          ])
      }
    }

    @Test func `the daemon is scheduled as a batch, and its apps as processes usually are`() async throws {
      try await withHome { home in
        let probe = Probe(home: home)
        try probe.instruct(.init())
        try await home.start()
        try await probe.install()

        let pid = pid_t(try await probe.launch())

        #expect(schedulingPolicy(of: home.daemon!.pid) == 3)  // SCHED_BATCH, which Glibc does not name here.
        #expect(schedulingPolicy(of: pid) == SCHED_OTHER)
      }
    }

    /// The policy of a process whose name has no spaces (proc(5)).
    private func schedulingPolicy(of pid: pid_t) -> Int32? {
      let words = Files.text("/proc/\(pid)/stat").split(separator: " ")
      return words.count > 40 ? Int32(words[40]) : nil
    }

    @Test(arguments: [[:], ["NIGHTJAR_CGROUPS": "never"]])
    func `an app that would be suspended with a lock on a shared file is ended, and its history says over which`(
      means: [String: String]
    ) async throws {
      try await withHome(means.merging(.impatient) { $1 }) { home in
        let probe = Probe(home: home)
        try probe.instruct(.init(locksIn: "group.probe"))
        try await home.start()
        try await probe.install()
        _ = try await probe.launch()
        try await eventually("the app is active") { probe.calls.contains("didBecomeActive") }

        try await home.run(["leave"])
        try await eventually("the app is gone") { try await probe.state() == .notRunning }
        home.crash()
        try await home.start()
        let why = try await home.run(["why", Probe.id])
        let history = try await home.run(["history", Probe.id])

        #expect(why.contains("groups/group.probe/shared"), "it said: \(why)")
        let kinds = history.split(separator: "\n").dropFirst().map { $0.split(separator: " ")[1] }
        #expect(kinds == ["launched", "background", "locked", "exited"], "it said: \(history)")
      }
    }

    @Test
    func
      `when memory is short the app that runs is told, and the one that stands still is ended without hearing of it`()
      async throws
    {
      try await withHome(.impatient) { home in
        let (sleeper, runner) = (Probe(home: home), Probe(home: home, app: "dev.nightjar.other"))
        try await home.start()
        for probe in [sleeper, runner] {
          try probe.instruct(.init())
          try await probe.install()
          _ = try await probe.launch()
          try await eventually("the app is active") { probe.calls.contains("didBecomeActive") }
        }
        try await eventually("the first is suspended") { try await sleeper.state() == .suspended }

        let told = try await home.run(["device", "warn-memory", "--urgent"])
        try await eventually("the first is ended") { try await sleeper.state() == .notRunning }
        try await eventually("the second hears of it") { runner.calls.last == "didReceiveMemoryWarning" }
        let why = try await home.run(["why", Probe.id])

        #expect(told == "Told: dev.nightjar.other.\n")
        #expect(sleeper.calls.last == "didEnterBackground")
        #expect(why.contains("since memory is short: it was suspended, with"), "it said: \(why)")
        #expect(try await runner.state() == .foreground)
      }
    }

    @Test func `a suspended app is woken for its session, told, and suspended again, in the same process`() async throws
    {
      let film = Content(seed: 3, size: 200_000)
      let server = try await HTTPTestServer.start()
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        let pid = try await probe.download(film, from: server)

        try await home.run(["leave"])
        try await eventually("the app is suspended") { try await probe.state() == .suspended && home.isFrozen(pid) }
        server.release("/film")
        try await eventually("the app is told and acknowledges") { try await probe.hasSettled(["film"]) }
        try await eventually("the app is suspended") { try await probe.state() == .suspended && home.isFrozen(pid) }

        #expect(Set(probe.heard.map(\.pid)) == [pid])
        #expect(probe.file("film") == Data(film.bytes))
        let told = probe.calls.drop { $0 != "didEnterBackground" }
        #expect(told.contains("handleEvents") && told.last == "handlerCalled")
      }
      try await server.stop()
    }

    @Test func `a suspended app outlives a killed daemon, and is told by the next`() async throws {
      let film = Content(seed: 3, size: 300_000)
      let server = try await HTTPTestServer.start()
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        let pid = try await probe.download(film, from: server)
        try await home.run(["leave"])
        try await eventually("the app is suspended") { try await probe.state() == .suspended && home.isFrozen(pid) }

        home.crash()
        let isFrozen = home.isFrozen(pid)
        try await home.start()
        server.release("/film")
        try await eventually("the app is told and acknowledges") { try await probe.hasSettled(["film"]) }

        #expect(isFrozen)
        #expect(Set(probe.heard.map(\.pid)) == [pid])
        #expect(probe.file("film") == Data(film.bytes))
      }
      try await server.stop()
    }

    @Test func `a background task keeps the app running until it is done`() async throws {
      let limits = ["NIGHTJAR_TASK_TIME": "600"]  // However slow this machine is.
      try await withHome(limits.merging(.impatient) { $1 }) { home in
        let probe = Probe(home: home)
        try probe.instruct(.init(worksWhile: "work"))
        try Files.write([], to: probe.documents + "/work")
        try await home.start()
        try await probe.install()
        try await probe.launch()
        try await eventually("the app is active") { probe.calls.contains("didBecomeActive") }

        try await home.run(["leave"])
        try await eventually("the task has begun") { probe.calls.contains("began") }
        let running = try await home.run(["why", Probe.id])
        try FileManager.default.removeItem(atPath: probe.documents + "/work")
        try await eventually("the app is suspended once it is done") { try await probe.state() == .suspended }
        let suspended = try await home.run(["why", Probe.id])

        #expect(probe.calls.contains("worked") && !probe.calls.contains("expired"))
        #expect(running.contains("Its background tasks 'work' may go on for"), "it said: \(running)")
        #expect(suspended.hasPrefix("It is suspended"), "it said: \(suspended)")
        #expect((1...600).contains(probe.heard.first { $0.call == "began" }?.count ?? 0))
      }
    }

    @Test func `a background task that goes on too long costs the app its life`() async throws {
      // Ten seconds to begin, and as many to hear that it is time.
      let limits = ["NIGHTJAR_TASK_TIME": "20", "NIGHTJAR_TASK_WARNING": "10"]
      try await withHome(limits.merging(.impatient) { $1 }) { home in
        let probe = Probe(home: home)
        try probe.instruct(.init(worksWhile: "work"))
        try Files.write([], to: probe.documents + "/work")
        try await home.start()
        try await probe.install()
        try await probe.launch()
        try await eventually("the app is active") { probe.calls.contains("didBecomeActive") }

        try await home.run(["leave"])
        try await eventually("the app is killed") { try await probe.state() == .notRunning }
        let log = try await home.run(["log", Probe.id])

        #expect(probe.calls.last == "expired")
        #expect(
          log.contains("is killed: it did not end 'work' when its time in the background was up"), "it said: \(log)")
      }
    }

    @Test func `no suspended app is left behind by a daemon that is asked to stop`() async throws {
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        try probe.instruct(.init())
        try await home.start()
        try await probe.install()
        try await probe.launch()
        try await eventually("the app is active") { probe.calls.contains("didBecomeActive") }
        try await home.run(["leave"])
        try await eventually("the app is suspended") { try await probe.state() == .suspended }

        let status = try await home.stop()

        try await eventually("nothing of it is left") { home.apps.isEmpty }
        #expect(status == 0 && !probe.calls.contains("willTerminate"))
      }
    }
  }
}

extension Home {
  /// Whether the kernel gives a process no time: its cgroup is frozen, or it is stopped.
  func isFrozen(_ pid: pid_t) -> Bool {
    let state = Files.text("/proc/\(pid)/stat").split(separator: ")").last?.split(separator: " ").first
    let cgroup = Files.text("/proc/\(pid)/cgroup").split(separator: "\n").first { $0.hasPrefix("0::") }?.dropFirst(3)
    let roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]
    let isFrozen = roots.contains { Files.text($0 + (cgroup ?? "") + "/cgroup.events").contains("frozen 1") }
    return isFrozen || state == "T"
  }
}
