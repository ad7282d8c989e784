import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// What a machine does to a daemon, and what it keeps from one. A test needs root for it.
  @Suite struct MachineTests {
    /// A reboot as the daemon sees it: nothing of ours runs any more, the kernel's boot id is another, the clock that
    /// counts since the boot began anew, and what was in the runtime folder is gone.
    @Test(.enabled(if: Rights.mayMakeMachines, "only root may mount and make namespaces"))
    func `a reboot loses no transfer and wakes the app`() async throws {
      let film = Content(seed: 6, size: 400_000)
      let server = try await HTTPTestServer.start()
      let slowly = Serving(film).with { ($0.speed, $0.mishap, $0.mishapAfter) = (100_000, .stall, 300_000) }
      server.play("/film", .serve(slowly), .serve(Serving(film)))
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        try probe.instruct(.init(transfers: [.init(name: "film", url: server.url("/film"))]))
        try await home.start(under: try home.machine(bootedFor: 1_000_000))
        try await probe.install()
        try await probe.launch()
        try await eventually("bytes have come") { try await home.transfer(1)?.count ?? 0 > 0 }

        home.crash()
        home.endApps()
        try FileManager.default.removeItem(atPath: home.path + "/run")
        try await home.start(under: try home.machine(bootedFor: 10))
        try await eventually("the app is launched and told") {
          try await probe.hasSettled(["film"])
        }

        #expect(probe.file("film") == Data(film.bytes))
        #expect(Set(probe.heard.map(\.pid)).count == 2)
      }
      try await server.stop()
    }

    @Test(.enabled(if: Rights.mayMakeMachines, "only root may mount and make namespaces"))
    func `a full disk makes a transfer wait and say so, and lets others pass`() async throws {
      let (large, small) = (Content(seed: 1, size: 8 << 20), Content(seed: 2, size: 10_000))
      let server = try await HTTPTestServer.start()
      server.play("/large", .serve(Serving(large)))
      server.play("/small", .serve(Serving(small)))
      try await withHome(.impatient) { home in
        try Files.folder(home.path + "/data")
        try #require(mount("tmpfs", home.path + "/data", "tmpfs", 0, "size=100m,mode=700") == 0)
        defer { umount2(home.path + "/data", Int32(MNT_DETACH)) }
        try await home.start()
        // 64 MiB are kept free; 2 MiB are left for transfers.
        try Files.allocate(34 << 20, at: home.path + "/data/ballast")

        let slow = try home.command(["download", server.url("/large"), "--output", home.folder + "/large"])
        let words = try await eventually("the transfer says that the disk is full") {
          let words = try? await home.call(ControlInterface.Why.self, .init(id: 1)).sentences.joined(separator: " ")
          return words?.contains("diskFull") == true ? words : nil
        }
        let reason = try await home.transfer(1)?.verdict
        try await home.run(["download", server.url("/small"), "--output", home.folder + "/small"])
        #expect(slow.end == nil && !Files.exists(home.folder + "/large"))
        try FileManager.default.removeItem(atPath: home.path + "/data/ballast")

        #expect(try await slow.ended() == 0)
        #expect(words.contains("free"), "it said: \(words)")
        #expect(reason?.contains("diskFull") == true, "it said: \(reason ?? "")")
        #expect(Files.bytes(home.folder + "/large") == Data(large.bytes))
        #expect(Files.bytes(home.folder + "/small") == Data(small.bytes))
      }
      try await server.stop()
    }

    @Test(.enabled(if: Rights.mayMakeMachines, "only root may mount and make namespaces"))
    func `a full disk below the database is told at once, and everything goes on when there is room`() async throws {
      let film = Content(seed: 3, size: 20_000)
      let server = try await HTTPTestServer.start()
      server.play("/film", .serve(Serving(film)))
      try await withHome(.impatient) { home in
        let (state, folder) = (home.path + "/state", home.folder)
        try Files.folder(state)
        try #require(mount("tmpfs", state, "tmpfs", 0, "size=2m,mode=700") == 0)
        defer { umount2(state, Int32(MNT_DETACH)) }
        try await home.start()
        let watch = try home.command(["transfers", "watch"])
        Files.fill(diskBy: state + "/ballast")

        let first = try home.command(["download", "--no-wait", server.url("/film"), "--output", folder + "/1"])
        let firstEnd = try await first.ended()
        let second = try home.command(["download", "--no-wait", server.url("/film"), "--output", folder + "/2"])
        let secondEnd = try await second.ended()
        let status = try await home.command(["status"]).ended()
        try await eventually("who watches is told") { watch.text.contains("cannot be written; free some space") }
        watch.crash()
        try FileManager.default.removeItem(atPath: state + "/ballast")
        try await eventually("the database is written again") { (try? await home.run(["status"])) != nil }
        try await home.run(["download", server.url("/film"), "--output", folder + "/3"])

        // Something of the daemon's own may have met the full disk first; then even the first download was refused.
        let isPending = first.text.contains("is done once it can be written")
        let transfers = try await home.call(ControlInterface.ListTransfers.self, .init()).transfers
        #expect([firstEnd, secondEnd, status] == [5, 5, 5])
        #expect(isPending || first.text.contains("Nothing was done"))
        #expect(second.text.contains("Nothing was done"))
        #expect(transfers.compactMap(\.destination) == (isPending ? ["1", "3"] : ["3"]).map { "\(folder)/\($0)" })
        #expect(Files.bytes(folder + "/3") == Data(film.bytes))
      }
      try await server.stop()
    }

    @Test(.enabled(if: Rights.mayBecomeOrdinary, "only root may become somebody else"))
    func `an ordinary user's daemon downloads, and launches and tells an app`() async throws {
      let film = Content(seed: 8, size: 150_000)
      let server = try await HTTPTestServer.start()
      server.play("/film", .serve(Serving(film).with { $0.mishap = .hold }))
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        try home.becomeOrdinary()
        try probe.instruct(.init(transfers: [.init(name: "film", url: server.url("/film"))]))
        let bundle = try probe.bundle()
        try home.giveAway()
        try await home.start()

        try await home.run(["download", server.url("/file/1/70000"), "--output", home.folder + "/user/file"])
        try await home.run(["install", bundle])
        try await home.run(["launch", Probe.id])
        try await eventually("the app's download is under way") { !server.requests("/film").isEmpty }
        try await home.run(["terminate", Probe.id])
        server.release("/film")
        try await eventually("the app is told in the background") { probe.completed == ["film"] }
        try await eventually("the app is suspended") { try await home.run(["apps"]).contains("suspended") }

        #expect(probe.file("film") == Data(film.bytes))
        #expect(Files.bytes(home.folder + "/user/file") == Data(Content(seed: 1, size: 70_000).bytes))
        #expect(probe.heard.contains { $0.call == "handlerCalled" })
      }
      try await server.stop()
    }
  }
}

