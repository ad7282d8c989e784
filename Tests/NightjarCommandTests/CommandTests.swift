import FoundationEssentials
import NightjarCommand
import NightjarWire
import Patience
import Testing
import Varlink

@Suite(.timeLimit(.minutes(2))) struct CommandTests {
  private static func transfer(
    _ id: Int64, _ state: ControlInterface.Transfer.State, app: String = "dev.example.App"
  ) -> ControlInterface.Transfer {
    .init(
      id: id, app: app, direction: .download, url: "http://h/\(id).bin", label: "", state: state, count: 512,
      expected: 1024, attempts: 1, verdict: state == .waiting ? "It waits for a network." : "")
  }

  @Test func `the list shows what has not succeeded, page by page`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { state in
      state.pageLength = 2
      for id in 1...5 { state.transfers[Int64(id)] = Self.transfer(Int64(id), id == 3 ? .succeeded : .waiting) }
    }

    #expect(await bench.run("transfers") == 0)
    #expect(
      bench.screen.output.split(separator: "\n").map(String.init) == [
        "ID  STATE    DONE     SIZE  APP              NAME   WHY",
        " 1  waiting   50%  1.0 KiB  dev.example.App  1.bin  It waits for a network.",
        " 2  waiting   50%  1.0 KiB  dev.example.App  2.bin  It waits for a network.",
        " 4  waiting   50%  1.0 KiB  dev.example.App  4.bin  It waits for a network.",
        " 5  waiting   50%  1.0 KiB  dev.example.App  5.bin  It waits for a network.",
        "1 more succeeded; --all lists them.",
      ])
    daemon.stop()
  }

  @Test func `a long name stays whole where nobody looks, and makes only its own row longer`() async throws {
    let bench = try Bench()
    let long = String(repeating: "n", count: 255)
    let daemon = try TestDaemon(bench.socket) { state in
      state.transfers = [1: Self.transfer(1, .waiting), 2: Self.transfer(2, .waiting), 3: Self.transfer(3, .waiting)]
      (state.transfers[2]!.label, state.transfers[3]!.label) = (long, String(repeating: "m", count: 40))
    }

    #expect(await bench.run("transfers") == 0)

    let rows = bench.screen.output.split(separator: "\n")
    let padding = String(repeating: " ", count: 35)
    #expect(rows[1].hasSuffix("  1.bin\(padding)  It waits for a network."))
    #expect(rows[2].hasSuffix("  \(long)  It waits for a network."))
    #expect(rows[3].hasSuffix("  \(String(repeating: "m", count: 40))  It waits for a network."))
    daemon.stop()
  }

  @Test func `the list can be of one app, and JSON`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { state in
      state.transfers = [1: Self.transfer(1, .running, app: "a"), 2: Self.transfer(2, .succeeded, app: "b")]
    }

    #expect(await bench.run("--json", "transfers", "list", "--app", "b", "--all") == 0)
    let document = try JSONDecoder().decode(
      [String: [ControlInterface.Transfer]].self, from: Data(bench.screen.output.utf8))
    #expect(document["transfers"]?.map(\.id) == [2])
    daemon.stop()
  }

  @Test(arguments: [
    (["transfers", "pause", "1", "2"], ["pause 1", "pause 2"], "Transfer 1: paused\nTransfer 2: paused\n"),
    (["transfers", "resume", "3"], ["resume 3"], "Transfer 3: resumed\n"),
    (["transfers", "cancel", "3", "--json"], ["cancel 3"], "{\n  \"cancelled\" : [\n    3\n  ]\n}\n"),
    (["launch", "dev.a", "--", "--json", "x"], ["launch dev.a [\"--json\", \"x\"]"], "dev.a runs as process 77.\n"),
    (["terminate", "dev.a"], ["terminate dev.a"], "Ended dev.a.\n"),
    (["uninstall", "dev.a"], ["uninstall dev.a"], "Uninstalled dev.a.\n"),
  ])
  func `a deed reaches the daemon and is confirmed`(arguments: [String], deeds: [String], output: String) async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    #expect(await Program.run(arguments, in: bench.surroundings()) == 0)
    #expect(daemon.read { $0.deeds } == deeds)
    #expect(bench.screen.output == output)
  }

  @Test(arguments: [
    (ControlInterface.App.State.launching, false), (.foreground, false), (.background, false), (.notRunning, true),
    (.ending, true),
  ])
  func `orders for an app that runs are refused in words, not lost`(
    state: ControlInterface.App.State, isLaunched: Bool
  ) async throws {
    let bench = try Bench()
    let app = ControlInterface.App(id: "dev.a", name: "A", state: state, pid: 7, transfers: 0, waiting: 0)
    let daemon = try TestDaemon(bench.socket) { $0.apps = [app] }

    let status = await bench.run("launch", "dev.a", "--", "pause", "all")

    #expect(status == (isLaunched ? ExitStatus.done : .refused).rawValue)
    #expect(daemon.read { $0.deeds } == (isLaunched ? ["launch dev.a [\"pause\", \"all\"]"] : []))
    #expect(bench.screen.errors.contains("dev.a runs already as process 7") != isLaunched)
    #expect(bench.screen.errors.contains("nightjar terminate dev.a") != isLaunched)
    #expect(await bench.run("launch", "dev.a") == 0, "without orders it comes forward")
  }

  @Test(arguments: [["cancel"], ["pause"], ["resume"], ["cancel", "--json"]])
  func `a transfer that is refused does not stop the rest, and the first refusal is the status`(
    command: [String]
  ) async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) {
      $0.refusals["\(command[0]) 2"] = ControlInterface.NoSuchTransfer(id: 2).varlink
      $0.refusals["\(command[0]) 3"] =
        ControlInterface.WrongState(id: 3, state: "failed", reason: "It is over.").varlink
    }

    let status = await Program.run(["transfers"] + command + ["1", "2", "3", "4"], in: bench.surroundings())

    #expect(status == ExitStatus.notFound.rawValue)
    #expect(daemon.read { $0.deeds } == ["\(command[0]) 1", "\(command[0]) 4"])
    let errors = bench.screen.errors.split(separator: "\n")
    #expect(errors.count == 2)
    #expect(errors[0].hasPrefix("nightjar: There is no transfer 2."))
    #expect(errors[1] == "nightjar: Transfer 3 is failed: It is over.")
    #expect(bench.screen.output.contains("4") && !bench.screen.output.contains("2"))
  }

  @Test func `an ended transfer that is cancelled is said to be removed`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) {
      $0.transfers = [1: Self.transfer(1, .failed), 2: Self.transfer(2, .running)]
    }

    #expect(await bench.run("transfers", "cancel", "1", "2") == 0)
    #expect(bench.screen.output == "Transfer 1: removed from the list\nTransfer 2: cancelled\n")
    #expect(daemon.read { $0.deeds } == ["cancel 1", "cancel 2"])
  }

  /// A daemon whose app still runs when it is looked at after it was told to end, and a command that has looked.
  private func terminate(_ bench: Bench) async throws -> (TestDaemon, Task<Int32, Never>) {
    let app = ControlInterface.App(id: "dev.a", name: "A", state: .foreground, pid: 7, transfers: 0, waiting: 0)
    let daemon = try TestDaemon(bench.socket) { ($0.apps, $0.listingsUntilEnd) = ([app], 1) }
    let run = Task { await bench.run("terminate", "dev.a") }
    try await eventually("the command has looked") {
      daemon.read { !$0.watchers.isEmpty && $0.listingsUntilEnd <= 0 }
    }
    return (daemon, run)
  }

  @Test func `an app is said to have ended once it has`() async throws {
    let bench = try Bench()
    let (daemon, run) = try await terminate(bench)

    #expect(bench.screen.output.isEmpty)
    daemon.end("dev.a")

    #expect(await run.value == 0)
    #expect(bench.screen.output == "Ended dev.a.\n")
    #expect(bench.screen.errors.isEmpty)
  }

  @Test func `Ctrl-C ends the waiting for an app's end, not the end`() async throws {
    let bench = try Bench()
    let (daemon, run) = try await terminate(bench)

    bench.pressControlC()

    #expect(await run.value == 130)
    #expect(bench.screen.output.isEmpty)
    #expect(bench.screen.errors.contains("dev.a was told to end"))
    #expect(daemon.read { $0.deeds } == ["terminate dev.a"])
  }

  @Test func `a bundle is installed by its absolute path`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    try FileManager.default.createDirectory(atPath: bench.folder + "/My.app", withIntermediateDirectories: true)

    #expect(await bench.run("install", "./My.app/") == 0)
    #expect(daemon.read { $0.deeds } == ["install \(bench.folder)/My.app"])
    #expect(bench.screen.output == "Installed App as dev.example.App.\n")
  }

  @Test(
    arguments: [
      (ControlInterface.NoSuchApp(app: "x"), 4), (ControlInterface.NoSuchTransfer(id: 3), 4),
      (ControlInterface.WrongState(id: 3, state: "succeeded", reason: "It has ended."), 5),
      (ControlInterface.NotRunning(app: "x"), 5), (ControlInterface.NotABundle(app: "x"), 5),
      (ControlInterface.BundleRefused(path: "/x", reason: "No Info.plist."), 5),
      (ControlInterface.LaunchFailed(app: "x", code: "timedOut", detail: "It never attached."), 1),
      (ControlInterface.InvalidRequest(field: "url", reason: "It is too long."), 2),
      (ControlInterface.LimitReached(what: "apps", limit: 1), 5),
    ] as [(any WireFailure, Int32)])
  func `a refusal has its status and its words`(failure: any WireFailure, status: Int32) async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { $0.refusal = failure.varlink }

    #expect(await bench.run("terminate", "x") == status)
    #expect(bench.screen.errors.hasPrefix("nightjar: "))
    #expect(!bench.screen.errors.contains("dev.nightjar.Control"))
    daemon.stop()
  }

  @Test func `why, show and status say what the daemon says`() async throws {
    let bench = try Bench()
    let app = ControlInterface.App(
      id: "dev.example.Player", name: "Player", state: .notRunning, transfers: 0, waiting: 0)
    let daemon = try TestDaemon(bench.socket) { ($0.transfers[1], $0.apps) = (Self.transfer(1, .waiting), [app]) }

    #expect(await bench.run("why", "1") == 0)
    #expect(bench.screen.output == "It waits for a network.\nThat is all.\n")
    #expect(await bench.run("transfers", "show", "1") == 0)
    #expect(bench.screen.output.contains("moved      512 B of 1.0 KiB\n"))
    #expect(await bench.run("status") == 0)
    #expect(bench.screen.output.contains(" running)\nevents       "))
    #expect(bench.screen.output.contains("network      none\nconstrained  no\npower        battery (simulated)\n"))
    #expect(bench.screen.output.contains("missing      no cgroups\n"))
    #expect(await bench.run("why", "2") == 4)
    #expect(await bench.run("why", "dev.example.Player") == 0)
    #expect(bench.screen.output.hasSuffix("dev.example.Player does not run.\n"))
    daemon.stop()
  }

  @Test func `why answers for an app whose identifier is a number, unless it is a transfer's`() async throws {
    let bench = try Bench()
    let apps = ["1", "12"].map {
      ControlInterface.App(id: $0, name: "A", state: .notRunning, transfers: 0, waiting: 0)
    }
    let daemon = try TestDaemon(bench.socket) { ($0.transfers[1], $0.apps) = (Self.transfer(1, .waiting), apps) }

    #expect(await bench.run("why", "1") == 0)
    #expect(await bench.run("why", "12") == 0)
    #expect(bench.screen.output == "It waits for a network.\nThat is all.\n12 does not run.\n")
    #expect(await bench.run("why", "13") == 4)
    #expect(bench.screen.errors.hasPrefix("nightjar: There is no transfer 13."))
    daemon.stop()
  }

  @Test func `apps are a table that no app can break`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) {
      $0.apps = [.init(id: "dev.a", name: "A\u{1b}]0;x\u{7}", state: .foreground, pid: 9, transfers: 2, waiting: 1)]
    }

    #expect(await bench.run("apps") == 0)
    #expect(bench.screen.output.contains("dev.a  A\\u{1b}]0;x\\u{7}  foreground    9          2        1      -  -\n"))
    daemon.stop()
  }

  @Test func `a watch tells every change until Ctrl-C`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { state in
      state.transfers = [1: Self.transfer(1, .queued, app: "a"), 2: Self.transfer(2, .queued, app: "b")]
    }

    let run = Task { await Program.run(["transfers", "watch", "--app", "a"], in: bench.surroundings()) }
    try await bench.screen.waits(for: "Transfer 1: queued")
    daemon.update(2) { $0.state = .running }
    daemon.update(1) { $0.state = .running }
    daemon.update(1) { $0.count = 1000 }
    daemon.update(1) { ($0.state, $0.count) = (.succeeded, 1024) }
    try await bench.screen.waits(for: "Transfer 1: succeeded")
    bench.pressControlC()

    #expect(await run.value == 130)
    #expect(
      bench.screen.output
        == "Transfer 1: queued, 1.bin\nTransfer 1: running, 1.bin\nTransfer 1: succeeded, 1.bin, 1.0 KiB\n")
  }

  @Test func `a watch in JSON is one line for each message`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { $0.transfers = [1: Self.transfer(1, .queued)] }

    let run = Task { await Program.run(["--json", "transfers", "watch"], in: bench.surroundings(isTerminal: true)) }
    try await bench.screen.waits(for: "{\"current\":true}")
    daemon.remove(1)
    try await bench.screen.waits(for: "{\"removed\":1}")
    bench.pressControlC()

    #expect(await run.value == 130)
    #expect(bench.screen.output.split(separator: "\n").count == 3)
    #expect(bench.screen.errors.isEmpty)
  }

  @Test func `a watch of one app in JSON leaves out the removal of another's transfer`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) {
      $0.transfers = [1: Self.transfer(1, .queued, app: "a"), 2: Self.transfer(2, .queued, app: "b")]
    }

    let run = Task { await bench.run("--json", "transfers", "watch", "--app", "a") }
    try await bench.screen.waits(for: "{\"current\":true}")
    daemon.remove(2)
    daemon.remove(1)
    try await bench.screen.waits(for: "{\"removed\":1}")
    bench.pressControlC()

    #expect(await run.value == 130)
    #expect(!bench.screen.output.contains("{\"removed\":2}"))
  }

  @Test func `a watch of one app in JSON leaves out every message that names another`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    let arguments = ["--json", "transfers", "watch", "--app", "a"]
    let run = Task { await Program.run(arguments, in: bench.surroundings(isTerminal: true)) }
    try await bench.screen.waits(for: "{\"current\":true}")
    let watcher = try #require(daemon.read { $0.watchers.first })

    for app in ["b", "a"] {
      watcher.reply(
        .init(notice: .init(id: 1, app: app, body: "Hello", sounds: false, firedAt: 0)), continues: true)
      watcher.reply(
        .init(fetch: .init(number: 1, at: 0, app: app, verdict: .asked, sentence: "is refreshed")), continues: true)
      watcher.reply(.init(appRemoved: app), continues: true)
    }
    try await bench.screen.waits(for: "{\"appRemoved\":\"a\"}")
    bench.pressControlC()

    #expect(await run.value == 130)
    #expect(bench.screen.output.split(separator: "\n").count == 4 && !bench.screen.output.contains("\"b\""))
  }
}
