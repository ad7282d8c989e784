import FoundationEssentials
import Glibc
import NightjarCommand
import NightjarWire
import Patience
import Testing

@testable import class NightjarCommand.ProgressBoard

@Suite(.timeLimit(.minutes(2))) struct QueueTests {
  /// Starts a command and leaves it running.
  private func start(_ bench: Bench, _ arguments: String..., isTerminal: Bool = false) -> Task<Int32, Never> {
    Task { await Program.run(arguments, in: bench.surroundings(isTerminal: isTerminal)) }
  }

  @Test func `a download is followed to its end, in plain lines without a terminal`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, "download", "http://h/big.iso", "-H", "Accept: text/plain")
    try await bench.screen.waits(for: "downloading")
    daemon.update(1) { ($0.state, $0.count, $0.expected) = (.running, 1024, 2048) }
    daemon.update(1) { ($0.state, $0.count) = (.succeeded, 2048) }

    #expect(await run.value == 0)
    #expect(
      bench.screen.output == """
        Transfer 1: downloading http://h/big.iso to \(bench.folder)/big.iso
        Transfer 1: succeeded, big.iso, 2.0 KiB to \(bench.folder)/big.iso

        """)
    #expect(bench.screen.errors.isEmpty)
    #expect(daemon.read { $0.downloads[0].headers } == [.init(name: "Accept", value: "text/plain")])
    #expect(daemon.read { $0.downloads[0].key }.utf8.count == 32)
  }

  @Test func `without a terminal a notice says why nothing goes on, once for each reason`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, "download", "http://h/big.iso")
    try await bench.screen.waits(for: "downloading")
    daemon.update(1) { ($0.state, $0.verdict) = (.waiting, "It waits for a network.") }
    // Before the command watches it would learn of the last state alone.
    try await bench.screen.waits(for: "waits for a network")
    daemon.update(1) { $0.count = 7 }
    daemon.update(1) { ($0.state, $0.verdict) = (.running, "It is under way.") }
    daemon.update(1) { ($0.state, $0.verdict) = (.delivering, "Its file is being delivered.") }
    daemon.update(1) {
      ($0.failure, $0.verdict) = (.init(code: "undeliverable", detail: "No."), "It could not be delivered: No.")
    }
    try await bench.screen.waits(for: "could not be delivered")
    daemon.update(1) { ($0.state, $0.failure) = (.succeeded, nil) }

    #expect(await run.value == 0)
    #expect(
      bench.screen.errors == """
        nightjar: Transfer 1: waiting, big.iso: It waits for a network.
        nightjar: Transfer 1: delivering, big.iso: It could not be delivered: No.

        """)
  }

  @Test func `without a terminal it is said why transfers stay queued, once for each reason`() throws {
    let bench = try Bench()
    let board = ProgressBoard(bench.surroundings())
    func look(_ verdicts: String...) {
      let transfers = zip(1..., verdicts).map { id, verdict in
        ControlInterface.Transfer(
          id: Int64(id), app: "a", direction: .download, url: "http://h/x", label: "",
          state: verdict == "" ? .running : .queued, count: 0, attempts: 0, verdict: verdict)
      }
      board.show(transfers, isImportant: true)
      board.noticeQueued()
    }

    look("It starts.", "It starts.", "It starts.")
    look("No network.", "No network.", "")
    look("No network.", "No network.", "No network.")
    look("No network.", "No network.", "No network.")
    look("No power.", "No network.", "")
    look("No power.", "", "")

    #expect(
      bench.screen.errors == """
        nightjar: Transfer 1: queued, x: No network.
        nightjar: Transfer 1: queued, x: No power.

        """)
  }

  @Test func `who waits is told that the database cannot be written, once`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, "download", "http://h/big.iso")
    try await eventually("the command watches") { daemon.read { !$0.watchers.isEmpty } }
    daemon.stand(because: "The disk is full.")
    daemon.stand(because: "")
    daemon.update(1) { $0.state = .succeeded }

    #expect(await run.value == 0)
    #expect(bench.screen.errors == "nightjar: The disk is full.\n")
  }

  @Test(arguments: [(true, "is done once it can be written"), (false, "Nothing was done; ask again")])
  func `a download is refused in words where the database cannot be written`(pending: Bool, words: String) async throws
  {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) {
      $0.refusal = ControlInterface.CannotSave(reason: "The disk is full.", pending: pending).varlink
    }

    #expect(await bench.run("download", "http://h/a") == 5)
    #expect(bench.screen.errors.hasPrefix("nightjar: The disk is full. "))
    #expect(bench.screen.errors.contains(words))
    #expect(daemon.read { $0.transfers.isEmpty })
  }

  @Test func `several downloads end when the last has, and one failure fails them`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, "download", "http://h/a", "http://h/b")
    try await bench.screen.waits(for: "Transfer 2: downloading")
    daemon.update(2) {
      ($0.state, $0.failure) = (.failed, .init(code: "cannotFindHost", detail: "h has\u{1b}[2J no address."))
    }
    try await bench.screen.waits(for: "Transfer 2: failed")
    daemon.update(1) { $0.state = .succeeded }

    #expect(await run.value == 1)
    #expect(bench.screen.output.contains("failed, b: h has\\u{1b}[2J no address. (cannotFindHost)"))
  }

  @Test func `an error page is no success`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, "download", "http://h/a")
    try await bench.screen.waits(for: "downloading")
    daemon.update(1) { ($0.state, $0.status) = (.succeeded, 404) }

    #expect(await run.value == 1)
    #expect(bench.screen.output.contains("the server answered 404; what the server sent is in"))
  }

  @Test func `what a server said to an upload that it refused is named`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)
    try bench.write("film", to: "a.mp4")

    let run = start(bench, "upload", "a.mp4", "http://h/a")
    try await bench.screen.waits(for: "uploading")
    daemon.update(1) {
      ($0.state, $0.failure) = (.failed, .init(code: "badServerResponse", detail: "the server answered 413"))
      $0.answer = "/staging/1"
    }

    #expect(await run.value == 1)
    #expect(
      bench.screen.output.contains("answered 413 (badServerResponse); what the server sent is in /staging/1"))
  }

  @Test func `one that ended before anybody listened is found`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) { $0.answersToLose = 1 }

    // The first answer is lost with its connection; the transfer ends before the request is repeated.
    let run = start(bench, "download", "http://h/a")
    try await bench.screen.waits(for: "The daemon is back.")
    daemon.update(1) { $0.state = .succeeded }

    #expect(await run.value == 0)
    #expect(daemon.read { Set($0.downloads.map(\.key)).count } == 1)
    #expect(daemon.read { $0.transfers.count } == 1)
  }

  @Test func `the daemon may go away in the middle`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, "download", "http://h/a", "http://h/b")
    try await bench.screen.waits(for: "Transfer 2: downloading")
    daemon.stop()
    try await bench.screen.waits(for: "The daemon went away.")
    daemon.update(1) { $0.state = .succeeded }  // While nobody listens.
    try daemon.start()
    try await bench.screen.waits(for: "The daemon is back.")
    try await bench.screen.waits(for: "Transfer 1: succeeded")
    daemon.update(2) { $0.state = .succeeded }

    #expect(await run.value == 0)
  }

  @Test func `a daemon that stays away is given up after a quarter of an hour`() async throws {
    let bench = try Bench(clockStands: false)
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, "download", "http://h/a")
    try await bench.screen.waits(for: "downloading")
    daemon.stop()

    #expect(await run.value == 3)
    #expect(bench.screen.errors.contains("No daemon answers"))
  }

  @Test func `one that is removed by somebody else ends the wait`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, "download", "http://h/a")
    try await bench.screen.waits(for: "downloading")
    daemon.remove(1)

    #expect(await run.value == 1)
    #expect(bench.screen.output.contains("cancelled and removed"))
  }

  @Test func `Ctrl-C ends the waiting and tells how to go on`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, "download", "http://h/a")
    try await bench.screen.waits(for: "downloading")
    bench.pressControlC()

    #expect(await run.value == 130)
    #expect(bench.screen.errors.contains("going on without you: 1"))
    #expect(bench.screen.errors.contains("nightjar transfers cancel 1"))
    #expect(daemon.read { $0.deeds.isEmpty })
  }

  @Test func `Ctrl-C while the daemon is away does not say that anything goes on`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, "download", "http://h/a")
    try await bench.screen.waits(for: "downloading")
    daemon.stop()
    try await bench.screen.waits(for: "The daemon went away")
    bench.pressControlC()

    #expect(await run.value == 130)
    #expect(bench.screen.errors.contains("the daemon has gone, and the next one goes on with: 1."))
    #expect(!bench.screen.errors.contains("without you"))
  }

  @Test func `Ctrl-C while the daemon is stopped says so, and what has it go on`() async throws {
    let bench = try Bench()
    let home = bench.folder + "/home"
    let lock = home + "/state/lock"
    let holder = try stoppedProcess(holding: lock, makingFirst: "\(home)/state \(home)/run")
    defer { kill(holder, SIGKILL) }
    let daemon = try TestDaemon(home + "/run/nightjar.sock")
    let surroundings = bench.surroundings(environment: ["NIGHTJAR_HOME": home], daemonProgram: "/bin/false")

    let run = Task { await Program.run(["download", "http://h/a"], in: surroundings) }
    try await bench.screen.waits(for: "downloading")
    bench.pressControlC()

    #expect(await run.value == 130)
    #expect(bench.screen.errors.contains("the daemon is stopped, and after `kill -CONT \(holder)` goes on with: 1."))
    #expect(!bench.screen.errors.contains("without you"))
    daemon.stop()
  }

  /// A process that has a home's lock and has stopped itself, in a session of its own.
  private func stoppedProcess(holding lock: String, makingFirst folders: String) throws -> pid_t {
    let script = "exec 9<>\(lock); echo $$ > \(lock); kill -STOP $$"
    let wait = "until grep -qs ^State:.T /proc/$(cat \(lock))/status; do sleep 0.01; done 2> /dev/null"
    try #require(system("umask 077; mkdir -p \(folders); setsid sh -c '\(script)' > /dev/null 2>&1 & \(wait)") == 0)
    let text = String(decoding: FileManager.default.contents(atPath: lock) ?? Data(), as: UTF8.self)
    return try #require(pid_t(text.prefix { $0.isNumber }))
  }

  @Test func `after Ctrl-C, too, JSON is one document, of what is known`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, "download", "http://h/a", "--json", isTerminal: true)
    try await bench.screen.waits(for: "queued")
    daemon.update(1) { ($0.state, $0.count, $0.expected) = (.running, 1024, 2048) }
    try await bench.screen.waits(for: " 50%")
    bench.pressControlC()

    #expect(await run.value == 130)
    let document = try JSONDecoder().decode(
      [String: [ControlInterface.Transfer]].self, from: Data(bench.screen.output.utf8))
    #expect(document["transfers"]?.map(\.count) == [1024])
    #expect(bench.screen.errors.contains("going on without you: 1"))
  }

  @Test func `on a terminal bars are drawn in place below the number of each transfer, and vanish`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, "download", "http://h/big.iso", isTerminal: true)
    try await bench.screen.waits(for: "Transfer 1: downloading http://h/big.iso")
    daemon.update(1) { ($0.state, $0.count, $0.expected) = (.running, 1024, 2048) }
    try await bench.screen.waits(for: " 50%")
    daemon.update(1) { ($0.state, $0.count) = (.succeeded, 2048) }

    #expect(await run.value == 0)
    #expect(bench.screen.errors.contains("\u{1b}[1A"))
    #expect(
      bench.screen.output == """
        Transfer 1: downloading http://h/big.iso to \(bench.folder)/big.iso
        Transfer 1: succeeded, big.iso, 2.0 KiB to \(bench.folder)/big.iso

        """)
  }

  @Test func `JSON is one document at the end`() async throws {
    let bench = try Bench()
    _ = try bench.write("x", to: "up.bin")
    let daemon = try TestDaemon(bench.socket)

    let run = start(bench, "upload", "up.bin", "http://h/up", "--method", "POST", "--json")
    try await eventually("the command watches") { daemon.read { !$0.transfers.isEmpty && !$0.watchers.isEmpty } }
    daemon.update(1) { ($0.state, $0.status) = (.succeeded, 201) }

    #expect(await run.value == 0)
    let document = try JSONDecoder().decode(
      [String: [ControlInterface.Transfer]].self, from: Data(bench.screen.output.utf8))
    #expect(document["transfers"]?.map(\.status) == [201])
    #expect(daemon.read { $0.uploads.map(\.method) } == ["POST"])
    #expect(daemon.read { $0.uploads.map(\.file) } == ["\(bench.folder)/up.bin"])
  }

  @Test(arguments: [
    ("http://h/a b?c d", "http://h/a%20b?c%20d", "a b"), ("http://[::1]:65535/x", "http://[::1]:65535/x", "x"),
    ("http://a:1%20b@h:1/x", "http://a:1%20b@h:1/x", "x"), ("http://h:/x#y:z", "http://h:/x#y:z", "x"),
    ("http://h?a://b:c", "http://h?a://b:c", "download"),
  ])
  func `a URL is taken as people write it, and its spaces as what they mean`(
    typed: String, url: String, name: String
  ) async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket)

    #expect(await bench.run("download", typed, "--proxy", "http://me:p@[::1]:3128", "--no-wait") == 0)
    #expect(daemon.read { $0.downloads.map(\.url) } == [url])
    #expect(daemon.read { $0.downloads.map(\.destination) } == ["\(bench.folder)/\(name)"])
  }

  @Test func `what is too long is not to be tried again later`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) {
      $0.refusal = ControlInterface.LimitReached(what: "bytes of a URL", limit: 65_536).varlink
    }

    #expect(await bench.run("download", "http://h/a") == 5)
    #expect(bench.screen.errors == "nightjar: At most 65536 bytes of a URL are taken; give less.\n")
    #expect(daemon.read { $0.transfers.isEmpty })
  }

  @Test func `a refusal on the way tells what was queued before`() async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) {
      $0.refusal = ControlInterface.LimitReached(what: "transfers of one app", limit: 9).varlink
    }

    #expect(await bench.run("download", "http://h/a") == 5)
    #expect(bench.screen.errors.contains("The limit of 9 transfers of one app is reached, and none"))
    #expect(bench.screen.errors.contains("nightjar transfers cancel ID"))
    #expect(daemon.read { $0.transfers.isEmpty })
  }

  @Test(arguments: [[], ["--no-wait"]])
  func `a refusal on the way leaves a JSON document of what was queued before`(options: [String]) async throws {
    let bench = try Bench()
    let daemon = try TestDaemon(bench.socket) {
      $0.refusals["queue http://h/b"] = ControlInterface.LimitReached(what: "transfers of one app", limit: 1).varlink
    }

    let arguments = ["download", "http://h/a", "http://h/b", "--json"] + options
    #expect(await Program.run(arguments, in: bench.surroundings()) == 5)

    let document = try JSONDecoder().decode(
      [String: [ControlInterface.Transfer]].self, from: Data(bench.screen.output.utf8))
    #expect(document["transfers"]?.map(\.url) == ["http://h/a"])
    #expect(bench.screen.errors.contains("The transfers queued before it go on: 1."))
    daemon.stop()
  }
}
