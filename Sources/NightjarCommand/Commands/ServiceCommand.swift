import ArgumentParser
import NightjarClient
import NightjarPlatform
import NightjarWire

/// `nightjar service`.
struct ServiceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service", abstract: "Have the daemon started by systemd, at login or with the machine.",
    subcommands: [Install.self, Uninstall.self, Status.self, Print.self])

  /// `nightjar service install`.
  struct Install: DaemonCommand {
    static let configuration = CommandConfiguration(
      abstract: "Install the daemon as a service of yours, and start it.",
      discussion: """
        Writes nightjar.socket and nightjar.service into your systemd folder, unless the Debian package has installed \
        them, enables both and starts them. Lingering is enabled, so that the daemon runs from the machine's start to \
        its end and not only while you are logged in.
        """)
    @OptionGroup var common: CommonOptions
    @Flag(help: "Do not enable lingering: transfers go on only while you are logged in.") var noLinger = false

    func run(in context: Context) async throws {
      struct Installed: Encodable { var units: [String], lingering: Bool? }
      let service = try await Service(context)
      let units = try service.units()
      if let pid = try await service.stranger() {
        throw CommandError(
          .refused,
          "A daemon runs already, as process \(pid). End it first (kill \(pid)); the service's goes on where it ends.")
      }
      let written = try service.write(units)
      try await service.systemd.order("daemon-reload")
      for name in ServiceUnits.names { try await service.systemd.order("enable", "--now", name) }
      let lingers = noLinger ? try await service.systemd.lingers() : try await service.systemd.enableLingering()
      try context.show(
        Installed(units: written, lingering: lingers),
        orLines: (written.isEmpty ? ["The units came with the package."] : written.map { "Wrote \($0)" }) + [
          "The daemon runs, and starts with your session.", Self.words(lingers),
        ])
    }

    static func words(_ lingers: Bool?) -> String {
      lingers == true
        ? "Lingering is enabled: it runs without a session, too, from the start of the machine."
        : """
        Lingering is NOT enabled: when you log out, the daemon and all apps end, and transfers wait for your next login. \
        Enable it: loginctl enable-linger (an administrator may have to).
        """
    }
  }

  /// `nightjar service uninstall`.
  struct Uninstall: DaemonCommand {
    static let configuration = CommandConfiguration(
      abstract: "Stop the service and remove its units; with --purge everything of Nightjar's.",
      discussion: """
        Apps that run go on, and everything that is queued stays for the next daemon. --purge removes that, too: every \
        app with its container, every transfer, the database and the logs. Downloads that were delivered stay.
        """)
    @OptionGroup var common: CommonOptions
    @Flag(help: "Remove all apps, containers, transfers, logs and settings as well.") var purge = false

    func run(in context: Context) async throws {
      struct Uninstalled: Encodable { var removed: [String], stays: [String] }
      let service = try await Service(context)
      let ended = purge ? try await Purge(context).endApps() : []
      for name in ServiceUnits.names.reversed() { try? await service.systemd.order("disable", "--now", name) }
      let removed = service.remove()
      try await service.systemd.order("daemon-reload")
      let purged = purge ? try await Purge(context).remove() : []
      let stays = purge ? [] : try Purge(context).folders
      try context.show(
        Uninstalled(removed: removed + purged, stays: stays),
        orLines: ended.map { "Ended \($0)" } + (removed + purged).map { "Removed \($0)" }
          + ["The service is uninstalled."] + stays.map { "Stays: \($0)" }
          + (stays.isEmpty ? [] : ["Remove that, too, with: nightjar service uninstall --purge"]))
    }
  }

  /// `nightjar service print`, for those who make packages.
  struct Print: DaemonCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a unit, for a package that installs it for everybody.", shouldDisplay: false)
    @OptionGroup var common: CommonOptions
    @Argument(help: "nightjar.socket or nightjar.service.") var unit: String
    @Option(help: "The absolute path of nightjard.") var daemon = "/usr/bin/nightjard"

    func run(in context: Context) async throws {
      guard let text = ServiceUnits(daemon: daemon, socket: nil, variables: [:]).texts[unit] else {
        throw CommandError(
          .usage, "There is no unit \(unit); there are \(ServiceUnits.names.joined(separator: " and ")).")
      }
      context.console.output.write(text)
    }
  }

  /// `nightjar service status`.
  struct Status: DaemonCommand {
    static let configuration = CommandConfiguration(abstract: "Tell whether the service is installed and runs.")
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws {
      struct State: Encodable { var units: [String: String], lingering: Bool?, installed: Bool }
      let service = try await Service(context)
      var units: [String: String] = [:]
      var facts: [(String, String)] = []
      for name in ServiceUnits.names {
        let file = try await service.systemd.property("FragmentPath", of: name)
        let state = try await service.systemd.property("ActiveState", of: name)
        let start = try await service.systemd.property("UnitFileState", of: name)
        units[name] = state
        facts.append((name, file.isEmpty ? "not installed" : "\(state), \(start), from \(file)"))
      }
      let lingers = try await service.systemd.lingers()
      facts.append(("lingering", lingers.map { $0 ? "enabled" : "not enabled: it ends when you log out" } ?? "unknown"))
      let isInstalled = facts[0].1 != "not installed" && facts[1].1 != "not installed"
      try context.show(
        State(units: units, lingering: lingers, installed: isInstalled), orLines: FactSheet.lines(facts))
      guard isInstalled else { throw CommandError(.notFound, "The service is not installed: nightjar service install") }
    }
  }
}
