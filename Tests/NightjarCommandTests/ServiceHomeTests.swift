import FoundationEssentials
import Glibc
import NightjarCommand
import NightjarWire
import Testing

/// `nightjar service` beside a service that is there already, and where there is no systemd. There is one service for
/// all homes.
@Suite(.timeLimit(.minutes(2))) struct ServiceHomeTests {
  private static let everythingRuns =
    "case \"$*\" in *ActiveState*) echo active ;; *UnitFileState*) echo enabled ;; esac"

  /// A service is there already; what systemd was told meanwhile is forgotten.
  private func install(_ bench: Bench, _ options: [String] = []) async throws {
    let surroundings = try bench.surroundings(systemctl: "")
    #expect(await Program.run(["service", "install"] + options, in: surroundings) == 0)
    try FileManager.default.removeItem(atPath: bench.folder + "/told")
  }

  private func folders(_ bench: Bench, _ names: String...) throws {
    for name in names {
      try FileManager.default.createDirectory(atPath: "\(bench.folder)/\(name)", withIntermediateDirectories: true)
    }
  }

  private func exists(_ bench: Bench, _ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(bench.folder)/\(name)")
  }

  private func surroundings(_ bench: Bench, dataHome: String) throws -> Surroundings {
    var surroundings = try bench.surroundings(systemctl: "")
    surroundings.environment["XDG_DATA_HOME"] = dataHome
    return surroundings
  }

  // MARK: Installing over what runs

  @Test func `a service that runs is started anew for another home, socket and all`() async throws {
    let bench = try Bench()
    try await install(bench)
    let surroundings = try bench.surroundings(systemctl: Self.everythingRuns)

    #expect(await Program.run(["service", "install", "--home", "second"], in: surroundings) == 0)

    #expect(
      bench.told == [
        "systemctl --user --quiet daemon-reload", "systemctl --user --quiet stop nightjar.service nightjar.socket",
        "systemctl --user --quiet enable --now nightjar.socket",
        "systemctl --user --quiet enable --now nightjar.service", "loginctl enable-linger",
      ])
    let home = "\(bench.folder)/.local/share/nightjar"
    #expect(bench.screen.output.contains("It serves \(bench.folder)/second, in place of \(home).\n"))
  }

  @Test func `a service that runs is started anew from another build, behind the socket that stays`() async throws {
    let bench = try Bench()
    try await install(bench)
    let surroundings = try bench.surroundings(systemctl: Self.everythingRuns, daemon: "nightjard-of-another-build")

    #expect(await Program.run(["service", "install"], in: surroundings) == 0)

    #expect(
      bench.told == [
        "systemctl --user --quiet daemon-reload", "systemctl --user --quiet restart nightjar.service",
        "systemctl --user --quiet enable --now nightjar.socket",
        "systemctl --user --quiet enable --now nightjar.service", "loginctl enable-linger",
      ])
  }

  @Test func `a service whose units are the same runs on`() async throws {
    let bench = try Bench()
    try await install(bench)
    let surroundings = try bench.surroundings(systemctl: Self.everythingRuns)

    #expect(await Program.run(["service", "install"], in: surroundings) == 0)

    #expect(!bench.told.contains { $0.contains(" stop ") || $0.contains(" restart ") })
  }

  @Test func `a daemon that serves the other home by itself is not pushed aside`() async throws {
    let bench = try Bench()
    try await install(bench)
    try folders(bench, "second/run")
    let daemon = try TestDaemon(bench.folder + "/second/run/nightjar.sock")
    let surroundings = try bench.surroundings(systemctl: Self.everythingRuns)

    #expect(await Program.run(["service", "install", "--home", "second"], in: surroundings) == 5)

    #expect(bench.screen.errors.contains("A daemon runs already, as process 42"))
    #expect(bench.told.isEmpty)
    daemon.stop()
  }

  // MARK: Uninstalling

  @Test(arguments: [[], ["--purge"]])
  func `the ordinary home's service is left alone for another home`(options: [String]) async throws {
    let bench = try Bench()
    try await install(bench)
    let surroundings = try bench.surroundings(systemctl: Self.everythingRuns)

    #expect(await Program.run(["service", "uninstall", "--home", "second"] + options, in: surroundings) == 5)

    let words = "of the home \(bench.folder)/.local/share/nightjar, and not of \(bench.folder)/second"
    #expect(bench.screen.errors.contains(words), "\(bench.screen.errors)")
    let remedy = "env -u NIGHTJAR_HOME -u XDG_DATA_HOME -u XDG_STATE_HOME nightjar service uninstall"
    #expect(bench.screen.errors.contains("To uninstall it: \(remedy)."), "\(bench.screen.errors)")
    #expect(bench.told.isEmpty && bench.units.count == 2)
  }

  @Test func `another home's service is left alone for the ordinary one, whatever its name holds`() async throws {
    let bench = try Bench()
    let name = "a b%c\\d\"e"
    try await install(bench, ["--home", name])
    let surroundings = try bench.surroundings(systemctl: Self.everythingRuns)

    #expect(await Program.run(["service", "uninstall"], in: surroundings) == 5)
    #expect(bench.screen.errors.contains("nightjar --home '\(bench.folder)/\(name)' service uninstall"))
    #expect(bench.units.count == 2)
    #expect(await Program.run(["service", "uninstall", "--home", name], in: surroundings) == 0)
    #expect(bench.units.isEmpty)
    // Typed as it stands there, it must not remove the ordinary home.
    #expect(
      bench.screen.output.contains(
        "Remove that, too, with: nightjar --home '\(bench.folder)/\(name)' service uninstall --purge\n"))
  }

  @Test func `the way to uninstall is told with the variables of the unit, not of the shell`() async throws {
    let bench = try Bench()
    let installing = try surroundings(bench, dataHome: bench.folder + "/it's data")
    #expect(await Program.run(["service", "install"], in: installing) == 0)
    let uninstalling = try surroundings(bench, dataHome: bench.folder + "/other")

    #expect(await Program.run(["service", "uninstall"], in: uninstalling) == 5)

    let words = "-u XDG_STATE_HOME XDG_DATA_HOME='\(bench.folder)/it'\\''s data' nightjar service uninstall."
    #expect(bench.screen.errors.contains(words), "\(bench.screen.errors)")
  }

  @Test(arguments: [[], ["--purge"]])
  func `a service that cannot be stopped is not called uninstalled`(options: [String]) async throws {
    let bench = try Bench()
    try await install(bench)
    try folders(bench, ".local/share/nightjar")
    let surroundings = try bench.surroundings(systemctl: "case \"$*\" in *disable*) exit 1 ;; esac")

    #expect(await Program.run(["service", "uninstall"] + options, in: surroundings) == 1)

    #expect(bench.screen.errors.contains("`systemctl --user disable --now nightjar.service` ended with 1."))
    #expect(!bench.screen.output.contains("The service is uninstalled."))
    #expect(bench.units.count == 2 && exists(bench, ".local/share/nightjar"))
  }

  @Test func `a service whose units were taken away by hand is stopped all the same`() async throws {
    let bench = try Bench()
    let surroundings = try bench.surroundings(systemctl: Self.everythingRuns)

    #expect(await Program.run(["service", "uninstall"], in: surroundings) == 0)

    #expect(
      bench.told == [
        "systemctl --user --quiet stop nightjar.service", "systemctl --user --quiet stop nightjar.socket",
        "systemctl --user --quiet daemon-reload",
      ])
  }

  // MARK: Without systemd

  @Test func `a purge needs no systemd, and says what it could not do without`() async throws {
    let bench = try Bench()
    try await install(bench)
    try folders(bench, ".local/share/nightjar/apps", ".local/state/nightjar/logs", "nightjar")
    let surroundings = try bench.surroundings(systemctl: "exit 1")

    #expect(await Program.run(["service", "uninstall", "--purge"], in: surroundings) == 0)

    #expect(!exists(bench, ".local/share/nightjar") && !exists(bench, ".local/state/nightjar"))
    #expect(bench.screen.output.contains("Removed \(bench.folder)/.local/state/nightjar\n"))
    #expect(bench.screen.output.contains("No systemd of yours answers, so no service was uninstalled.\n"))
    #expect(bench.screen.output.contains("Stays: \(bench.folder)/.config/systemd/user/nightjar.service\n"))
    #expect(bench.told.isEmpty)
  }

  @Test func `a terminal is safe from the names of files that stay`() async throws {
    let bench = try Bench()
    try folders(bench, ".local/share/nightjar/x\u{1b}c", ".local/state/nightjar")
    let surroundings = try bench.surroundings(systemctl: "exit 1")

    #expect(await Program.run(["service", "uninstall", "--purge"], in: surroundings) == 0)

    #expect(bench.screen.output.contains("Stays: \(bench.folder)/.local/share/nightjar/x\\u{1b}c\n"))
  }

  @Test func `a purge without systemd removes nothing while a daemon that does not answer has the home`() async throws {
    let bench = try Bench()
    try folders(bench, ".local/share/nightjar/apps", ".local/state/nightjar")
    try bench.write("\(getpid())\n", to: ".local/state/nightjar/lock")
    let lock = open(bench.folder + "/.local/state/nightjar/lock", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    let surroundings = try bench.surroundings(systemctl: "exit 1")

    #expect(await Program.run(["service", "uninstall", "--purge"], in: surroundings) == 5)

    #expect(bench.screen.errors.contains("End it (kill \(getpid())), and purge again."))
    #expect(exists(bench, ".local/share/nightjar/apps"))
  }

  @Test(arguments: ["exit 1", ""])
  func `a purge ends a daemon that is no service's, with systemd or without, and then removes the home`(
    systemctl: String
  ) async throws {
    let bench = try Bench()
    try folders(bench, ".local/share/nightjar/apps", ".local/state/nightjar", "nightjar")
    let lock = bench.folder + "/.local/state/nightjar/lock"
    // It may have been born with SIGTERM blocked, as this thread is, and so looks for it among what is pending.
    let end = "until grep -q ^ShdPnd:.*4...$ /proc/$$/status; do sleep 0.01; done"
    let script = "exec 9<>\(lock); flock 9; echo $$ > \(lock); \(end)"
    #expect(system("sh -c '\(script)' > /dev/null 2>&1 & until [ -s \(lock) ]; do sleep 0.01; done") == 0)
    let text = String(decoding: FileManager.default.contents(atPath: lock) ?? Data(), as: UTF8.self)
    let holder = try #require(pid_t(text.prefix { $0.isNumber }))
    let daemon = try TestDaemon(bench.folder + "/nightjar/nightjar.sock") { $0.pid = Int64(holder) }
    let surroundings = try bench.surroundings(systemctl: systemctl)

    #expect(await Program.run(["service", "uninstall", "--purge"], in: surroundings) == 0)

    #expect(!exists(bench, ".local/share/nightjar") && !exists(bench, ".local/state/nightjar"))
    daemon.stop()
  }

  // MARK: JSON

  @Test func `JSON tells of the apps that a purge has ended`() async throws {
    struct Document: Decodable {
      var ended: [String], removed: [String], stays: [String]
      var systemd: Bool
    }
    let bench = try Bench(clockStands: false)
    let surroundings = try bench.surroundings(systemctl: "")
    try folders(bench, "nightjar", ".local/state/nightjar")
    let daemon = try TestDaemon(bench.folder + "/nightjar/nightjar.sock") {
      $0.apps = [.init(id: "dev.a", name: "A", path: "/a", state: .background, pid: 9, transfers: 0, waiting: 0)]
    }

    #expect(await Program.run(["service", "uninstall", "--purge", "--json"], in: surroundings) == 0)

    let document = try JSONDecoder().decode(Document.self, from: Data(bench.screen.output.utf8))
    #expect(document.ended == ["dev.a"] && document.stays.isEmpty && document.systemd)
    #expect(document.removed.contains(bench.folder + "/.local/state/nightjar"))
    daemon.stop()
  }

  @Test func `the status in JSON tells whether units are enabled, and where they lie`() async throws {
    struct Document: Decodable {
      var units: [String: String], files: [String: String]
      var enabled: [String: Bool]
      var installed: Bool, systemd: Bool
    }
    let bench = try Bench()
    let properties = """
      case "$*" in *ActiveState*) echo active ;; *nightjar.socket) ;; *FragmentPath*) echo /u/s ;; *UnitFile*) echo enabled ;; esac
      """
    let surroundings = try bench.surroundings(systemctl: properties)

    #expect(await Program.run(["service", "status", "--json"], in: surroundings) == 4)

    let document = try JSONDecoder().decode(Document.self, from: Data(bench.screen.output.utf8))
    #expect(document.units == ["nightjar.service": "active", "nightjar.socket": "active"])
    #expect(document.enabled == ["nightjar.service": true, "nightjar.socket": false])
    #expect(document.files == ["nightjar.service": "/u/s"] && !document.installed && document.systemd)
  }

  @Test func `the status in JSON tells also that there is no systemd`() async throws {
    struct Document: Decodable {
      var units: [String: String], files: [String: String]
      var enabled: [String: Bool]
      var installed: Bool, systemd: Bool
    }
    let bench = try Bench()
    let surroundings = try bench.surroundings(systemctl: "exit 1")

    #expect(await Program.run(["service", "status", "--json"], in: surroundings) == 5)

    let document = try JSONDecoder().decode(Document.self, from: Data(bench.screen.output.utf8))
    #expect(document.units.isEmpty && document.files.isEmpty && document.enabled.isEmpty)
    #expect(!document.installed && !document.systemd)
  }
}
