import FoundationEssentials
import Glibc
import NightjarCommand
import NightjarWire
import Testing

@testable import struct NightjarCommand.ServiceUnits

/// `nightjar service`. What systemd is told is written down by a script in its place; the units themselves are read by
/// the real one where it is installed.
@Suite(.timeLimit(.minutes(2))) struct ServiceTests {
  private static let ordinary = ServiceUnits(daemon: "/usr/bin/nightjard", socket: nil, variables: [:])

  @Test func `the units are these, word for word`() {
    let texts = Self.ordinary.texts

    #expect(
      texts["nightjar.socket"] == """
        # Nightjar's, as `nightjar service install` writes it and `nightjar service uninstall` removes it.
        [Unit]
        Description=Nightjar's socket, which starts the daemon
        Documentation=man:nightjard(8)

        [Socket]
        ListenStream=%t/nightjar/nightjar.sock
        SocketMode=0600
        DirectoryMode=0700

        [Install]
        WantedBy=sockets.target

        """)
    #expect(
      texts["nightjar.service"] == """
        # Nightjar's, as `nightjar service install` writes it and `nightjar service uninstall` removes it.
        [Unit]
        Description=Nightjar, which moves files for apps and wakes them
        Documentation=man:nightjard(8)
        Requires=nightjar.socket
        After=nightjar.socket
        StartLimitIntervalSec=0

        [Service]
        Type=notify
        ExecStart=/usr/bin/nightjard
        KillMode=process
        Delegate=yes
        Restart=on-failure
        RestartSec=5
        TimeoutStartSec=infinity

        [Install]
        WantedBy=default.target
        Also=nightjar.socket

        """)
  }

  @Test func `a home of its own is named in both units, whatever its name holds`() {
    let units = ServiceUnits(
      daemon: "/opt/my tools/nightjard", socket: "/a b%c/run/nightjar.sock", variables: ["NIGHTJAR_HOME": "/a b%c"])

    #expect(units.texts["nightjar.socket"]?.contains("ListenStream=/a b%%c/run/nightjar.sock\n") == true)
    #expect(
      units.texts["nightjar.service"]?.contains(
        "ExecStart=\"/opt/my tools/nightjard\"\nEnvironment=\"NIGHTJAR_HOME=/a b%%c\"\nKillMode=process\n") == true)
  }

  @Test(.enabled(if: access("/usr/bin/systemd-analyze", X_OK) == 0, "systemd is not installed"))
  func `systemd finds nothing wrong with the units`() async throws {
    let bench = try Bench()
    let units = ServiceUnits(
      daemon: "/bin/true", socket: "\(bench.folder)/a b/nightjar.sock",
      variables: ["NIGHTJAR_HOME": "\(bench.folder)/a b"])
    for (name, text) in units.texts { try bench.write(text, to: name) }
    try bench.write(
      "cd \(bench.folder) && XDG_RUNTIME_DIR=$PWD systemd-analyze verify --user --man=no ./nightjar.service "
        + "./nightjar.socket >said 2>&1 && test ! -s said", to: "verify.sh")

    let status = system("sh \(bench.folder)/verify.sh")

    let said = FileManager.default.contents(atPath: bench.folder + "/said") ?? Data()
    #expect(status == 0, "it said: \(String(decoding: said, as: UTF8.self))")
  }

  @Test func `a unit is printed as it is, or as JSON, and for nobody's home`() async throws {
    let (plain, json) = (try Bench(), try Bench())

    #expect(await plain.run("service", "print", "nightjar.service") == 0)
    #expect(plain.screen.output == Self.ordinary.texts["nightjar.service"])

    #expect(await json.run("service", "print", "nightjar.service", "--json") == 0)
    let document = try JSONDecoder().decode([String: String].self, from: Data(json.screen.output.utf8))
    #expect(document == ["unit": "nightjar.service", "text": plain.screen.output])

    #expect(await plain.run("service", "print", "nightjar.service", "--home", "second") == 2)
    #expect(await plain.run("service", "print", "nightjar.service", "--daemon", "bin/nightjard") == 2)
    #expect(plain.screen.errors.contains("'bin/nightjard' is none"))
    #expect(plain.screen.errors.contains("leave --home out"))
  }

  // MARK: The command

  @Test func `the service is installed, enabled and started, and lingering is enabled`() async throws {
    let bench = try Bench()
    let surroundings = try bench.surroundings(systemctl: "case \"$*\" in *Version*) echo 252 ;; esac")

    #expect(await Program.run(["service", "install"], in: surroundings) == 0)

    #expect(bench.units == ["nightjar.service", "nightjar.socket"])
    #expect(
      bench.told == [
        "systemctl --user --quiet daemon-reload", "systemctl --user --quiet enable --now nightjar.socket",
        "systemctl --user --quiet enable --now nightjar.service", "loginctl enable-linger",
      ])
    #expect(bench.screen.output.contains("Lingering is enabled"))
  }

  @Test func `a home whose socket systemd could not bind is refused before anything is changed`() async throws {
    let bench = try Bench()
    let surroundings = try bench.surroundings(systemctl: "")
    #expect(await Program.run(["service", "install"], in: surroundings) == 0)
    let before = bench.told
    let count = 107 - "\(bench.folder)/é/run/nightjar.sock".utf8.count
    let longest = "é" + String(repeating: "x", count: count)

    #expect(await Program.run(["service", "install", "--home", longest + "x"], in: surroundings) == 5)

    #expect(bench.told == before)
    #expect(bench.screen.errors.contains("may have 107 bytes under systemd"))
    #expect(bench.screen.errors.contains("\(longest)x/run/nightjar.sock has 108; nothing was done."))
    #expect(bench.screen.errors.contains("a shorter path with --home"))
    #expect(await Program.run(["service", "install", "--home", longest], in: surroundings) == 0)
  }

  @Test(arguments: ["a\tb", "a\nEnvironment=NIGHTJAR_HOME=c", "a\u{1B}"])
  func `a home whose path has control characters is refused before anything is changed`(name: String) async throws {
    let bench = try Bench()
    let surroundings = try bench.surroundings(systemctl: "")

    #expect(await Program.run(["service", "install", "--home", name], in: surroundings) == 5)

    #expect(bench.screen.errors.contains("has a control character in it"))
    #expect(bench.screen.errors.contains("Choose a path without any, for a home with --home."))
    #expect(bench.told == [] && bench.units == [])
  }

  @Test func `where lingering is refused, that is said plainly`() async throws {
    let bench = try Bench()
    let surroundings = try bench.surroundings(systemctl: "", loginctl: "exit 1")

    #expect(await Program.run(["service", "install"], in: surroundings) == 0)

    #expect(bench.screen.output.contains("Lingering is NOT enabled: when you log out"))
  }

  @Test func `what is uninstalled leaves no unit, and says what stays`() async throws {
    let bench = try Bench()
    let surroundings = try bench.surroundings(systemctl: "")
    #expect(await Program.run(["service", "install"], in: surroundings) == 0)

    #expect(await Program.run(["service", "uninstall"], in: surroundings) == 0)

    #expect(bench.units.isEmpty)
    #expect(bench.told.suffix(3).first == "systemctl --user --quiet disable --now nightjar.service")
    #expect(bench.screen.output.contains("Stays: \(bench.folder)/.local/share/nightjar\n"))
  }

  @Test func `a purge removes everything of the home, and nothing else`() async throws {
    let bench = try Bench()
    let surroundings = try bench.surroundings(systemctl: "")
    for folder in [".local/share/nightjar/apps", ".local/state/nightjar/logs", ".local/share/other", "nightjar"] {
      try FileManager.default.createDirectory(atPath: "\(bench.folder)/\(folder)", withIntermediateDirectories: true)
    }

    #expect(await Program.run(["service", "uninstall", "--purge"], in: surroundings) == 0)

    let files = FileManager.default
    #expect(!files.fileExists(atPath: bench.folder + "/.local/share/nightjar"))
    #expect(!files.fileExists(atPath: bench.folder + "/.local/state/nightjar"))
    #expect(!files.fileExists(atPath: bench.folder + "/nightjar"))
    #expect(files.fileExists(atPath: bench.folder + "/.local/share/other"))
  }

  @Test func `a purge ends the apps that run, waits until they have ended, and cancels nothing`() async throws {
    let bench = try Bench(clockStands: false)
    let surroundings = try bench.surroundings(systemctl: "")
    try FileManager.default.createDirectory(atPath: bench.folder + "/nightjar", withIntermediateDirectories: true)
    let daemon = try TestDaemon(bench.folder + "/nightjar/nightjar.sock") {
      $0.listingsUntilEnd = 3
      $0.apps = [Self.app("dev.a", pid: 9), Self.app("dev.b", pid: nil)]
    }

    #expect(await Program.run(["service", "uninstall", "--purge"], in: surroundings) == 0)

    #expect(daemon.read { $0.deeds } == ["terminate dev.a"])
    #expect(bench.screen.output.contains("Ended dev.a\n") && !bench.screen.output.contains("Ended dev.b"))
    daemon.stop()
  }

  @Test func `a purge leaves an app that the daemon has launched again to the removal of the home`() async throws {
    let bench = try Bench(clockStands: false)
    let surroundings = try bench.surroundings(systemctl: "")
    try FileManager.default.createDirectory(atPath: bench.folder + "/nightjar", withIntermediateDirectories: true)
    let daemon = try TestDaemon(bench.folder + "/nightjar/nightjar.sock") {
      $0.successor = 10
      $0.apps = [Self.app("dev.a", pid: 9)]
    }

    #expect(await Program.run(["service", "uninstall", "--purge"], in: surroundings) == 0)

    #expect(daemon.read { $0.deeds } == ["terminate dev.a"])
    #expect(bench.screen.output.contains("Ended dev.a\n"))
    daemon.stop()
  }

  @Test func `a purge removes and cancels nothing while an app runs on, and names it`() async throws {
    let bench = try Bench(clockStands: false)
    let surroundings = try bench.surroundings(systemctl: "")
    let apps = bench.folder + "/.local/share/nightjar/apps"
    for folder in [bench.folder + "/nightjar", apps] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    let daemon = try TestDaemon(bench.folder + "/nightjar/nightjar.sock") {
      $0.listingsUntilEnd = .max
      $0.apps = [Self.app("dev.a", pid: 9), Self.app("dev.b", pid: nil)]
    }

    #expect(await Program.run(["service", "uninstall", "--purge"], in: surroundings) == 5)

    #expect(bench.screen.errors.contains("nothing was removed: dev.a (process 9)."))
    #expect(daemon.read { $0.deeds } == ["terminate dev.a"])
    #expect(FileManager.default.fileExists(atPath: apps))
    daemon.stop()
  }

  private static func app(_ id: String, pid: Int64?) -> ControlInterface.App {
    .init(
      id: id, name: "A", path: "/a", state: pid == nil ? .notRunning : .background, pid: pid, transfers: 0, waiting: 0)
  }

  @Test(arguments: [["install"], ["uninstall"], ["uninstall", "--purge"]])
  func `a unit that somebody else wrote is left as it is, and goes on`(deed: [String]) async throws {
    let bench = try Bench()
    let surroundings = try bench.surroundings(systemctl: "")
    let folder = bench.folder + "/.config/systemd/user"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try bench.write("[Unit]\n", to: ".config/systemd/user/nightjar.service")

    #expect(await Program.run(["service"] + deed, in: surroundings) == 5)

    #expect(bench.screen.errors.contains("\(folder)/nightjar.service stands there and was not written by this program"))
    #expect(bench.units == ["nightjar.service"] && bench.told.isEmpty)
  }

  @Test func `a daemon that runs by itself is not pushed aside`() async throws {
    let bench = try Bench()
    let surroundings = try bench.surroundings(systemctl: "")
    try FileManager.default.createDirectory(atPath: bench.folder + "/nightjar", withIntermediateDirectories: true)
    let daemon = try TestDaemon(bench.folder + "/nightjar/nightjar.sock")

    #expect(await Program.run(["service", "install"], in: surroundings) == 5)
    #expect(bench.screen.errors.contains("A daemon runs already, as process 42"))
    #expect(bench.units.isEmpty)
    daemon.stop()
  }

  @Test(arguments: [["install"], ["uninstall"], ["status"]])
  func `without systemd it is said what to do instead`(deed: [String]) async throws {
    let bench = try Bench()
    let surroundings = try bench.surroundings(systemctl: "exit 1")

    #expect(await Program.run(["service"] + deed, in: surroundings) == 5)
    #expect(bench.screen.errors.contains("No systemd of yours answers"))
    #expect(bench.screen.errors.contains("~/.profile"))
    #expect(bench.units.isEmpty)
  }

  @Test func `the status tells of both units and of lingering`() async throws {
    let bench = try Bench()
    let properties = """
      case "$*" in *FragmentPath*) for last; do :; done; echo /u/$last ;; *ActiveState*) echo active ;; *UnitFileState*) echo enabled ;; esac
      """
    let surroundings = try bench.surroundings(systemctl: properties, loginctl: "echo no")

    #expect(await Program.run(["service", "status"], in: surroundings) == 0)
    #expect(bench.screen.output.contains("nightjar.service  active, enabled, from /u/nightjar.service\n"))
    #expect(bench.screen.output.contains("lingering         not enabled: it ends when you log out\n"))
  }

  @Test func `a service that is not installed has status 4`() async throws {
    let bench = try Bench()
    let surroundings = try bench.surroundings(systemctl: "")

    #expect(await Program.run(["service", "status"], in: surroundings) == 4)
    #expect(bench.screen.output.contains("nightjar.socket   not installed\n"))
  }
}