/// What these tests may do here.
enum Rights {
  static let ordinary = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
  static let mayMakeMachines = isDone(["unshare", "--mount", "--time", "--boottime", "1", "--monotonic", "1", "true"])
  static let mayBecomeOrdinary = isDone(ordinary + ["test", "-x", Home.programs + "/nightjard"])

  private static func isDone(_ command: [String]) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return (try? Spawned(command, environment: ["PATH": path], output: "/dev/null").wait()) == 0
  }
}

extension Home {
  /// The command that makes a machine of its own for what follows: with another boot id and another uptime.
  func machine(bootedFor seconds: Int) throws -> [String] {
    let boot = "\(folder)/boot-id-\(seconds)"
    try Files.write("\(UUID().uuidString.lowercased())\n".utf8, to: boot)
    let uptime = Double(Files.text("/proc/uptime").prefix { $0 != " " }) ?? 0
    let offset = "\(max(seconds - Int(uptime), 1 - Int(uptime)))"
    let clocks = ["--time", "--boottime", offset, "--monotonic", offset]
    let script = "mount --bind '\(boot)' /proc/sys/kernel/random/boot_id && exec \"$@\""
    return ["unshare", "--mount"] + clocks + ["sh", "-c", script, "sh"]
  }

  /// Makes an ordinary user of everything that is started from now on, and gives that user the home.
  func becomeOrdinary() throws {
    prefix = Rights.ordinary
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    try Files.folder(folder + "/user")
  }

  /// Gives everything in the home to the ordinary user.
  func giveAway() throws {
    chown(folder, 65_534, 65_534)
    for path in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
      chown(folder + "/" + path, 65_534, 65_534)
    }
  }
}
